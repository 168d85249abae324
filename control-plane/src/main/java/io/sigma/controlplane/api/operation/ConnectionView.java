package io.sigma.controlplane.api.operation;

import io.sigma.controlplane.access.Principal;
import io.sigma.controlplane.access.Scope;
import io.sigma.controlplane.tail.Tenures;
import io.sigma.model.GatewayConnection;
import io.sigma.model.GatewayConnectionList;
import io.sigma.model.Kind;
import io.sigma.model.Role;
import java.util.List;

/**
 * The part of the open connections that an author may see, as of {@link io.sigma.controlplane.tail.TailView requests}.
 * A viewer sees no client address. A token with labels sees only connections of routes, or of routers without HTTP,
 * that carry them now and carried them when the connection began.
 *
 * @param tenures of the routes and routers
 */
record ConnectionView(boolean addresses, Scope scope, Tenures tenures) {

    /** Returns the view of {@code who}. */
    static ConnectionView of(Principal who, Tenures tenures) {
        return new ConnectionView(who.role().compareTo(Role.EDITOR) >= 0, who.scope(), tenures);
    }

    /**
     * Returns what of {@code all} may be seen.
     *
     * @param limit a gateway may be in the hands of somebody else, and say more than it was asked for
     */
    GatewayConnectionList of(GatewayConnectionList all, int limit) {
        boolean whole = scope.labels().isEmpty();
        List<GatewayConnection> items = all.items().stream()
                .limit(limit)
                .filter(item -> whole || mayRead(item))
                .map(item -> addresses
                        ? item
                        : item.toBuilder().clientAddress(null).clientPort(null).build())
                .toList();
        // Such a token must not learn the number of other connections.
        return new GatewayConnectionList(items, whole ? all.matching() : (long) items.size());
    }

    private boolean mayRead(GatewayConnection item) {
        if (item.routeId() != null) {
            return mayRead(item, Kind.ROUTE, item.routeId());
        }
        return item.routerId() != null && mayRead(item, Kind.ROUTER, item.routerId());
    }

    private boolean mayRead(GatewayConnection item, Kind kind, String id) {
        return item.revision() != null
                && item.revision() >= tenures.of(scope, kind, id).revision();
    }
}
