package io.sigma.dataplane;

import io.sigma.dataplane.engine.ExchangeEvents;
import io.sigma.dataplane.engine.Forward;
import io.sigma.dataplane.exchange.ConnectionFields;
import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.GatewayError;
import io.sigma.dataplane.exchange.HttpDate;
import io.sigma.dataplane.exchange.InvalidRequest;
import io.sigma.dataplane.exchange.RequestHead;
import io.sigma.dataplane.exchange.ResponseHead;
import io.sigma.dataplane.filter.FilterChain;
import io.sigma.dataplane.filter.Replies;
import io.sigma.dataplane.loop.Loop;
import io.sigma.dataplane.match.Mismatch;
import io.sigma.dataplane.snapshot.RuntimePass;
import io.sigma.dataplane.snapshot.RuntimeRoute;
import io.sigma.dataplane.snapshot.RuntimeServer;
import io.sigma.dataplane.upstream.NodeEndpoint;
import io.sigma.dataplane.upstream.Outcome;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All control flow of a request: it is admitted, matched, filtered, forwarded or answered, and accounted for. One object a
 * request, which keeps the snapshot that the request began with. Confined to the event loop of the exchange.
 */
final class ExchangeHandler implements ExchangeEvents, Replies {

    private static final Logger LOG = LoggerFactory.getLogger(ExchangeHandler.class);
    private static final String ALLOWED_BY_GATEWAY = "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT";
    private static final byte[] NO_BODY = new byte[0];

    private final ExchangeServices services;
    private final RuntimeServer server;
    private final Exchange exchange;

    private FilterChain filters;
    private int filterIndex;
    private @Nullable RuntimeRoute route;
    private @Nullable String upgrade;
    private @Nullable NodeEndpoint node;
    private @Nullable Set<NodeEndpoint> tried;
    private int attempts;
    private boolean assigned;
    private long assignedNanos;
    private long answeredNanos;
    private boolean responding;
    private boolean ended;

