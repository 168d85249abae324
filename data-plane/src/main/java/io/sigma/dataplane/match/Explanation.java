package io.sigma.dataplane.match;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The route that takes a request, and the reasons why similar routes do not. Immutable.
 *
 * @param winner null when no route takes it
 * @param mismatch what the client is told when there is no winner; null when there is one
 * @param losers the nearest first
 * @param further how many more routes were near, beyond those listed
 */
public record Explanation<R extends Routed>(
        @Nullable R winner, @Nullable NoMatch mismatch, List<Loser<R>> losers, int further) {

    public Explanation {
        losers = List.copyOf(losers);
    }

    /**
     * A route that came near.
     *
     * @param reasons at least one, in the order in which things are looked at
     */
    public record Loser<R extends Routed>(R route, List<Reason> reasons) {
        public Loser {
            reasons = List.copyOf(reasons);
        }
    }

    /**
     * Why a route does not take the request.
     *
     * @param subject the name of the header field, query parameter or cookie; empty for other kinds
     * @param detail what the request has and what the route expects: {@code "1" (expected: "2")}
     */
    public record Reason(Kind kind, String subject, String detail) {}

    /** The part of the request that was compared. */
    public enum Kind {
        HOST,
        PATH,
        METHOD,
        HEADER,
        QUERY_PARAMETER,
        COOKIE,
        CLIENT_ADDRESS,
        CONSUMES,
        PRODUCES,
        /** It would take the request, but the winner has a higher priority. */
        LOWER_PRIORITY,
        /** It would take the request, but the winner comes first in the order of specificity. */
        LESS_SPECIFIC
    }
}
