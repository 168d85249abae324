package io.sigma.dataplane.match;

import com.google.re2j.Pattern;
import io.sigma.value.PathPattern;
import org.jspecify.annotations.Nullable;

/**
 * A route and its place in the order of {@link RouteRule#ORDER}. Immutable.
 *
 * @param expression what the whole path must match; null when where the entry stands in the index says enough
 */
record Entry<R extends Routed>(R route, int rank, @Nullable Pattern expression) {

    static <R extends Routed> Entry<R> of(R route, int rank) {
        PathPattern path = route.rule().path();
        return new Entry<>(route, rank, path instanceof PathPattern.Regex(Pattern expression) ? expression : null);
    }

    /** Returns whether it takes the request, which is looked for where the entry stands. */
    boolean takes(Lookup lookup, String path) {
        return route.rule().accepts(lookup) && isOn(path);
    }

    boolean isOn(String path) {
        return expression == null || expression.matches(path);
    }
}
