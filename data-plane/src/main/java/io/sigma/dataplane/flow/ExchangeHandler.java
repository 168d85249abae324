package io.sigma.dataplane.flow;

import io.sigma.dataplane.engine.ExchangeEvents;
import io.sigma.dataplane.exchange.ConnectionFields;
import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.GatewayError;
import io.sigma.dataplane.exchange.InvalidRequest;
import io.sigma.dataplane.exchange.RequestHead;
import io.sigma.dataplane.exchange.RequestTarget;
import io.sigma.dataplane.exchange.ResponseHead;
import io.sigma.dataplane.exchange.rule.Grpc;
import io.sigma.dataplane.exchange.rule.Via;
import io.sigma.dataplane.loop.Kept;
import io.sigma.dataplane.loop.Loop;
import io.sigma.dataplane.match.Lookup;
import io.sigma.dataplane.match.NoMatch;
import io.sigma.dataplane.snapshot.RuntimePass;
import io.sigma.dataplane.snapshot.RuntimeRoute;
import io.sigma.dataplane.snapshot.RuntimeServer;
import io.sigma.dataplane.telemetry.LogTarget;
import io.sigma.value.LocationTemplate;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * All control flow of a request: it is admitted, matched, filtered, forwarded or answered, and accounted for. It keeps
 * the snapshot that the request began with. One object a request, or for those of a connection one after the other.
 * Confined to the event loop of the exchange.
 */
final class ExchangeHandler extends ExchangeReplies implements ExchangeEvents, Forwarding.Owner {

    private RuntimeServer server;
    private long revision;

    private int filterIndex;
    private @Nullable RuntimeRoute route;
    private @Nullable String upgrade;
    private @Nullable Forwarding forwarding;
    private @Nullable LiveTunnel tunnel;

    @Kept("made the next one when it is used")
    private @Nullable Forwarding lastForwarding;

    @Kept("made the next one when it is used")
    private @Nullable Lookup lookup;

    /**
     * @param revision of the snapshot that has {@code server} now
     */
    ExchangeHandler(ExchangeServices services, RuntimeServer server, long revision, Exchange exchange) {
        super(services, exchange, server.filters());
        this.server = server;
        this.revision = revision;
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
        exchange().bodyBytesMax(server.bodyBytesMax());
        exchange().trust(server.trusted());
        server.meters().begun(exchange().loop());
    }

    /** Makes it what drives the exchange once more, for another request; the one before is over and nothing waits. */
    void again(RuntimeServer current, long currentRevision) {
        server = current;
        revision = currentRevision;
        again(current.filters());
        filterIndex = 0;
        route = null;
        upgrade = null;
        forwarding = null;
        tunnel = null;
        open();
    }

    // --- The request comes in.

    @Override
    public void begin() {
        try {
            ErrorKind refusal = admit(exchange().request());
            if (refusal != null) {
                if (refusal == ErrorKind.BODY_TOO_LARGE || refusal == ErrorKind.EXPECTATION) {
                    exchange().downstream().closeAfterAnswer();
                }
                fail(GatewayError.downstream(refusal), ALLOWED_BY_GATEWAY);
                return;
            }
            route = match(exchange().request());
            if (route != null && !route.rule().mergesSlashes()) {
                exchange().keepSlashes();
            }
            filters(route == null ? server.filters() : route.filters());
            exchange().route(route == null ? "" : route.id());
            runFilters(0);
        } catch (InvalidRequest e) {
            refuse(GatewayError.downstream(e.kind()));
        } catch (RuntimeException | Error e) {
            failed(e);
        }
    }

    /** Returns why the gateway takes no such request, null when it does. */
    private @Nullable ErrorKind admit(RequestHead request) {
        server.trusted().stripSession(request);
        ErrorKind refusal = Admission.refusal(server, request);
        if (refusal != null) {
            return refusal;
        }
        upgrade = Admission.strip(server, exchange());
        exchange().limitMillis(Grpc.timeoutMillis(request.fields()));
        return null;
    }

    private @Nullable RuntimeRoute match(RequestHead request) {
        Lookup known = lookup;
        if (known == null) {
            known = new Lookup(request, request.method(), exchange().clientAddress());
            lookup = known;
        } else {
            known.again(request, request.method(), exchange().clientAddress());
        }
        return Admission.match(server, exchange(), known);
    }

    private void runFilters(int start) {
        filterIndex = filters().onRequest(start, exchange(), this);
        if (filterIndex < 0) {
            act();
        }
    }

