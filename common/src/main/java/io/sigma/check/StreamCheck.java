package io.sigma.check;

import io.sigma.json.JsonPointer;
import io.sigma.model.FieldError;
import io.sigma.model.Kind;
import io.sigma.model.Protocol;
import io.sigma.model.ProxyPass;
import io.sigma.model.ProxyServer;
import io.sigma.model.Route;
import io.sigma.model.Router;
import io.sigma.model.StreamMatch;
import io.sigma.snapshot.ConfigState;
import io.sigma.value.Mismatch;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * /**
 * Checks that proxy servers, routers, routes and proxy passes agree on what is spoken: HTTP, bytes that are passed as
 * they are (protocols TCP, TLS and UDP, and what a proxy server of HTTPS passes through), or requests in frames (BOLT,
 * DUBBO and THRIFT). Pure.
 */
public final class StreamCheck {

    private static final Mismatch ONLY_HTTP =
            Mismatch.present("only on a proxy server with protocol HTTP or HTTPS, without proxyPassId");
    private static final Mismatch ONLY_STREAM =
            Mismatch.present("only on a proxy server with a protocol other than HTTP");

    /** Something that is wrong with a resource; the pointer of the error is relative to it. */
    public record Clash(Kind kind, String id, FieldError error) {}

    private StreamCheck() {}

    /** Returns whether a proxy server speaks no HTTP. */
    public static boolean isStream(ProxyServer server) {
        return server.protocol() == Protocol.TCP
                || server.protocol() == Protocol.TLS
                || isDatagrams(server)
                || isRpc(server);
    }

    /** Returns whether a proxy server passes datagrams. */
    public static boolean isDatagrams(ProxyServer server) {
        return server.protocol() == Protocol.UDP;
    }

    /** Returns whether a proxy server takes requests in frames. */
    public static boolean isRpc(ProxyServer server) {
        return server.protocol() == Protocol.BOLT
                || server.protocol() == Protocol.DUBBO
                || server.protocol() == Protocol.THRIFT;
    }

    /**
     * Returns whether what {@code router} takes goes to its proxy pass, so that it has no routes. A proxy server of
     * HTTPS does not decrypt these connections.
     */
    public static boolean passes(Router router, ProxyServer server) {
        return isStream(server) || (server.protocol() == Protocol.HTTPS && router.proxyPassId() != null);
    }

    /** Returns everything that is wrong in {@code state}, in order of kind and id. */
    public static List<Clash> check(ConfigState state) {
        List<Clash> clashes = new ArrayList<>();
        Map<String, List<Router>> matching = new TreeMap<>();
        new TreeMap<>(state.routers()).forEach((id, router) -> {
            ProxyServer server = state.proxyServers().get(router.proxyServerId());
            if (server == null) {
                return;
            }
            ProxyPass pass =
                    router.proxyPassId() == null ? null : state.proxyPasses().get(router.proxyPassId());
            router(router, server, pass).forEach(error -> clashes.add(new Clash(Kind.ROUTER, id, error)));
            if (passes(router, server)) {
                matching.computeIfAbsent(router.proxyServerId(), any -> new ArrayList<>())
                        .add(router);
            }
        });
        matching.values()
                .forEach(some -> overlaps(some, Set.of())
                        .forEach((id, error) -> clashes.add(new Clash(Kind.ROUTER, id, error))));
        if (!matching.isEmpty()) {
            new TreeMap<>(state.routes()).forEach((id, route) -> {
                Router router = state.routers().get(route.routerId());
                ProxyServer server =
                        router == null ? null : state.proxyServers().get(router.proxyServerId());
                if (router != null && server != null && passes(router, server)) {
                    clashes.add(new Clash(Kind.ROUTE, id, routed(route)));
                }
            });
        }
        return clashes;
    }

    /** Returns whether {@code route} belongs to a router that cannot have routes. Missing resources are no fault. */
    public static boolean isMisplaced(Route route, ConfigState state) {
        Router router = state.routers().get(route.routerId());
        ProxyServer server = router == null ? null : state.proxyServers().get(router.proxyServerId());
        return router != null && server != null && passes(router, server);
    }

