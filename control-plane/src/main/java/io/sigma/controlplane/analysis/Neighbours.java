package io.sigma.controlplane.analysis;

import io.sigma.check.ResourcePlugins;
import io.sigma.model.Kind;
import io.sigma.model.ProxyServer;
import io.sigma.model.Referrer;
import io.sigma.model.Route;
import io.sigma.snapshot.ResourceType;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** About whom something else may be true when a resource changes; routes that take each other's requests aside. */
final class Neighbours {

    private Neighbours() {}

    static void of(Facts facts, StateChange change, Set<Referrer> again) {
        again.add(new Referrer(change.type().kind(), change.id()));
        again.addAll(References.targets(change.type(), change.before()));
        again.addAll(References.targets(change.type(), change.after()));
        boolean plugins = !Objects.equals(ResourcePlugins.of(change.before()), ResourcePlugins.of(change.after()));
        switch (change.type().kind()) {
            case CERTIFICATE -> certificate(facts, change, again);
            case PROXY_SERVER -> server(facts, change, again);
            case ROUTER -> routes(facts, Kind.ROUTER, change.id(), again);
            case PROXY_PASS -> routes(facts, Kind.PROXY_PASS, change.id(), again);
            case UPSTREAM -> again.addAll(facts.references().to(Kind.UPSTREAM, change.id()));
            case CONSUMER -> again.addAll(facts.plugins().acl());
            case ROUTE -> {}
        }
        if (plugins) {
            // A plugin that needs the consumer depends on every level that may authenticate it.
            again.addAll(facts.plugins().acl());
        }
    }

    private static void certificate(Facts facts, StateChange change, Set<Referrer> again) {
        for (ProxyServer server : facts.state().proxyServers().values()) {
            String id = String.valueOf(server.id());
            if (CertificateRules.presentsAll(server)
                    || facts.references()
                            .to(Kind.CERTIFICATE, change.id())
                            .contains(new Referrer(Kind.PROXY_SERVER, id))) {
                again.addAll(facts.references().to(Kind.PROXY_SERVER, id));
            }
        }
    }

    private static void server(Facts facts, StateChange change, Set<Referrer> again) {
        if (presentsAll(change.before()) != presentsAll(change.after())) {
            facts.state().certificates().keySet().forEach(id -> again.add(new Referrer(Kind.CERTIFICATE, id)));
        }
        if (!Objects.equals(listening(change.before()), listening(change.after()))) {
            facts.state().upstreams().keySet().forEach(id -> again.add(new Referrer(Kind.UPSTREAM, id)));
        }
        for (Referrer router : facts.references().to(Kind.PROXY_SERVER, change.id())) {
            again.add(router);
            routes(facts, Kind.ROUTER, router.id(), again);
        }
    }

    /** Returns where a proxy server listens; null when it does not. */
    private static @Nullable String listening(@Nullable Object server) {
        return server instanceof ProxyServer some && some.enabled() ? some.host() + " " + some.port() : null;
    }

    private static boolean presentsAll(@Nullable Object server) {
        return server instanceof ProxyServer some && CertificateRules.presentsAll(some);
    }

    /** Those routes below, and the proxy passes of theirs, that have plugins; the others do not mind. */
    private static void routes(Facts facts, Kind kind, String id, Set<Referrer> again) {
        Map<String, Route> all = facts.state().routes();
        for (Referrer referrer : facts.references().to(kind, id)) {
            Route route = all.get(referrer.id());
            if (route == null) {
                continue;
            }
            if (route.plugins() != null) {
                again.add(referrer);
            }
            var pass = facts.state().of(ResourceType.PROXY_PASS).get(route.proxyPassId());
            if (pass != null && pass.plugins() != null) {
                again.add(new Referrer(Kind.PROXY_PASS, route.proxyPassId()));
            }
        }
    }
}