    private void act() {
        RuntimeRoute matched = route;
        if (matched == null) {
            NoMatch mismatch =
                    server.table().mismatch(exchange().request(), exchange().clientAddress());
            fail(GatewayError.downstream(mismatch.kind()), mismatch.allow());
            return;
        }
        switch (matched.pass()) {
            case RuntimePass.Redirecting redirecting -> redirect(redirecting);
            case RuntimePass.Answering answering -> {
                ResponseHead head = exchange().downstream().head(answering.status());
                head.fields().set("content-type", answering.contentType());
                answering.response().apply(head.fields());
                answer(head, answering.body().getBytes(StandardCharsets.UTF_8));
            }
            case RuntimePass.Serving serving -> serve(serving);
            case RuntimePass.ToUpstream pass -> {
                if (exchange().request().bodyBytes() > pass.bodyBytesMax()) {
                    exchange().downstream().closeAfterAnswer();
                    fail(ErrorKind.BODY_TOO_LARGE);
                    return;
                }
                RequestHead request = exchange().request();
                if (request.method().equals("OPTIONS") && !MaxForwards.count(request.fields())) {
                    answerOptions(matched.source().methods());
                    return;
                }
                if (!matched.loopMark().mark(request.fields())) {
                    exchange().downstream().closeAfterAnswer();
                    fail(GatewayError.gateway(ErrorKind.LOOP, null), "");
                    return;
                }
                exchange().bodyBytesMax(Math.min(exchange().bodyBytesMax(), pass.bodyBytesMax()));
                matched.forwarded()
                        .apply(exchange(), pass.path().stripped(exchange().path()));
                Via.add(request);
                pass.request().apply(request.fields());
                Forwarding begun =
                        lastForwarding == null ? new Forwarding(services(), exchange(), this) : lastForwarding;
                lastForwarding = begun;
                forwarding = begun;
                begun.prepare(pass, upgrade);
                Mirroring.start(services(), exchange(), pass, upgrade != null);
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
        ResponseHead head = exchange().downstream().head(204);
        head.fields().set("allow", methods.isEmpty() ? ALLOWED_BY_GATEWAY : String.join(", ", methods));
        answer(head, NO_BODY);
    }

    private void serve(RuntimePass.Serving serving) {
        String method = exchange().request().method();
        if (method.equals("GET") || method.equals("HEAD")) {
            serving.files().serve(exchange(), serving.path().apply(exchange().path()), this);
        } else {
            fail(GatewayError.downstream(ErrorKind.METHOD_NOT_ALLOWED), "GET, HEAD");
        }
    }

    private void redirect(RuntimePass.Redirecting redirecting) {
        RequestHead request = exchange().request();
        if (exchange().host().isEmpty() && redirecting.location().names(LocationTemplate.Variable.HOST)) {
            fail(ErrorKind.BAD_REQUEST);
            return;
        }
        String query = request.query() == null ? "" : request.query();
        String path = RequestTarget.isWhole(exchange().path()) ? "" : exchange().path();
        ResponseHead head = exchange().downstream().head(redirecting.status());
        head.fields().set("location", redirecting.location().expand(variable -> switch (variable) {
            case HOST -> exchange().host();
            case PATH -> path;
            case QUERY -> query;
            case REQUEST_URI -> request.query() == null ? path : path + "?" + query;
            case SCHEME -> exchange().scheme();
        }));
        redirecting.response().apply(head.fields());
        answer(head, NO_BODY);
    }

    // --- The response goes out.

    @Override
    public void onAnswer(ResponseHead head) {
        responds(head.status());
        ConnectionFields.stripResponse(head, exchange().request().protocol());
        date(head.fields());
        removeContent(head);
        filters().strip(head);
        pass().response().apply(head.fields());
        String cookie = Objects.requireNonNull(forwarding).setCookie();
        if (cookie != null) {
            head.fields().add("set-cookie", cookie);
        }
        if (filters().onResponse(exchange(), head)) {
            // After all that may write or rename fields.
            exchange().stripAnswer(head.fields());
            services().engine().relay(exchange(), head);
        } else {
            services().engine().cancel(exchange());
            fail(GatewayError.gateway(ErrorKind.INTERNAL, null), "");
        }
    }

    @Override
    public void onSwitch(ResponseHead head) {
        responds(head.status());
        date(head.fields());
        Runnable end = services().engine().tunnel(exchange(), head);
        Loop loop = services().loops().get(exchange().loop());
        if (route != null && forwarding != null) {
            tunnel = new LiveTunnel(loop, exchange(), route, forwarding, upgrade, revision, end);
        }
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
    public void onBodyRefused(ErrorKind kind) {
        services().engine().cancel(exchange());
        exchange().downstream().closeAfterAnswer();
        fail(GatewayError.downstream(kind), "");
    }

    // --- The exchange is accounted for.

    @Override
    public void onEnd(@Nullable GatewayError error) {
        if (!end()) {
            return;
        }
        if (tunnel != null) {
            tunnel.ended();
            tunnel = null;
        }
        if (error != null) {
            exchange().fail(error);
        }
        if (exchange().status() == 0) {
            GatewayError reason = exchange().error();
            exchange().status(reason == null ? 0 : reason.kind().status());
        }
        if (forwarding != null) {
            forwarding.close();
        }
        filters().onEnd(exchange());
        int loop = exchange().loop();
        long now = services().loops().get(loop).nanos();
        server.meters().ended(loop, now - exchange().startNanos(), now);
        (route == null ? server.unrouted() : route.meters())
                .count(
                        loop,
                        exchange().status(),
                        now - exchange().startNanos(),
                        exchange().bytesIn(),
                        exchange().bytesOut());
        if (filters().accessLog()) {
            log(loop, now);
        }
    }

    private void log(int loop, long now) {
        TailEntries.add(services().tail(), server, route, forwarding, exchange(), revision, now);
        LogTarget target = filters().logTarget();
        if (services().accessLog().takes(target)) {
            AccessRecords.fill(services().accessLog().record(loop), server, route, forwarding, exchange(), target, now);
            services().accessLog().write(loop, target);
        }
    }

    @Override
    void stopForwarding() {
        Forwarding running = forwarding;
        if (running != null) {
            running.stop();
        }
    }

    private RuntimePass pass() {
        return Objects.requireNonNull(route).pass();
    }
}
