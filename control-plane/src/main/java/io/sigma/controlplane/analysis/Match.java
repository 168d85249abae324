package io.sigma.controlplane.analysis;

import io.sigma.model.Route;
import io.sigma.model.Router;
import io.sigma.route.RoutePlace;
import io.sigma.value.AddressRange;
import io.sigma.value.MediaRange;
import io.sigma.value.PathParameters;
import io.sigma.value.PathPattern;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The requests that a route takes, for comparison with those of another route. Compared by identity. Immutable. */
final class Match implements Comparable<Match> {

    /** Methods that no route takes without naming them. */
    static final List<String> NAMED_ONLY = List.of("CONNECT", "TRACE");

    private final Route route;
    private final boolean mergesSlashes;
    private final RoutePlace place;
    private final PathSet path;
    /** True if it is compared with the parameters of paths; other routes are compared without. */
    private final boolean parameters;
    /** The paths as routes take them that are compared without parameters; null when that is not known. */
    private final @Nullable PathSet bare;

    private final List<Term> terms;
    private final List<AddressRange> addresses;
    private final List<MediaRange> consumes;
    private final List<MediaRange> produces;

    private final List<AskedValue> exactKeys;

    /** The least of the values that it asks for, by which it is looked up. */
    private final AskedValue key;

    Match(Route route, Router router) {
        this.route = route;
        this.mergesSlashes = router.mergeSlashes();
        PathPattern pattern = RoutePlace.path(route, mergesSlashes);
        this.place = RoutePlace.of(route, pattern);
        this.path = PathSet.of(pattern);
        this.parameters = PathParameters.has(route.path());
        this.bare = parameters ? path.withoutParameters(mergesSlashes) : path;
        this.terms = Term.of(route);
        this.addresses =
                route.clientAddresses().stream().map(AddressRange::parse).toList();
        this.consumes = route.consumes().stream().map(MediaRange::parse).toList();
        this.produces = route.produces().stream().map(MediaRange::parse).toList();
        this.exactKeys = terms.stream()
                .filter(term -> term.exact() != null)
                .map(Term::key)
                .toList();
        this.key = exactKeys.stream().min(AskedValue::compareTo).orElse(AskedValue.NONE);
    }

    Route route() {
        return route;
    }

    String id() {
        return place.id();
    }

    RoutePlace place() {
        return place;
    }

    PathSet path() {
        return path;
    }

    /**
     * Returns the paths as those take them that are compared without parameters; null when that is not known, or when
     * {@link #path} says it.
     */
    @Nullable
    PathSet bare() {
        return parameters ? bare : null;
    }

    /** Returns whether it takes all paths of {@code other}; false where that is hard to say. */
    boolean coversPath(Match other) {
        if (path.isEverything()) {
            return true;
        }
        PathSet theirs = parameters == other.parameters ? other.path : parameters ? null : other.bare;
        return theirs != null && path.covers(theirs);
    }

    List<Term> terms() {
        return terms;
    }

    /** Returns whether no path has {@code //}. */
    boolean mergesSlashes() {
        return mergesSlashes;
    }

    /** Returns the media types of responses; none for any. */
    List<MediaRange> produces() {
        return produces;
    }

    AskedValue key() {
        return key;
    }

    /** Returns the keys of all the values that it asks for. */
    List<AskedValue> exactKeys() {
        return exactKeys;
    }

    /** Returns whether it says the same as {@code other}, of the same id. */
    boolean isOf(Route other, Router router) {
        return route.equals(other) && mergesSlashes == router.mergeSlashes();
    }

    /** Returns whether it takes whatever {@code other} takes, methods aside. */
    boolean coversButMethods(Match other) {
        boolean samePaths = mergesSlashes == other.mergesSlashes || path.isEverything();
        return samePaths
                && coversPath(other)
                && terms.stream().allMatch(mine -> other.terms.stream().anyMatch(theirs -> theirs.implies(mine)))
                && coversAddresses(other)
                && covers(consumes, other.consumes)
                && covers(produces, other.produces);
    }

    /** Returns whether it takes requests with {@code method}. */
    boolean takes(String method) {
        return route.methods().isEmpty()
                ? !NAMED_ONLY.contains(method)
                : route.methods().contains(method);
    }

    private boolean coversAddresses(Match other) {
        return addresses.isEmpty()
                || (!other.addresses.isEmpty()
                        && other.addresses.stream()
                                .allMatch(theirs -> addresses.stream()
                                        .anyMatch(mine -> mine.prefixBits() <= theirs.prefixBits()
                                                && mine.contains(theirs.network()))));
    }

    private static boolean covers(List<MediaRange> mine, List<MediaRange> theirs) {
        return mine.isEmpty()
                || (!theirs.isEmpty()
                        && theirs.stream().allMatch(narrow -> mine.stream().anyMatch(wide -> covers(wide, narrow))));
    }

    private static boolean covers(MediaRange wide, MediaRange narrow) {
        return (wide.type().equals("*") || wide.type().equals(narrow.type()))
                && (wide.subtype().equals("*") || wide.subtype().equals(narrow.subtype()));
    }

    /** Returns whether some request may fit both, given that both take the same paths. */
    boolean mayMeet(Match other) {
        return mergesSlashes == other.mergesSlashes
                && terms.stream().noneMatch(mine -> other.terms.stream().anyMatch(mine::contradicts))
                && shareMethod(other)
                && shareAddress(other)
                && overlap(consumes, other.consumes)
                && overlap(produces, other.produces);
    }

    private boolean shareMethod(Match other) {
        List<String> mine = route.methods();
        return mine.isEmpty()
                ? other.route.methods().isEmpty()
                        || other.route.methods().stream().anyMatch(this::takes)
                : mine.stream().anyMatch(other::takes);
    }

    private boolean shareAddress(Match other) {
        return addresses.isEmpty()
                || other.addresses.isEmpty()
                || addresses.stream()
                        .anyMatch(mine -> other.addresses.stream()
                                .anyMatch(
                                        theirs -> mine.contains(theirs.network()) || theirs.contains(mine.network())));
    }

    private static boolean overlap(List<MediaRange> mine, List<MediaRange> theirs) {
        return mine.isEmpty()
                || theirs.isEmpty()
                || mine.stream().anyMatch(one -> theirs.stream().anyMatch(one::overlaps));
    }

    @Override
    public int compareTo(Match other) {
        return place.compareTo(other.place);
    }

    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }
}
