package io.sigma.controlplane.api.operation;

import io.sigma.controlplane.access.Principal;
import io.sigma.controlplane.access.Scope;
import io.sigma.model.GatewayConnection;
import io.sigma.model.GatewayConnectionList;
import io.sigma.model.Role;
import io.sigma.snapshot.ConfigState;
import java.util.List;
import java.util.function.Supplier;

/**
 * What somebody may see of open connections, as of {@link io.sigma.controlplane.tail.TailView requests}: a viewer no
 * address of a client, and a token with labels only connections of routes, or routers of bytes, that carry them.
 *
 * @param state has the routes and routers
 */
record ConnectionView(boolean addresses, Scope scope, Supplier<ConfigState> state) {

    /** Returns the view of {@code who}. */
    static ConnectionView of(Principal who, Supplier<ConfigState> state) {
        return new ConnectionView(who.role().compareTo(Role.EDITOR) >= 0, who.scope(), state);
    }

    /**
     * Returns what of {@code all} may be seen.
     *
     * @param limit a gateway may be in the hands of somebody else, and say more than it was asked for
     */
    GatewayConnectionList of(GatewayConnectionList all, int limit) {
        boolean whole = scope.labels().isEmpty();
        ConfigState now = state.get();
        List<GatewayConnection> items = all.items().stream()
                .limit(limit)
                .filter(item -> whole || mayRead(item, now))
                .map(item -> addresses
                        ? item
                        : item.toBuilder().clientAddress(null).clientPort(null).build())
                .toList();
        // How many connections others have is no business of such a token.
        return new GatewayConnectionList(items, whole ? all.matching() : (long) items.size());
    }

    private boolean mayRead(GatewayConnection item, ConfigState now) {
        Object owner = item.routeId() != null
                ? now.routes().get(item.routeId())
                : item.routerId() == null ? null : now.routers().get(item.routerId());
        return owner != null && scope.carries(owner);
    }
}
