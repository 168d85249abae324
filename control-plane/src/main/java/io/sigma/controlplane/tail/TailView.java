package io.sigma.controlplane.tail;

import io.sigma.controlplane.access.Principal;
import io.sigma.controlplane.access.Scope;
import io.sigma.model.Kind;
import io.sigma.model.LastRequest;
import io.sigma.model.LastRequests;
import io.sigma.model.Role;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The part of the last requests that an author may see. A viewer sees no client address. A token with labels sees only
 * requests of routes that carry them now and carried them when the request came.
 *
 * @param tenures since when each route carries its labels
 */
public record TailView(boolean addresses, Scope scope, Tenures tenures) {

    /** Returns the view of {@code who}. */
    public static TailView of(Principal who, Tenures tenures) {
        return new TailView(who.role().compareTo(Role.EDITOR) >= 0, who.scope(), tenures);
    }

    /** Returns what of {@code all} may be seen. May wait for the database. */
    public LastRequests of(LastRequests all) {
        boolean whole = scope.labels().isEmpty();
        if (whole && addresses) {
            return all;
        }
        Map<String, Tenures.Since> own = whole ? Map.of() : own(all);
        List<LastRequest> items = all.items().stream()
                .filter(item -> whole || mayRead(item, own))
                .map(item ->
                        addresses ? item : item.toBuilder().clientAddress(null).build())
                .toList();
        // Such a token must not learn the number of other requests.
        return new LastRequests(items, whole ? all.matched() : (long) items.size(), all.missing());
    }

    private Map<String, Tenures.Since> own(LastRequests all) {
        Set<String> ids = new HashSet<>();
        for (LastRequest item : all.items()) {
            String id = item.routeId();
            if (id != null) {
                ids.add(id);
            }
        }
        return tenures.some(scope, Kind.ROUTE, ids);
    }

    private static boolean mayRead(LastRequest item, Map<String, Tenures.Since> own) {
        Tenures.Since since = item.routeId() == null ? null : own.get(item.routeId());
        return since != null && item.revision() >= since.revision();
    }
}