    ExchangeHandler(ExchangeServices services, RuntimeServer server, Exchange exchange) {
        this.services = services;
        this.server = server;
        this.exchange = exchange;
        this.filters = server.filters();
        exchange.bodyBytesMax(server.bodyBytesMax());
        exchange.trust(server.trusted());
        server.meters().begun();
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
            filters = route == null ? server.filters() : route.filters();
            runFilters(0);
        } catch (InvalidRequest e) {
            refuse(GatewayError.downstream(e.kind()));
        } catch (RuntimeException e) {
            LOG.error("A request could not be handled", e);
            fail(GatewayError.gateway(ErrorKind.INTERNAL, e), "");
        }
    }

    @Override
    public void refuse(GatewayError error) {
        exchange.downstream().closeAfterAnswer();
        fail(error, ALLOWED_BY_GATEWAY);
    }

    /** Returns why the gateway takes no such request, null when it does. */
    private @Nullable ErrorKind admit(RequestHead request) {
        if (request.method().equals("CONNECT") || request.method().equals("TRACE")) {
            return ErrorKind.METHOD_NOT_ALLOWED;
        }
        String expect = request.fields().get("expect");
        if (expect != null && !expect.equalsIgnoreCase("100-continue")) {
            return ErrorKind.EXPECTATION;
        }
        if (request.bodyBytes() > server.bodyBytesMax()) {
            return ErrorKind.BODY_TOO_LARGE;
        }
        upgrade = ConnectionFields.stripRequest(request.fields());
        return null;
    }

    private @Nullable RuntimeRoute match(RequestHead request) {
        String asked =
                request.method().equals("OPTIONS") ? request.fields().get("access-control-request-method") : null;
        if (asked != null && request.fields().contains("origin")) {
            // A preflight is about the request that will follow, so it is answered where that one would be.
            RuntimeRoute target = server.table().match(request, asked);
            if (target != null && target.filters().answersPreflight()) {
                return target;
            }
        }
        return server.table().match(request);
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
            Mismatch mismatch = server.table().explain(exchange.request());
            fail(GatewayError.downstream(mismatch.kind()), mismatch.allow());
            return;
        }
        switch (matched.pass()) {
            case RuntimePass.Redirecting redirecting -> redirect(redirecting);
            case RuntimePass.Forwarding forwarding -> {
                matched.forwarded().apply(exchange.request());
                forwarding.request().apply(exchange.request().fields());
                ErrorKind refusal = forwarding.cluster().admit(exchange.loop());
                if (refusal == null) {
                    forward(forwarding, null);
                } else {
                    fail(GatewayError.unsent(refusal, null), "");
                }
            }
        }
    }

    private void redirect(RuntimePass.Redirecting redirecting) {
        RequestHead request = exchange.request();
        String query = request.query() == null ? "" : request.query();
        ResponseHead head = exchange.downstream().head(redirecting.status());
        head.fields().set("location", redirecting.location().expand(variable -> switch (variable) {
            case HOST -> request.host();
            case PATH -> exchange.path();
            case QUERY -> query;
            case REQUEST_URI -> request.query() == null ? exchange.path() : exchange.path() + "?" + query;
            case SCHEME -> request.scheme();
        }));
        redirecting.response().apply(head.fields());
        answer(head, NO_BODY);
    }

    // --- The request goes to a node.

    /**
     * @param last why the node before could not be reached; null at the first attempt
     */
    private void forward(RuntimePass.Forwarding pass, @Nullable GatewayError last) {
        NodeEndpoint next =
                attempts < pass.connectAttemptsMax() ? pass.cluster().pick(exchange, tried) : null;
        if (next == null) {
            fail(last != null ? last : GatewayError.unsent(ErrorKind.NO_NODE, null), "");
            return;
        }
        attempts++;
        assign(pass, next);
        RequestHead request = exchange.request();
        String path = next.key().url().pathPrefix() + exchange.path();
        services.engine()
                .call(
                        exchange,
                        new Forward(
                                next,
                                request.query() == null ? path : path + "?" + request.query(),
                                pass.preserveHost() ? request.authority() : next.authority(),
                                upgrade == null ? "" : upgrade,
                                pass.connectMillis(),
                                pass.responseMillis(),
                                pass.idleMillis()),
                        this);
    }

    private void assign(RuntimePass.Forwarding pass, NodeEndpoint next) {
        node = next;
        assigned = true;
        assignedNanos = System.nanoTime();
        pass.cluster().begun(exchange.loop(), next);
    }

    /** Tells the upstream, once for each assignment, how it ended. */
    private void unassign(Outcome outcome) {
        if (assigned) {
            assigned = false;
            long until = answeredNanos != 0 ? answeredNanos : System.nanoTime();
            forwarding().cluster().ended(exchange.loop(), Objects.requireNonNull(node), outcome, until - assignedNanos);
        }
    }

    @Override
    public void onUnsent(GatewayError error) {
        RuntimePass.Forwarding pass = forwarding();
        NodeEndpoint failed = Objects.requireNonNull(node);
        pass.meters().count(error.kind());
        LOG.debug("No connection to {}: {}", failed.name(), error.kind().label(), error.cause());
        unassign(Outcome.of(error.kind()));
        if (error.kind() == ErrorKind.QUEUE_FULL) {
            fail(error, "");
            return;
        }
        if (tried == null) {
            tried = new HashSet<>();
        }
        tried.add(failed);
        forward(pass, error);
    }

    @Override
    public void onFailed(GatewayError error) {
        forwarding().meters().count(error.kind());
        LOG.debug("{} failed: {}", nodeName(), error.kind().label(), error.cause());
        unassign(Outcome.of(error.kind()));
        fail(error, "");
    }

    // --- The response goes out.

    @Override
    public void onResponse(ResponseHead head) {
        RuntimePass.Forwarding pass = forwarding();
        pass.meters().count(null);
        answeredNanos = System.nanoTime();
        responding = true;
        exchange.status(head.status());
        ConnectionFields.stripResponse(head.fields());
        pass.response().apply(head.fields());
        filters.onResponse(exchange, head);
        services.engine().relay(exchange, head);
    }

    @Override
    public void onSwitching(ResponseHead head) {
        forwarding().meters().count(null);
        answeredNanos = System.nanoTime();
        responding = true;
        exchange.status(head.status());
        services.engine().tunnel(exchange, head);
    }

    @Override
    public void proceed() {
        if (!ended) {
            runFilters(filterIndex + 1);
        }
    }

    @Override
    public void answer(ResponseHead head, byte[] body) {
        if (complete(head)) {
            exchange.downstream().answer(head, body);
        }
    }

    @Override
    public void answerFile(ResponseHead head, Path file, long length) {
        if (complete(head)) {
            exchange.downstream().answerFile(head, file, length);
        }
    }

    @Override
    public void fail(ErrorKind kind, Map<String, String> fields) {
        fail(GatewayError.downstream(kind), fields);
    }

    @Override
    public void after(long millis, Runnable task) {
        services.loops()
                .get(exchange.loop())
                .scheduler()
                .schedule(
                        () -> {
                            if (!ended) {
                                task.run();
                            }
                        },
                        millis);
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
        if (responding) {
            exchange.downstream().abort();
            return;
        }
        ResponseHead head = exchange.downstream().head(error.kind().status());
        byte[] body = services.responder()
                .prepare(error.kind(), exchange.request().fields().all("accept"), head);
        fields.forEach(head.fields()::set);
        answer(head, body);
    }

    /** Finishes the head of an answer of the gateway's own; returns false when it is too late for one. */
    private boolean complete(ResponseHead head) {
        if (responding || ended) {
            return false;
        }
        responding = true;
        head.fields().set("date", HttpDate.now());
        filters.onResponse(exchange, head);
        exchange.status(head.status());
        return true;
    }

    @Override
    public void onBodyTooLarge() {
        services.engine().cancel(exchange);
        exchange.downstream().closeAfterAnswer();
        fail(GatewayError.downstream(ErrorKind.BODY_TOO_LARGE), "");
    }

    @Override
    public void offLoop(Runnable task, Runnable done) {
        Loop loop = services.loops().get(exchange.loop());
        services.worker().execute(() -> {
            try {
                task.run();
            } finally {
                loop.scheduler().execute(() -> {
                    if (!ended) {
                        done.run();
                    }
                });
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
        if (assigned) {
            GatewayError reason = exchange.error();
            boolean complete = answeredNanos != 0 && reason == null;
            unassign(complete ? Outcome.of(exchange.status()) : Outcome.of(kindOf(reason)));
        }
        filters.onEnd(exchange);
        long nanos = System.nanoTime() - exchange.startNanos();
        server.meters().ended(nanos);
        (route == null ? server.unrouted() : route.meters()).count(exchange.status());
        if (filters.accessLog() && services.accessLog().isOn()) {
            services.accessLog().write(exchange.loop(), AccessRecords.of(server, route, node, exchange, nanos));
        }
    }

    private RuntimePass.Forwarding forwarding() {
        return (RuntimePass.Forwarding) Objects.requireNonNull(route).pass();
    }

    private static ErrorKind kindOf(@Nullable GatewayError reason) {
        return reason == null ? ErrorKind.CLIENT_ABORTED : reason.kind();
    }

    private String nodeName() {
        return node == null ? "" : node.name();
    }
}
