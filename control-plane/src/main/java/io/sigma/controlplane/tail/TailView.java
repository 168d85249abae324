package io.sigma.controlplane.tail;

import io.sigma.controlplane.access.Principal;
import io.sigma.controlplane.access.Scope;
import io.sigma.model.LastRequest;
import io.sigma.model.LastRequests;
import io.sigma.model.Role;
import io.sigma.model.Route;
import io.sigma.snapshot.ConfigState;
import java.util.List;
import java.util.function.Supplier;

/**
 * What somebody may see of requests: a viewer no address of a client, and a token with labels only requests of routes
 * that carry them.
 *
 * @param state has the routes
 */
public record TailView(boolean addresses, Scope scope, Supplier<ConfigState> state) {

    /** Returns the view of {@code who}. */
    public static TailView of(Principal who, Supplier<ConfigState> state) {
        return new TailView(who.role().compareTo(Role.EDITOR) >= 0, who.scope(), state);
    }

    /** Returns what of {@code all} may be seen. */
    public LastRequests of(LastRequests all) {
        boolean whole = scope.labels().isEmpty();
        if (whole && addresses) {
            return all;
        }
        ConfigState now = state.get();
        List<LastRequest> items = all.items().stream()
                .filter(item -> whole || mayRead(item, now))
                .map(item ->
                        addresses ? item : item.toBuilder().clientAddress(null).build())
                .toList();
        // How many requests others had is no business of such a token.
        return new LastRequests(items, whole ? all.matched() : (long) items.size(), all.missing());
    }

    private boolean mayRead(LastRequest item, ConfigState now) {
        Route route = item.routeId() == null ? null : now.routes().get(item.routeId());
        return route != null && scope.carries(route);
    }
}
