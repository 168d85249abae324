package io.sigma.dataplane.match;

import io.sigma.model.Route;
import io.sigma.model.RouteCondition;
import io.sigma.value.AddressRange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The conditions of a route on header fields, query parameters, cookies and the client's address; all must hold.
 * Immutable.
 *
 * @param all exact ones first, because they are the cheapest to refute
 * @param addresses the client must be in one of them; none means any
 */
record Conditions(List<Condition> all, List<AddressRange> addresses) {

    Conditions {
        all = all.stream()
                .sorted(Comparator.comparingInt(condition -> condition.exact() != null ? 0 : 1))
                .toList();
        addresses = List.copyOf(addresses);
    }

    static Conditions of(Route route) {
        List<Condition> all = new ArrayList<>();
        add(all, Subject.Source.HEADER, route.headers());
        add(all, Subject.Source.QUERY_PARAMETER, route.queryParameters());
        add(all, Subject.Source.COOKIE, route.cookies());
        return new Conditions(
                all, route.clientAddresses().stream().map(AddressRange::parse).toList());
    }

    private static void add(List<Condition> all, Subject.Source source, List<RouteCondition> conditions) {
        conditions.forEach(condition -> all.add(Condition.of(source, condition)));
    }

    boolean isEmpty() {
        return all.isEmpty() && addresses.isEmpty();
    }

    boolean hold(Lookup lookup) {
        for (int i = 0; i < all.size(); i++) {
            Condition condition = all.get(i);
            if (!condition.holds(lookup.value(condition.subject()), lookup.budget())) {
                return false;
            }
        }
        return holdsAddress(lookup);
    }

    boolean holdsAddress(Lookup lookup) {
        for (int i = 0; i < addresses.size(); i++) {
            if (addresses.get(i).contains(lookup.client())) {
                return true;
            }
        }
        return addresses.isEmpty();
    }
}
