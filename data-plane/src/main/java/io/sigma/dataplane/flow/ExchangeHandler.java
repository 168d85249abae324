package io.sigma.dataplane.flow;

import io.sigma.dataplane.disk.ServedFile;
import io.sigma.dataplane.engine.ExchangeEvents;
import io.sigma.dataplane.exchange.Attributes;
import io.sigma.dataplane.exchange.ConnectionFields;
import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.FieldList;
import io.sigma.dataplane.exchange.Fields;
import io.sigma.dataplane.exchange.GatewayError;
import io.sigma.dataplane.exchange.InvalidRequest;
import io.sigma.dataplane.exchange.RequestHead;
import io.sigma.dataplane.exchange.RequestTarget;
import io.sigma.dataplane.exchange.ResponseHead;
import io.sigma.dataplane.exchange.rule.Grpc;
import io.sigma.dataplane.exchange.rule.HttpDate;
import io.sigma.dataplane.exchange.rule.Preconditions;
import io.sigma.dataplane.exchange.rule.Preconditions.Outcome;
import io.sigma.dataplane.exchange.rule.Via;
import io.sigma.dataplane.filter.Replies;
import io.sigma.dataplane.filter.chain.FilterChain;
import io.sigma.dataplane.loop.Kept;
import io.sigma.dataplane.loop.Loop;
import io.sigma.dataplane.match.Lookup;
import io.sigma.dataplane.match.Mismatch;
import io.sigma.dataplane.snapshot.RuntimePass;
import io.sigma.dataplane.snapshot.RuntimeRoute;
import io.sigma.dataplane.snapshot.RuntimeServer;
import io.sigma.dataplane.telemetry.LogTarget;
import io.sigma.value.LocationTemplate;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All control flow of a request: it is admitted, matched, filtered, forwarded or answered, and accounted for. It keeps
 * the snapshot that the request began with. One object a request, or for those of a connection one after the other.
 * Confined to the event loop of the exchange.
 */
final class ExchangeHandler implements ExchangeEvents, Replies, Forwarding.Owner {

    private static final Logger LOG = LoggerFactory.getLogger(ExchangeHandler.class);
    private static final String ALLOWED_BY_GATEWAY = "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT";
    private static final byte[] NO_BODY = new byte[0];
    /** What describes a body, which neither a 304 nor a 205 has (RFC 9110 §15.4.5, §15.3.6). */
    private static final Set<String> DESCRIPTIONS =
            Set.of("content-type", "content-length", "content-encoding", "content-language", "content-range");

    private final ExchangeServices services;
    private RuntimeServer server;

    @Kept("made the next one by the stream of the client")
    private final Exchange exchange;

    private FilterChain filters;
    private int filterIndex;
    private @Nullable RuntimeRoute route;
    private @Nullable String upgrade;
    private @Nullable Forwarding forwarding;

    @Kept("made the next one when it is used")
    private @Nullable Forwarding lastForwarding;

    @Kept("made the next one when it is used")
    private @Nullable Lookup lookup;

    private boolean responding;
    private boolean ended;

    ExchangeHandler(ExchangeServices services, RuntimeServer server, Exchange exchange) {
        this.services = services;
        this.server = server;
        this.exchange = exchange;
        this.filters = server.filters();
        open();
    }

    @Override
    public int prefetch(int distance) {
        if (distance == 0) {
            return filterIndex + (route == null ? 1 : 0);
        }
        Forwarding last = lastForwarding;
        return last == null ? 0 : last.prefetch(distance - 1);
    }

    private void open() {
        exchange.bodyBytesMax(server.bodyBytesMax());
        exchange.trust(server.trusted());
        server.meters().begun(exchange.loop());
    }

    /** Makes it what drives the exchange once more, for another request; the one before is over and nothing waits. */
    void again(RuntimeServer current) {
        server = current;
        filters = current.filters();
        filterIndex = 0;
        route = null;
        upgrade = null;
        forwarding = null;
        responding = false;
        ended = false;
        open();
    }

    // --- The request comes in.

    @Override
    public void begin() {
        try {
            ErrorKind refusal = admit(exchange.request());
            if (refusal != null) {
                if (refusal == ErrorKind.BODY_TOO_LARGE || refusal == ErrorKind.EXPECTATION) {
                    exchange.downstream().closeAfterAnswer();
                }
                fail(GatewayError.downstream(refusal), ALLOWED_BY_GATEWAY);
                return;
            }
            route = match(exchange.request());
            if (route != null && !route.rule().mergesSlashes()) {
                exchange.keepSlashes();
            }
            filters = route == null ? server.filters() : route.filters();
            exchange.route(route == null ? "" : route.id());
            runFilters(0);
        } catch (InvalidRequest e) {
            refuse(GatewayError.downstream(e.kind()));
        } catch (RuntimeException | Error e) {
            failed(e);
        }
    }

