package io.sigma.dataplane.trial;

import io.sigma.check.StreamCheck;
import io.sigma.dataplane.disk.GatewayDisk;
import io.sigma.dataplane.engine.TlsMaterial;
import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.InvalidRequest;
import io.sigma.dataplane.exchange.RequestHead;
import io.sigma.dataplane.exchange.rule.Via;
import io.sigma.dataplane.filter.chain.ChainTrial;
import io.sigma.dataplane.flow.Admission;
import io.sigma.dataplane.listener.TlsReader;
import io.sigma.dataplane.match.Lookup;
import io.sigma.dataplane.match.NoMatch;
import io.sigma.dataplane.snapshot.RuntimePass;
import io.sigma.dataplane.snapshot.RuntimeRoute;
import io.sigma.dataplane.snapshot.RuntimeServer;
import io.sigma.dataplane.snapshot.RuntimeSnapshot;
import io.sigma.dataplane.upstream.NodeEndpoint;
import io.sigma.dataplane.watch.WatchedFiles;
import io.sigma.json.JsonPointer;
import io.sigma.model.RewrittenRequest;
import io.sigma.model.RouteTest;
import io.sigma.model.RouteTestOutcome;
import io.sigma.model.RouteTestResult;
import io.sigma.model.SentField;
import io.sigma.snapshot.ResourceType;
import io.sigma.value.CertifiedKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A trial of a request on a snapshot. It goes the way of a request up to the choice of a node, by the same code.
 * Confined to one thread, which need not be an event loop: no state of an event loop is used.
 */
public final class RouteTrial {

    private final RouteTest test;
    private final RuntimeSnapshot snapshot;
    private final RouteTestResult.Builder result;
    private final Function<NodeEndpoint, NodeEndpoint> running;
    private final BiFunction<TlsMaterial, String, List<CertifiedKey>> presented;
    private final GatewayDisk disk;

    /**
     * @param revision that the answer is about
     * @param running finds the node that runs for one of a snapshot that does not
     * @param presented what the engine presents to a client that asks for a name, one for each type of key
     * @param disk has the files of certificates
     */
    public RouteTrial(
            RouteTest test,
            RuntimeSnapshot snapshot,
            String gatewayId,
            long revision,
            Function<NodeEndpoint, NodeEndpoint> running,
            BiFunction<TlsMaterial, String, List<CertifiedKey>> presented,
            GatewayDisk disk) {
        this.disk = disk;
        this.presented = presented;
        this.test = test;
        this.snapshot = snapshot;
        this.running = running;
        this.result = RouteTestResult.builder()
                .gatewayId(gatewayId)
                .revision(revision)
                .losers(List.of())
                .furtherLosers(0)
                .filters(List.of())
                .upstreams(List.of());
    }

    public RouteTestResult run() {
        try {
            TrialRequest.Listener listener = TrialRequest.listener(test, snapshot.servers());
            RuntimeServer server = listener.server();
            if (server == null) {
                return end(RouteTestOutcome.REFUSED, null, listener.detail());
            }
            result.proxyServerId(server.id());
            if (StreamCheck.isRpc(server.source())) {
                return new RpcTrial(test, server, running).run(result);
            }
            RouteTestResult passed = new StreamTrial(test, server, running).run(result);
            return passed == null ? at(server) : passed;
        } catch (InvalidRequest e) {
            String rule = e.kind() == ErrorKind.MATCH_TOO_LONG
                    ? "It takes too long: "
                    : "The request breaks a rule of HTTP: ";
            return refused(e.kind(), rule + e.getMessage() + ".");
        }
    }

    private RouteTestResult at(RuntimeServer server) {
        RequestHead head = TrialRequest.head(test, server);
        Exchange exchange = new Exchange(head, new TrialDownstream(), 0, System.nanoTime());
        exchange.trust(server.trusted());
        server.trusted().stripSession(head);
        ErrorKind refusal = Admission.refusal(server, head);
        if (refusal != null) {
            return refused(refusal, refusal.detail());
        }
        if (!presents(server, head)) {
            return refused(ErrorKind.MISDIRECTED, ErrorKind.MISDIRECTED.detail());
        }
        String upgrade = Admission.strip(server, exchange);
        RuntimeRoute route =
                Admission.match(server, exchange, new Lookup(head, head.method(), exchange.clientAddress()));
        NearRoutes near = NearRoutes.of(snapshot, server, head, exchange.clientAddress(), route, test.losersMax());
        result.losers(near.losers()).furtherLosers(near.further());
        if (route != null) {
            result.routerId(route.router().id())
                    .routeId(route.id())
                    .proxyPassId(route.pass().source().id());
            if (!route.rule().mergesSlashes()) {
                exchange.keepSlashes();
            }
            exchange.route(route.id());
        }
        ChainTrial.Result filtered =
                ChainTrial.run(route == null ? server.filters() : route.filters(), levels(server, route), exchange);
        result.filters(filtered.filters());
        if (filtered.status() != 0) {
            return end(
                    filtered.refused() ? RouteTestOutcome.REFUSED : RouteTestOutcome.ANSWERED,
                    filtered.status(),
                    "A filter answers it" + (route == null ? ", and no route takes it." : "."));
        }
        if (route == null) {
            NoMatch mismatch = server.table().mismatch(exchange.request(), exchange.clientAddress());
            return refused(
                    mismatch.kind(), "No route takes it: " + mismatch.kind().detail());
        }
        return act(exchange, route, upgrade == null ? "" : upgrade);
    }

