package io.sigma.route;

import io.sigma.model.Route;
import io.sigma.model.RouteCondition;
import io.sigma.value.AddressRange;
import io.sigma.value.NormalPath;
import io.sigma.value.PathPattern;
import java.util.Comparator;
import java.util.List;

/**
 * The place of a route among those of one host, the first to be tried first; documented in {@code docs/matching.md}.
 * Immutable.
 *
 * @param shape orders paths, the most specific first; see {@link PathShape}
 * @param conditions how many there are, those on the client's address counting as one
 * @param exact how many of them ask for one value
 * @param expressions how many of them are expressions
 * @param addressBits how many leading bits the widest of the client addresses fixes
 * @param id decides when nothing else does
 */
public record RoutePlace(
        int priority,
        String shape,
        int conditions,
        int exact,
        int expressions,
        int addressBits,
        boolean anyMethod,
        boolean anyConsumed,
        boolean anyProduced,
        String id)
        implements Comparable<RoutePlace> {

    private static final Comparator<RoutePlace> BUT_FOR_ID = Comparator.comparingInt(RoutePlace::priority)
            .reversed()
            .thenComparing(RoutePlace::shape)
            .thenComparing(Comparator.comparingInt(RoutePlace::conditions)
                    .thenComparingInt(RoutePlace::exact)
                    .thenComparingInt(RoutePlace::expressions)
                    .thenComparingInt(RoutePlace::addressBits)
                    .reversed())
            .thenComparing(RoutePlace::anyMethod)
            .thenComparing(RoutePlace::anyConsumed)
            .thenComparing(RoutePlace::anyProduced);

    private static final Comparator<RoutePlace> ORDER = BUT_FOR_ID.thenComparing(RoutePlace::id);

    /**
     * Returns the place of a resource.
     *
     * @param path as {@link #path} returns it
     */
    public static RoutePlace of(Route route, PathPattern path) {
        int exact = 0;
        int expressions = 0;
        int others = 0;
        for (List<RouteCondition> some : List.of(route.headers(), route.queryParameters(), route.cookies())) {
            for (RouteCondition condition : some) {
                exact += condition.value() != null ? 1 : 0;
                expressions += condition.regex() != null ? 1 : 0;
                others += condition.value() == null && condition.regex() == null ? 1 : 0;
            }
        }
        List<String> addresses = route.clientAddresses();
        return new RoutePlace(
                route.priority(),
                PathShape.of(path),
                exact + expressions + others + (addresses.isEmpty() ? 0 : 1),
                exact,
                expressions,
                addresses.stream()
                        .mapToInt(range -> AddressRange.parse(range).prefixBits())
                        .min()
                        .orElse(0),
                route.methods().isEmpty(),
                route.consumes().isEmpty(),
                route.produces().isEmpty(),
                String.valueOf(route.id()));
    }

    /**
     * Returns the path of a route as its router reads it.
     *
     * @param mergeSlashes whether the router reads {@code //} as a slash, in the pattern as in paths
     * @throws io.sigma.value.InvalidValue when it was not checked before
     */
    public static PathPattern path(Route route, boolean mergeSlashes) {
        String text = route.path();
        boolean merged = mergeSlashes && text.startsWith("/");
        return PathPattern.parse(merged ? NormalPath.of(text) : text, mergeSlashes);
    }

    /** Returns whether nothing but the id decides between the two. */
    public boolean ties(RoutePlace other) {
        return BUT_FOR_ID.compare(this, other) == 0;
    }

    @Override
    public int compareTo(RoutePlace other) {
        return ORDER.compare(this, other);
    }
}
