package io.sigma.dataplane.match;

import com.google.re2j.Pattern;
import io.sigma.value.PathPattern;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A route and its place in the order of {@link RouteRule#ORDER}. Immutable.
 *
 * @param rank more than those of the routes before it, with gaps in which others find room
 * @param expression what the whole path must match; null when where the entry stands in the index says enough
 * @param always whether where the entry stands says all there is to say; of such a route nothing more needs to be read
 */
record Entry<R extends Routed>(R route, int rank, @Nullable Pattern expression, boolean always)
        implements Candidates<R> {

    static <R extends Routed> Entry<R> of(R route, int rank) {
        RouteRule rule = route.rule();
        Pattern expression = rule.path() instanceof PathPattern.Regex(Pattern whole) ? whole : null;
        return new Entry<>(route, rank, expression, expression == null && rule.acceptsAll());
    }

    PathForm form() {
        return route.rule().form();
    }

    /** Returns whether it takes the request, which is looked for where the entry stands. */
    boolean takes(Lookup lookup, String path) {
        return always || (route.rule().accepts(lookup) && isOn(lookup, path));
    }

    @Override
    public List<Entry<R>> entries() {
        return List.of(this);
    }

    @Override
    public @Nullable Entry<R> best(Lookup lookup, String path, @Nullable Entry<R> found) {
        boolean before = found == null || rank < found.rank;
        return before && takes(lookup, path) ? this : found;
    }

    @Override
    public void forEachFitting(Lookup lookup, String path, Consumer<R> action) {
        if (route.rule().conditions().hold(lookup) && isOn(lookup, path)) {
            action.accept(route);
        }
    }

    private boolean isOn(Lookup lookup, String path) {
        return expression == null || lookup.budget().matches(expression, path);
    }
}
