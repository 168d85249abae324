package io.sigma.dataplane.flow;

import io.sigma.dataplane.disk.ServedFile;
import io.sigma.dataplane.exchange.Attributes;
import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.FieldList;
import io.sigma.dataplane.exchange.Fields;
import io.sigma.dataplane.exchange.GatewayError;
import io.sigma.dataplane.exchange.InvalidRequest;
import io.sigma.dataplane.exchange.ResponseHead;
import io.sigma.dataplane.exchange.rule.HttpDate;
import io.sigma.dataplane.exchange.rule.Preconditions;
import io.sigma.dataplane.exchange.rule.Preconditions.Outcome;
import io.sigma.dataplane.filter.Replies;
import io.sigma.dataplane.filter.chain.FilterChain;
import io.sigma.dataplane.loop.Kept;
import io.sigma.dataplane.loop.Loop;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The answers of the gateway's own to a request, from filters, for errors and for what the configuration answers: at
 * most one goes out. Confined to the event loop of the exchange.
 */
abstract class ExchangeReplies implements Replies {

    private static final Logger LOG = LoggerFactory.getLogger(ExchangeReplies.class);

    static final String ALLOWED_BY_GATEWAY = "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT";
    static final byte[] NO_BODY = new byte[0];
    /** Fields that describe a body. A 304 and a 205 have no body (RFC 9110 §15.4.5, §15.3.6). */
    private static final Set<String> DESCRIPTIONS =
            Set.of("content-type", "content-length", "content-encoding", "content-language", "content-range");

    private final ExchangeServices services;

    @Kept("made the next one by the stream of the client")
    private final Exchange exchange;

    private FilterChain filters;
    private boolean responding;
    private boolean ended;

    ExchangeReplies(ExchangeServices services, Exchange exchange, FilterChain filters) {
        this.services = services;
        this.exchange = exchange;
        this.filters = filters;
    }

    /** Begins with another request, which {@code first} is asked about. */
    final void again(FilterChain first) {
        filters = first;
        responding = false;
        ended = false;
    }

    final ExchangeServices services() {
        return services;
    }

    final Exchange exchange() {
        return exchange;
    }

    final FilterChain filters() {
        return filters;
    }

    /** Has {@code matched} asked from now on. */
    final void filters(FilterChain matched) {
        filters = matched;
    }

    /** A response of a node has begun. */
    final void responds(int status) {
        responding = true;
        exchange.status(status);
    }

    /** The exchange is over; returns false when it was before. */
    final boolean end() {
        boolean first = !ended;
        ended = true;
        return first;
    }

    /** Stops a try that is still to come, which must not fall into an answer. */
    abstract void stopForwarding();

    /** Does what a filter goes on with later: nobody else hears what it throws, and the client would wait. */
    final void goOn(Runnable step) {
        if (!isOpen()) {
            return;
        }
        try {
            step.run();
        } catch (InvalidRequest e) {
            refuse(GatewayError.downstream(e.kind()));
        } catch (RuntimeException | Error e) {
            failed(e);
        }
    }

    final void failed(Throwable cause) {
        LOG.error("A request could not be handled", cause);
        try {
            // A node that was asked already would be waited for.
            services.engine().cancel(exchange);
            fail(GatewayError.gateway(ErrorKind.INTERNAL, cause), "");
        } catch (RuntimeException | Error e) {
            LOG.error("A request could not be answered", e);
            exchange.downstream().abort();
        }
    }

    /** Answers a request that is malformed or not allowed, and ends the connection. */
    public final void refuse(GatewayError error) {
        exchange.downstream().closeAfterAnswer();
        fail(error, ALLOWED_BY_GATEWAY);
    }

    /** A node may have no clock. The gateway says when such a response came (RFC 9110 §6.6.1). */
    static void date(Fields response) {
        if (!response.contains("date")) {
            response.set("date", HttpDate.now());
        }
    }