    /**
     * Notes what certificate the client is shown.
     *
     * @return false for a connection that, by its certificate, must not be used for that host: HTTP/2 asks for several
     *     on one
     */
    private boolean presents(RuntimeServer server, RequestHead head) {
        TlsMaterial material = new TlsReader(WatchedFiles.once(disk), disk)
                .read(server.source(), snapshot.source().state().certificates());
        if (material == null) {
            return true;
        }
        String asked = test.sni() == null ? head.host() : test.sni().toLowerCase(Locale.ROOT);
        List<CertifiedKey> shown = presented.apply(material, asked);
        result.certificateHosts(shown.isEmpty() ? List.of() : shown.getFirst().hosts());
        return asked.equals(head.host())
                || shown.equals(presented.apply(material, head.host()))
                || server.trusted().trusts(head.remoteAddress());
    }

    private RouteTestResult act(Exchange exchange, RuntimeRoute route, String upgrade) {
        return switch (route.pass()) {
            case RuntimePass.Redirecting redirecting ->
                end(RouteTestOutcome.ANSWERED, redirecting.status(), taken(route) + " and redirects it.");
            case RuntimePass.Answering answering ->
                end(RouteTestOutcome.ANSWERED, answering.status(), taken(route) + " and answers it by itself.");
            case RuntimePass.Serving serving ->
                end(
                        RouteTestOutcome.ANSWERED,
                        null,
                        taken(route) + " and serves the file below "
                                + serving.path().apply(exchange.path()) + ".");
            case RuntimePass.ToUpstream pass -> forwarded(exchange, route, pass, upgrade);
        };
    }

    private RouteTestResult forwarded(
            Exchange exchange, RuntimeRoute route, RuntimePass.ToUpstream pass, String upgrade) {
        if (exchange.request().bodyBytes() > pass.bodyBytesMax()) {
            return refused(ErrorKind.BODY_TOO_LARGE, ErrorKind.BODY_TOO_LARGE.detail());
        }
        route.forwarded().apply(exchange, pass.path().stripped(exchange.path()));
        Via.add(exchange.request());
        pass.request().apply(exchange.request().fields());
        String path = pass.path().apply(exchange.path());
        List<SentField> fields = new ArrayList<>();
        exchange.request().fields().forEach((name, value) -> fields.add(new SentField(name, value)));
        result.request(RewrittenRequest.builder()
                .method(exchange.request().method())
                .path(path)
                .query(exchange.query())
                .headers(fields)
                .furtherHeaders(0)
                .build());
        result.upstreams(new CandidateNodes(exchange, pass, path, upgrade, running).all());
        return end(RouteTestOutcome.FORWARDED, null, taken(route) + ".");
    }

    private static String taken(RuntimeRoute route) {
        return "Route \"" + route.id() + "\" of router \"" + route.router().id() + "\" takes it (path "
                + route.source().path() + ", priority " + route.source().priority() + ")";
    }

    /** Returns the plugins that the request is subject to, from the most general on. */
    private static List<ChainTrial.Level> levels(RuntimeServer server, @Nullable RuntimeRoute route) {
        List<ChainTrial.Level> levels = new ArrayList<>();
        levels.add(new ChainTrial.Level(
                pointer(ResourceType.PROXY_SERVER, server.source().id()),
                server.source().plugins()));
        if (route != null) {
            levels.add(new ChainTrial.Level(
                    pointer(ResourceType.ROUTER, route.router().id()),
                    route.router().source().plugins()));
            levels.add(new ChainTrial.Level(
                    pointer(ResourceType.ROUTE, route.id()), route.source().plugins()));
            levels.add(new ChainTrial.Level(
                    pointer(ResourceType.PROXY_PASS, route.pass().source().id()),
                    route.pass().source().plugins()));
        }
        return levels;
    }

    private static String pointer(ResourceType<?> type, @Nullable String id) {
        return JsonPointer.of(type.field(), Objects.requireNonNullElse(id, ""));
    }

    private RouteTestResult refused(ErrorKind kind, String detail) {
        return end(
                RouteTestOutcome.REFUSED,
                kind.status(),
                detail.substring(0, 1).toUpperCase(Locale.ROOT) + detail.substring(1));
    }

    private RouteTestResult end(RouteTestOutcome outcome, @Nullable Integer status, String detail) {
        return result.outcome(outcome).status(status).detail(detail).build();
    }
}
