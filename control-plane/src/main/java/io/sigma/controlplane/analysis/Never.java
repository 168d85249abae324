package io.sigma.controlplane.analysis;

import com.google.re2j.Pattern;
import io.sigma.json.JsonPointer;
import io.sigma.value.InvalidValue;
import io.sigma.value.MediaRange;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why a route takes no request, whatever other routes there are. Immutable.
 *
 * @param pointer into the route
 */
record Never(String pointer, String detail) {

    /** Returns the first reason; null when none is found. */
    static @Nullable Never of(Match match) {
        Never found = path(match);
        if (found == null) {
            found = methods(match);
        }
        if (found == null) {
            found = terms(match.terms());
        }
        return found == null ? accept(match) : found;
    }

    private static @Nullable Never path(Match match) {
        Pattern expression = match.path().expression();
        String reason = expression == null ? null : PathTexts.impossible(expression.pattern(), match.mergesSlashes());
        return reason == null ? null : new Never(JsonPointer.of("path"), "The expression matches no path: " + reason);
    }

    /** Gateways answer these themselves. A WebSocket on HTTP/2 is a GET to routes. */
    private static @Nullable Never methods(Match match) {
        List<String> methods = match.route().methods();
        return methods.isEmpty() || !Match.NAMED_ONLY.containsAll(methods)
                ? null
                : new Never(
                        JsonPointer.of("methods"),
                        "Gateways answer " + String.join(" and ", methods) + " with 405, so no request matches");
    }

    private static @Nullable Never terms(List<Term> terms) {
        for (int i = 0; i < terms.size(); i++) {
            Term later = terms.get(i);
            String pointer = JsonPointer.of(later.field(), later.index());
            String reason = later.impossible();
            if (reason != null) {
                return new Never(pointer, later.text() + " never holds: " + reason);
            }
            for (int j = 0; j < i; j++) {
                if (later.contradicts(terms.get(j))) {
                    return new Never(
                            pointer,
                            later.text() + " and " + terms.get(j).text() + " never hold together: no request matches");
                }
            }
        }
        return null;
    }

    /** A client that accepts exactly these types gets 406 where the node gives none of them. */
    private static @Nullable Never accept(Match match) {
        if (match.produces().isEmpty()) {
            return null;
        }
        for (Term term : match.terms()) {
            String exact = term.exact();
            if (exact != null && term.field().equals("headers") && term.name().equals("accept")) {
                List<MediaRange> accepted = ranges(exact);
                boolean none = !accepted.isEmpty()
                        && accepted.stream()
                                .noneMatch(one -> match.produces().stream().anyMatch(one::overlaps));
                if (none) {
                    return new Never(
                            JsonPointer.of("headers", term.index()),
                            term.text() + ", and produces has no such type, so no request matches");
                }
            }
        }
        return null;
    }

    /** Returns the ranges of an Accept without parameters; none when it has some, or is not valid. */
    private static List<MediaRange> ranges(String accept) {
        List<MediaRange> ranges = new ArrayList<>();
        try {
            for (String one : accept.split(",", -1)) {
                ranges.add(MediaRange.parse(one.strip()));
            }
        } catch (InvalidValue e) {
            return List.of();
        }
        return ranges;
    }
}