    /** Whatever the node sends behind a 205 is dropped. */
    static void removeContent(ResponseHead head) {
        if (ResponseHead.isReset(head.status())) {
            head.fields().removeIf(name -> DESCRIPTIONS.contains(name.toLowerCase(Locale.ROOT)));
            head.fields().set("content-length", "0");
        }
    }

    @Override
    public final void answer(ResponseHead head, byte[] body) {
        switch (exchange.error() == null ? Preconditions.evaluate(exchange.request(), head) : Outcome.HOLD) {
            case HOLD -> send(head, body);
            case FAILED -> fail(ErrorKind.PRECONDITION);
            case NOT_MODIFIED -> {
                // A new head may take the place of the one before.
                Fields said = new FieldList(head.fields());
                said.removeIf(name -> DESCRIPTIONS.contains(name.toLowerCase(Locale.ROOT)));
                ResponseHead unchanged = exchange.downstream().head(304);
                said.forEach(unchanged.fields()::add);
                send(unchanged, NO_BODY);
            }
        }
    }

    private void send(ResponseHead head, byte[] body) {
        removeContent(head);
        if (complete(head)) {
            exchange.downstream().answer(head, ResponseHead.isReset(head.status()) ? NO_BODY : body);
        }
    }

    @Override
    public final void answerFile(ResponseHead head, ServedFile file, long offset, long length) {
        exchange.put(Attributes.FILE, true);
        if (complete(head)) {
            exchange.downstream().answerFile(head, file, offset, length);
        }
    }

    @Override
    public final void fail(ErrorKind kind, Map<String, String> fields) {
        if (isOpen()) {
            fail(GatewayError.downstream(kind), fields);
        }
    }

    /**
     * Returns whether a filter may still decide: a request whose body was refused meanwhile, or was too slow, has its
     * answer.
     */
    final boolean isOpen() {
        return !ended && !responding;
    }

    @Override
    public final void after(long millis, Runnable task) {
        exchange.share();
        services.loops().get(exchange.loop()).scheduler().schedule(() -> goOn(task), millis);
    }

    /**
     * @param allow value of the Allow field of a 405
     */
    final void fail(GatewayError error, String allow) {
        boolean allows = error.kind() == ErrorKind.METHOD_NOT_ALLOWED && !allow.isEmpty();
        fail(error, allows ? Map.of("allow", allow) : Map.of());
    }

    /**
     * @param fields of the answer, beside those of every error
     */
    final void fail(GatewayError error, Map<String, String> fields) {
        exchange.fail(error);
        if (responding && exchange.downstream().isCommitted()) {
            if (!exchange.downstream().isAnswered()) {
                exchange.downstream().abort();
            }
            return;
        }
        responding = false;
        exchange.put(Attributes.BODY_ENCODER, null);
        ResponseHead head = exchange.downstream().head(error.kind().status());
        byte[] body =
                services.responder().prepare(error.kind(), exchange.request().fields(), head);
        fields.forEach(head.fields()::set);
        send(head, body);
    }

    /**
     * Finishes the head of an answer of the gateway's own; returns false when it is too late for one, or another one
     * was given because a filter failed. That of an error goes out without what a filter would have done with it.
     */
    private boolean complete(ResponseHead head) {
        if (responding || ended) {
            return false;
        }
        responding = true;
        stopForwarding();
        head.fields().set("date", HttpDate.now());
        if (!filters.onResponse(exchange, head) && exchange.error() == null) {
            fail(GatewayError.gateway(ErrorKind.INTERNAL, null), "");
            return false;
        }
        exchange.stripAnswer(head.fields());
        RequiredFields.addTo(head);
        exchange.status(head.status());
        return true;
    }

    @Override
    public final void offLoop(Runnable task, Runnable done) {
        exchange.share();
        Loop loop = services.loops().get(exchange.loop());
        services.worker().execute(() -> {
            try {
                task.run();
            } finally {
                loop.scheduler().execute(() -> goOn(done));
            }
        });
    }
}
