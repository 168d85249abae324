package io.sigma.dataplane.match;

import io.sigma.model.Route;
import io.sigma.route.RoutePlace;
import io.sigma.value.MediaRange;
import io.sigma.value.PathParameters;
import io.sigma.value.PathPattern;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** When a route applies, parsed from its resource. Immutable. */
public final class RouteRule {

    /** The order in which rules of one host are tried; documented in {@code docs/matching.md}. */
    public static final Comparator<RouteRule> ORDER = Comparator.comparing(rule -> rule.place);

    private final String id;
    private final int priority;
    private final PathPattern path;
    private final boolean mergesSlashes;
    private final PathForm form;

    private final RoutePlace place;

    private final Conditions conditions;

    /** None means all. */
    private final Set<String> methods;

    /** None means any. */
    private final List<MediaRange> consumes;

    /** None means any. */
    private final List<MediaRange> produces;

    private RouteRule(Route route, PathPattern path, boolean mergesSlashes) {
        this.id = String.valueOf(route.id());
        this.priority = route.priority();
        this.path = path;
        this.mergesSlashes = mergesSlashes;
        this.form = PathForm.of(mergesSlashes, PathParameters.has(route.path()));
        this.place = RoutePlace.of(route, path);
        this.conditions = Conditions.of(route);
        this.methods = Set.copyOf(route.methods());
        this.consumes = route.consumes().stream().map(MediaRange::parse).toList();
        this.produces = route.produces().stream().map(MediaRange::parse).toList();
    }

    /**
     * Returns the rule of a resource.
     *
     * @param mergeSlashes whether its router reads {@code //} as a slash, in the pattern as in paths
     * @throws io.sigma.value.InvalidValue when it was not checked before
     */
    public static RouteRule of(Route route, boolean mergeSlashes) {
        return new RouteRule(route, RoutePlace.path(route, mergeSlashes), mergeSlashes);
    }

    public String id() {
        return id;
    }

    int priority() {
        return priority;
    }

    PathPattern path() {
        return path;
    }

    /** Returns whether the path is compared without empty segments. */
    public boolean mergesSlashes() {
        return mergesSlashes;
    }

    PathForm form() {
        return form;
    }

    Conditions conditions() {
        return conditions;
    }

    Set<String> methods() {
        return methods;
    }

    List<MediaRange> consumes() {
        return consumes;
    }

    List<MediaRange> produces() {
        return produces;
    }

    /** Returns whether everything except host and path fits. */
    boolean accepts(Lookup lookup) {
        return allows(lookup.method()) && conditions.hold(lookup) && takes(lookup) && gives(lookup);
    }

    /** Returns whether the rule has no conditions except host and path. */
    boolean acceptsAll() {
        return methods.isEmpty() && conditions.isEmpty() && consumes.isEmpty() && produces.isEmpty();
    }

    boolean allows(String method) {
        return methods.isEmpty() || methods.contains(method);
    }

    boolean takes(Lookup lookup) {
        return consumes.isEmpty() || MediaTypes.consumes(consumes, lookup.head());
    }

    boolean gives(Lookup lookup) {
        return produces.isEmpty() || MediaTypes.accepted(produces, lookup.head());
    }
}
