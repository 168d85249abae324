package io.sigma.controlplane.analysis;

import io.sigma.check.StreamCheck;
import io.sigma.json.JsonPointer;
import io.sigma.model.Certificate;
import io.sigma.model.Finding;
import io.sigma.model.Kind;
import io.sigma.model.Protocol;
import io.sigma.model.ProxyServer;
import io.sigma.model.Referrer;
import io.sigma.model.Route;
import io.sigma.model.Router;
import io.sigma.model.ServerTls;
import io.sigma.snapshot.ResourceType;
import io.sigma.value.HostPattern;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Looks at proxy servers and routers: whether anything hangs on them, and whether they have certificates for their
 * hosts.
 */
final class ServerRules {

    private ServerRules() {}

    static void check(Facts facts, ProxyServer server, Consumer<Finding> found) {
        String id = String.valueOf(server.id());
        List<Router> routers = facts.referring(ResourceType.ROUTER, Kind.PROXY_SERVER, id);
        List<Router> enabled = routers.stream().filter(Router::enabled).toList();
        if (server.enabled() && enabled.isEmpty()) {
            String none = switch (routers.size()) {
                case 0 -> "No router names it";
                case 1 -> "Its only router is disabled";
                default -> "All of its " + routers.size() + " routers are disabled";
            };
            found.accept(Rule.PROXY_SERVER_WITHOUT_ROUTERS.found(
                    Kind.PROXY_SERVER,
                    id,
                    "",
                    none
                            + (StreamCheck.isStream(server)
                                    ? unrouted(server)
                                    : ", so every request on port " + server.port() + " is answered 404.")));
        }
        if (!server.enabled() && !enabled.isEmpty()) {
            found.accept(Rule.PROXY_SERVER_DISABLED.found(
                    Kind.PROXY_SERVER,
                    id,
                    JsonPointer.of("enabled"),
                    enabled.size() == 1
                            ? "It is disabled, so its enabled router takes no requests."
                            : "It is disabled, so its " + enabled.size() + " enabled routers take no requests.",
                    referrers(
                            Kind.ROUTER,
                            enabled.stream()
                                    .map(router -> String.valueOf(router.id()))
                                    .toList())));
        }
    }

    private static String unrouted(ProxyServer server) {
        return StreamCheck.isDatagrams(server)
                ? ", so every datagram to port " + server.port() + " is dropped."
                : ", so every connection to port " + server.port() + " is closed.";
    }

    static void check(Facts facts, Router router, Consumer<Finding> found) {
        String id = String.valueOf(router.id());
        Collection<Referrer> routes = facts.references().to(Kind.ROUTER, id);
        // A router of TCP, TLS or UDP names its proxy pass itself. One enabled route of thousands is enough.
        if (router.enabled()
                && router.proxyPassId() == null
                && routes.stream().noneMatch(route -> isEnabled(facts, route))) {
            String none = routes.isEmpty()
                    ? "No route names it"
                    : routes.size() == 1
                            ? "Its only route is disabled"
                            : "All of its " + routes.size() + " routes are disabled";
            found.accept(Rule.ROUTER_WITHOUT_ROUTES.found(Kind.ROUTER, id, "", none + ", so it takes no requests."));
        }
        long enabled = router.enabled()
                ? 0
                : routes.stream().filter(route -> isEnabled(facts, route)).count();
        if (enabled > 0) {
            found.accept(Rule.ROUTER_DISABLED.found(
                    Kind.ROUTER,
                    id,
                    JsonPointer.of("enabled"),
                    enabled == 1
                            ? "It is disabled, so its enabled route takes no requests."
                            : "It is disabled, so its " + enabled + " enabled routes take no requests."));
        }
        ProxyServer server = facts.server(router);
        if (server != null && server.protocol() == Protocol.HTTPS && router.enabled()) {
            hosts(facts, server, router, found);
        }
    }

    private static boolean isEnabled(Facts facts, Referrer referrer) {
        Route route = facts.state().routes().get(referrer.id());
        return route != null && route.enabled();
    }

    private static void hosts(Facts facts, ProxyServer server, Router router, Consumer<Finding> found) {
        ServerTls tls = server.tls();
        if (tls == null || tls.certPath() != null) {
            // Only the gateway can read the file, and so the names of its certificate.
            return;
        }
        Map<String, Certificate> presented = presented(facts, tls);
        List<CertificateFacts.Read> read = new ArrayList<>();
        presented.values().forEach(certificate -> {
            CertificateFacts.Read one = facts.certificates().of(certificate);
            if (one != null) {
                read.add(one);
            }
        });
        for (int i = 0; i < router.hosts().size(); i++) {
            HostPattern host = HostPattern.parse(router.hosts().get(i));
            if (read.stream().noneMatch(one -> one.isFor(host))) {
                found.accept(Rule.CERTIFICATE_NOT_FOR_HOST.found(
                        Kind.ROUTER,
                        String.valueOf(router.id()),
                        JsonPointer.of("hosts", i),
                        (presented.size() == 1
                                        ? "The only certificate"
                                        : "None of the " + presented.size() + " certificates")
                                + " of proxy server \"" + server.id()
                                + (presented.size() == 1 ? "\" is not for \"" : "\" is for \"")
                                + host + "\"" + names(read) + ": clients will refuse it.",
                        new Referrer(Kind.PROXY_SERVER, String.valueOf(server.id()))));
            }
        }
    }

    private static String names(List<CertificateFacts.Read> read) {
        List<String> names = read.stream()
                .flatMap(one -> one.hosts().stream())
                .distinct()
                .limit(10)
                .toList();
        return names.isEmpty() ? "" : " (for " + String.join(", ", names) + ")";
    }

    /** Returns the certificates that a proxy server may present. */
    static Map<String, Certificate> presented(Facts facts, @Nullable ServerTls tls) {
        Map<String, Certificate> presented = new TreeMap<>();
        if (tls == null || (tls.certificates().isEmpty() && tls.certPath() != null)) {
            return presented;
        }
        Map<String, Certificate> all = facts.state().certificates();
        if (tls.certificates().isEmpty()) {
            presented.putAll(all);
            return presented;
        }
        for (String id : tls.certificates()) {
            Certificate certificate = all.get(id);
            if (certificate != null) {
                presented.put(id, certificate);
            }
        }
        return presented;
    }

    static Referrer[] referrers(Kind kind, List<String> ids) {
        return ids.stream().limit(16).map(id -> new Referrer(kind, id)).toArray(Referrer[]::new);
    }
}