    /**
     * Returns what is wrong with {@code router} on {@code server}; pointers are relative to the router.
     *
     * @param pass the one that the router names; null when it names none, or none that exists
     */
    public static List<FieldError> router(Router router, ProxyServer server, @Nullable ProxyPass pass) {
        Findings findings = new Findings();
        if (!passes(router, server)) {
            boolean https = server.protocol() == Protocol.HTTPS;
            findings.require(
                    router.match() == null,
                    https
                            ? Mismatch.present("only together with proxyPassId, on a proxy server with protocol HTTPS")
                            : ONLY_STREAM,
                    "match");
            findings.require(router.proxyPassId() == null, ONLY_STREAM, "proxyPassId");
            return findings.errors();
        }
        findings.require(router.hosts().isEmpty(), ONLY_HTTP, "hosts");
        Router standard = Router.builder().build();
        findings.require(router.mergeSlashes().equals(standard.mergeSlashes()), ONLY_HTTP, "mergeSlashes");
        findings.require(router.forwardedHeaders() == standard.forwardedHeaders(), ONLY_HTTP, "forwardedHeaders");
        findings.require(router.plugins() == null, ONLY_HTTP, "plugins");
        findings.require(
                router.proxyPassId() != null,
                Mismatch.absent("the proxy pass of all connections, required with protocol " + server.protocol()),
                "proxyPassId");
        StreamMatch match = router.match();
        if (isRpc(server)) {
            RpcMatchCheck.fits(findings, match, server.protocol());
            passes(findings, router, server, pass);
            return findings.errors();
        }
        findings.require(
                match == null || match.rpc() == null,
                Mismatch.present("only with protocol BOLT, DUBBO or THRIFT"),
                "match",
                "rpc");
        findings.require(
                isStream(server) || (match != null && !match.sni().isEmpty()),
                Mismatch.absent(
                        "the server names that the gateway does not decrypt, because the proxy server has protocol HTTPS"),
                "match",
                "sni");
        boolean hello = server.protocol() == Protocol.TLS || server.protocol() == Protocol.HTTPS;
        boolean named = hello || server.tls() != null;
        findings.require(
                match == null || match.sni().isEmpty() || named,
                Mismatch.present("only with protocol TLS or HTTPS, or TCP with tls"),
                "match",
                "sni");
        findings.require(
                match == null || match.alpn().isEmpty() || hello,
                Mismatch.present("only with protocol TLS or HTTPS"),
                "match",
                "alpn");
        passes(findings, router, server, pass);
        return findings.errors();
    }

    private static void passes(Findings findings, Router router, ProxyServer server, @Nullable ProxyPass pass) {
        List<FieldError> unfit = pass == null ? List.of() : pass(pass, server);
        if (!unfit.isEmpty()) {
            String field = unfit.getFirst().pointer().substring(1).replace('/', '.');
            String expected = "a proxy pass that forwards, without settings for HTTP such as " + field;
            findings.add(Faults.invalid("/proxyPassId", "\"" + router.proxyPassId() + "\"", expected));
        }
    }

    /**
     * Returns what {@code pass} has that is of no use on {@code server}, which speaks no HTTP; pointers are relative to
     * the pass.
     */
    public static List<FieldError> pass(ProxyPass pass, ProxyServer server) {
        Findings findings = new Findings();
        ProxyPass standard = ProxyPass.builder().build();
        require(findings, pass.redirect(), null, "redirect");
        require(findings, pass.fixedResponse(), null, "fixedResponse");
        require(findings, pass.staticFiles(), null, "staticFiles");
        require(findings, pass.mirror(), null, "mirror");
        require(findings, pass.buffering(), standard.buffering(), "buffering");
        require(findings, pass.stripPrefix(), null, "stripPrefix");
        require(findings, pass.addPrefix(), null, "addPrefix");
        require(findings, pass.host(), null, "host");
        require(findings, pass.requestBodyBytesMax(), null, "requestBodyBytesMax");
        require(findings, pass.requestHeaders(), null, "requestHeaders");
        require(findings, pass.responseHeaders(), null, "responseHeaders");
        require(findings, pass.httpsDegradeHttp(), standard.httpsDegradeHttp(), "httpsDegradeHttp");
        require(findings, pass.preserveHost(), standard.preserveHost(), "preserveHost");
        require(findings, pass.plugins(), null, "plugins");
        if (pass.split() != null) {
            require(findings, pass.split().sticky(), null, "split", "sticky");
        }
        var timeouts = standard.timeouts();
        if (!isRpc(server)) {
            require(
                    findings,
                    pass.timeouts().responseMillis(),
                    timeouts.responseMillis(),
                    "timeouts",
                    "responseMillis");
        }
        require(findings, pass.timeouts().idleMillis(), timeouts.idleMillis(), "timeouts", "idleMillis");
        var retry = standard.retry();
        require(findings, pass.retry().conditions(), retry.conditions(), "retry", "conditions");
        require(findings, pass.retry().statuses(), retry.statuses(), "retry", "statuses");
        require(findings, pass.retry().methods(), retry.methods(), "retry", "methods");
        require(findings, pass.retry().perTryMillis(), null, "retry", "perTryMillis");
        require(findings, pass.retry().backoffMillis(), retry.backoffMillis(), "retry", "backoffMillis");
        require(findings, pass.retry().backoffMaxMillis(), retry.backoffMaxMillis(), "retry", "backoffMaxMillis");
        return findings.errors();
    }