    /** Does what a filter goes on with later: nobody else hears what it throws, and the client would wait. */
    private void goOn(Runnable step) {
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

    private void failed(Throwable cause) {
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

    @Override
    public void refuse(GatewayError error) {
        exchange.downstream().closeAfterAnswer();
        fail(error, ALLOWED_BY_GATEWAY);
    }

    /** Returns why the gateway takes no such request, null when it does. */
    private @Nullable ErrorKind admit(RequestHead request) {
        server.trusted().stripSession(request);
        ErrorKind refusal = Admission.refusal(server, request);
        if (refusal != null) {
            return refusal;
        }
        upgrade = Admission.strip(server, exchange);
        exchange.limitMillis(Grpc.timeoutMillis(request.fields()));
        return null;
    }

    private @Nullable RuntimeRoute match(RequestHead request) {
        Lookup known = lookup;
        if (known == null) {
            known = new Lookup(request, request.method(), exchange.clientAddress());
            lookup = known;
        } else {
            known.again(request, request.method(), exchange.clientAddress());
        }
        return Admission.match(server, exchange, known);
    }

    private void runFilters(int start) {
        filterIndex = filters.onRequest(start, exchange, this);
        if (filterIndex < 0) {
            act();
        }
    }

    private void act() {
        RuntimeRoute matched = route;
        if (matched == null) {
            Mismatch mismatch = server.table().mismatch(exchange.request(), exchange.clientAddress());
            fail(GatewayError.downstream(mismatch.kind()), mismatch.allow());
            return;
        }
        switch (matched.pass()) {
            case RuntimePass.Redirecting redirecting -> redirect(redirecting);
            case RuntimePass.Answering answering -> {
                ResponseHead head = exchange.downstream().head(answering.status());
                head.fields().set("content-type", answering.contentType());
                answering.response().apply(head.fields());
                answer(head, answering.body().getBytes(StandardCharsets.UTF_8));
            }
            case RuntimePass.Serving serving -> serve(serving);
            case RuntimePass.Forwarding pass -> {
                if (exchange.request().bodyBytes() > pass.bodyBytesMax()) {
                    exchange.downstream().closeAfterAnswer();
                    fail(ErrorKind.BODY_TOO_LARGE);
                    return;
                }
                RequestHead request = exchange.request();
                if (request.method().equals("OPTIONS") && !MaxForwards.count(request.fields())) {
                    answerOptions(matched.source().methods());
                    return;
                }
                if (!matched.loopMark().mark(request.fields())) {
                    exchange.downstream().closeAfterAnswer();
                    fail(GatewayError.gateway(ErrorKind.LOOP, null), "");
                    return;
                }
                exchange.bodyBytesMax(Math.min(exchange.bodyBytesMax(), pass.bodyBytesMax()));
                matched.forwarded().apply(exchange, pass.path().stripped(exchange.path()));
                Via.add(request);
                pass.request().apply(request.fields());
                Forwarding begun = lastForwarding == null ? new Forwarding(services, exchange, this) : lastForwarding;
                lastForwarding = begun;
                forwarding = begun;
                begun.prepare(pass, upgrade);
                Mirroring.start(services, exchange, pass, upgrade != null);
                begun.start();
            }
        }
    }

    /**
     * Answers OPTIONS in the place of a node that is too far away (RFC 9110 §9.3.7).
     *
     * @param methods that the route takes; none means all
     */
    private void answerOptions(List<String> methods) {
        ResponseHead head = exchange.downstream().head(204);
        head.fields().set("allow", methods.isEmpty() ? ALLOWED_BY_GATEWAY : String.join(", ", methods));
        answer(head, NO_BODY);
    }

    private void serve(RuntimePass.Serving serving) {
        String method = exchange.request().method();
        if (method.equals("GET") || method.equals("HEAD")) {
            serving.files().serve(exchange, serving.path().apply(exchange.path()), this);
        } else {
            fail(GatewayError.downstream(ErrorKind.METHOD_NOT_ALLOWED), "GET, HEAD");
        }
    }

    private void redirect(RuntimePass.Redirecting redirecting) {
        RequestHead request = exchange.request();
        if (exchange.host().isEmpty() && redirecting.location().names(LocationTemplate.Variable.HOST)) {
            fail(ErrorKind.BAD_REQUEST);
            return;
        }
        String query = request.query() == null ? "" : request.query();
        String path = RequestTarget.isWhole(exchange.path()) ? "" : exchange.path();
        ResponseHead head = exchange.downstream().head(redirecting.status());
        head.fields().set("location", redirecting.location().expand(variable -> switch (variable) {
            case HOST -> exchange.host();
            case PATH -> path;
            case QUERY -> query;
            case REQUEST_URI -> request.query() == null ? path : path + "?" + query;
            case SCHEME -> exchange.scheme();
        }));
        redirecting.response().apply(head.fields());
        answer(head, NO_BODY);
    }

    // --- The response goes out.

    @Override
    public void onAnswer(ResponseHead head) {
        responding = true;
        exchange.status(head.status());
        ConnectionFields.stripResponse(head, exchange.request().protocol());
        exchange.stripAnswer(head.fields());
        date(head.fields());
        removeContent(head);
        filters.strip(head);
        pass().response().apply(head.fields());
        String cookie = Objects.requireNonNull(forwarding).setCookie();
        if (cookie != null) {
            head.fields().add("set-cookie", cookie);
        }
        if (filters.onResponse(exchange, head)) {
            services.engine().relay(exchange, head);
        } else {
            services.engine().cancel(exchange);
            fail(GatewayError.gateway(ErrorKind.INTERNAL, null), "");
        }
    }

    /** A node may have no clock. The gateway says when such a response came (RFC 9110 §6.6.1). */
    private static void date(Fields response) {
        if (!response.contains("date")) {
            response.set("date", HttpDate.now());
        }
    }

    /** Whatever the node sends behind a 205 is dropped. */
    private static void removeContent(ResponseHead head) {
        if (ResponseHead.isReset(head.status())) {
            head.fields().removeIf(name -> DESCRIPTIONS.contains(name.toLowerCase(Locale.ROOT)));
            head.fields().set("content-length", "0");
        }
    }

    @Override
    public void onSwitch(ResponseHead head) {
        responding = true;
        exchange.status(head.status());
        date(head.fields());
        services.engine().tunnel(exchange, head);
    }

    @Override
    public void onFailure(GatewayError error) {
        fail(error, "");
    }

    @Override
    public void proceed() {
        goOn(() -> runFilters(filterIndex + 1));
    }

    @Override
    public void answer(ResponseHead head, byte[] body) {
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
    public void answerFile(ResponseHead head, ServedFile file, long offset, long length) {
        exchange.put(Attributes.FILE, true);
        if (complete(head)) {
            exchange.downstream().answerFile(head, file, offset, length);
        }
    }

    @Override
    public void fail(ErrorKind kind, Map<String, String> fields) {
        if (isOpen()) {
            fail(GatewayError.downstream(kind), fields);
        }
    }

    /**
     * Returns whether a filter may still decide: a request whose body was refused meanwhile, or was too slow, has its
     * answer.
     */
    private boolean isOpen() {
        return !ended && !responding;
    }

    @Override
    public void after(long millis, Runnable task) {
        exchange.share();
        services.loops().get(exchange.loop()).scheduler().schedule(() -> goOn(task), millis);
    }

    /**
     * @param allow value of the Allow field of a 405
     */
    private void fail(GatewayError error, String allow) {
        boolean allows = error.kind() == ErrorKind.METHOD_NOT_ALLOWED && !allow.isEmpty();
        fail(error, allows ? Map.of("allow", allow) : Map.of());
    }

    /**
     * @param fields of the answer, beside those of every error
     */
    private void fail(GatewayError error, Map<String, String> fields) {
        exchange.fail(error);
        if (responding && exchange.downstream().isCommitted()) {
            exchange.downstream().abort();
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
        Forwarding running = forwarding;
        if (running != null) {
            // A try that is still to come must not fall into the answer.
            running.stop();
        }
        head.fields().set("date", HttpDate.now());
        if (!filters.onResponse(exchange, head) && exchange.error() == null) {
            fail(GatewayError.gateway(ErrorKind.INTERNAL, null), "");
            return false;
        }
        RequiredFields.addTo(head);
        exchange.status(head.status());
        return true;
    }

    @Override
    public void onBodyRefused(ErrorKind kind) {
        services.engine().cancel(exchange);
        exchange.downstream().closeAfterAnswer();
        fail(GatewayError.downstream(kind), "");
    }

    @Override
    public void offLoop(Runnable task, Runnable done) {
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

    // --- The exchange is accounted for.

    @Override
    public void onEnd(@Nullable GatewayError error) {
        if (ended) {
            return;
        }
        ended = true;
        if (error != null) {
            exchange.fail(error);
        }
        if (exchange.status() == 0) {
            GatewayError reason = exchange.error();
            exchange.status(reason == null ? 0 : reason.kind().status());
        }
        if (forwarding != null) {
            forwarding.close();
        }
        filters.onEnd(exchange);
        int loop = exchange.loop();
        long now = services.loops().get(loop).nanos();
        server.meters().ended(loop, now - exchange.startNanos(), now);
        (route == null ? server.unrouted() : route.meters())
                .count(loop, exchange.status(), now - exchange.startNanos(), exchange.bytesIn(), exchange.bytesOut());
        LogTarget target = filters.logTarget();
        if (filters.accessLog() && services.accessLog().takes(target)) {
            AccessRecords.fill(services.accessLog().record(loop), server, route, forwarding, exchange, target, now);
            services.accessLog().write(loop, target);
        }
    }

    private RuntimePass pass() {
        return Objects.requireNonNull(route).pass();
    }
}
