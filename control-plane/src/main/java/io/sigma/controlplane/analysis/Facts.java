package io.sigma.controlplane.analysis;

import io.sigma.model.Kind;
import io.sigma.model.ProxyServer;
import io.sigma.model.Referrer;
import io.sigma.model.Route;
import io.sigma.model.Router;
import io.sigma.snapshot.ConfigState;
import io.sigma.snapshot.ResourceType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The input of the rules. Valid during one analysis. */
record Facts(ConfigState state, References references, PluginUse plugins, CertificateFacts certificates, Instant now) {

    /** Returns the resources of a type that refer to another one, ordered by id. */
    <T> List<T> referring(ResourceType<T> type, Kind kind, String id) {
        List<String> ids = new ArrayList<>();
        for (Referrer referrer : references.to(kind, id)) {
            if (referrer.kind() == type.kind()) {
                ids.add(referrer.id());
            }
        }
        ids.sort(String::compareTo);
        List<T> found = new ArrayList<>();
        for (String one : ids) {
            T value = state.of(type).get(one);
            if (value != null) {
                found.add(value);
            }
        }
        return found;
    }

    /** Returns the router of a route; null while it is gone. */
    @Nullable
    Router router(Route route) {
        return state.routers().get(route.routerId());
    }

    @Nullable
    ProxyServer server(Router router) {
        return state.proxyServers().get(router.proxyServerId());
    }
}