    private static void require(
            Findings findings, @Nullable Object value, @Nullable Object standard, Object... pointer) {
        findings.require(
                Objects.equals(value, standard),
                Mismatch.present("no such setting, because the router of this proxy pass takes no HTTP requests"),
                pointer);
    }

    /** Returns the error of a route whose router has no routes; the pointer is relative to the route. */
    public static FieldError routed(Route route) {
        return Faults.invalid(
                "/routerId",
                "\"" + route.routerId() + "\"",
                "a router of a proxy server with protocol HTTP or HTTPS, without proxyPassId: others have no routes");
    }

    /** Returns the error of {@code router}, which cannot pass bytes of {@code server} while it has routes. */
    public static FieldError routed(Router router, ProxyServer server, String routeId) {
        if (!isStream(server)) {
            return Faults.conflict(
                    "/proxyPassId",
                    "\"" + router.proxyPassId() + "\"",
                    "none, because route \"" + routeId + "\" belongs to the router",
                    Kind.ROUTE,
                    routeId);
        }
        return Faults.conflict(
                "/proxyServerId",
                "\"" + router.proxyServerId() + "\"",
                "a proxy server with protocol HTTP or HTTPS, because route \"" + routeId + "\" belongs to the router",
                Kind.ROUTE,
                routeId);
    }

    /**
     * Returns the error of a proxy server that {@code router} does not fit any more; the pointer is relative to the
     * proxy server.
     */
    public static FieldError unfit(ProxyServer server, Router router, FieldError error) {
        boolean tls = error.pointer().startsWith("/match/") && !error.pointer().startsWith("/match/rpc");
        return Faults.conflict(
                tls && server.protocol() == Protocol.TCP ? "/tls" : "/protocol",
                String.valueOf(server.protocol()),
                "what router \"" + router.id() + "\" fits, whose " + error.pointer() + " does not",
                Kind.ROUTER,
                router.id());
    }

    /**
     * Returns, by id, the enabled routers of one proxy server that pass bytes and have a combination of conditions that
     * another one has before them. Pointers are relative to the router.
     *
     * @param written ids of those that come after the others; the rest is in the order of ids
     */
    public static Map<String, FieldError> overlaps(Collection<Router> routers, Set<String> written) {
        Map<String, FieldError> clashes = new HashMap<>();
        Map<StreamConditions, String> taken = new HashMap<>();
        routers.stream()
                .filter(router -> router.enabled() && router.proxyPassId() != null)
                .sorted(Comparator.comparing((Router router) -> written.contains(router.id()))
                        .thenComparing(Router::id))
                .forEach(router -> {
                    for (StreamConditions each : StreamConditions.of(router.match())) {
                        String earlier = taken.putIfAbsent(each, router.id());
                        if (earlier != null && !earlier.equals(router.id())) {
                            clashes.putIfAbsent(router.id(), overlap(each, earlier));
                        }
                    }
                });
        return clashes;
    }

    private static FieldError overlap(StreamConditions conditions, String earlier) {
        return Faults.conflict(
                JsonPointer.of("match"),
                conditions.toString(),
                "conditions that router \"" + earlier + "\" does not have",
                Kind.ROUTER,
                earlier);
    }
}
