package io.sigma.dataplane.match;

import io.sigma.dataplane.exchange.RequestHead;
import io.sigma.model.Route;
import io.sigma.value.MediaRange;
import io.sigma.value.PathPattern;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * When a route applies, parsed from its resource.
 *
 * @param methods none means all
 * @param consumes none means any
 * @param produces none means any
 * @param shape orders paths, the most specific first; see {@link PathShape}
 */
public record RouteRule(
        String id,
        int priority,
        PathPattern path,
        Set<String> methods,
        List<MediaRange> consumes,
        List<MediaRange> produces,
        String shape) {

    /** The order in which rules of one host are tried; documented in {@code docs/matching.md}. */
    public static final Comparator<RouteRule> ORDER = Comparator.comparingInt(RouteRule::priority)
            .reversed()
            .thenComparing(RouteRule::shape)
            .thenComparing(rule -> rule.methods.isEmpty())
            .thenComparing(rule -> rule.consumes.isEmpty())
            .thenComparing(rule -> rule.produces.isEmpty())
            .thenComparing(RouteRule::id);

    public RouteRule {
        methods = Set.copyOf(methods);
        consumes = List.copyOf(consumes);
        produces = List.copyOf(produces);
    }

    /**
     * Returns the rule of a resource.
     *
     * @throws io.sigma.value.InvalidValue when it was not checked before
     */
    public static RouteRule of(Route route) {
        PathPattern path = PathPattern.parse(route.path());
        return new RouteRule(
                String.valueOf(route.id()),
                route.priority(),
                path,
                Set.copyOf(route.methods()),
                route.consumes().stream().map(MediaRange::parse).toList(),
                route.produces().stream().map(MediaRange::parse).toList(),
                PathShape.of(path));
    }

    boolean allows(String method) {
        return methods.isEmpty() || methods.contains(method);
    }

    boolean takes(RequestHead head) {
        return consumes.isEmpty() || MediaTypes.consumes(consumes, head);
    }

    boolean gives(RequestHead head) {
        return produces.isEmpty() || MediaTypes.accepted(produces, head);
    }
}
