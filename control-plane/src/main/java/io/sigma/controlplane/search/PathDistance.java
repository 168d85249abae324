package io.sigma.controlplane.search;

import io.sigma.model.SearchDifference;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How far a path is from one that a route takes. Immutable.
 *
 * @param difference null where the route takes the path
 * @param cost 0 where the route takes it, otherwise about the number of segments that differ
 */
record PathDistance(@Nullable SearchDifference difference, int cost) {

    /** Segments in front that a proxy in between, or a rewriting, may have added or removed. */
    private static final int IN_FRONT_MAX = 2;

    private static final int NEVER = Integer.MAX_VALUE;

    /** Returns the distance; null where the path is not like one that the route takes. */
    static @Nullable PathDistance of(String pattern, String path) {
        String lower = path.toLowerCase(Locale.ROOT);
        if (RoutePath.takes(pattern, path)) {
            return new PathDistance(null, 0);
        }
        if (RoutePath.takesInAnyCase(pattern, path, lower)) {
            return new PathDistance(SearchDifference.CASE, 0);
        }
        String other = lower.length() > 1 && lower.endsWith("/") ? lower.substring(0, lower.length() - 1) : lower + "/";
        if (RoutePath.takesInAnyCase(pattern, other, other)) {
            return new PathDistance(SearchDifference.TRAILING_SLASH, 0);
        }
        if (pattern.startsWith("~")) {
            return null;
        }
        boolean open = pattern.endsWith("/*");
        String body = (open ? pattern.substring(0, pattern.length() - 2) : pattern).toLowerCase(Locale.ROOT);
        String[] wanted = segments(body);
        String[] given = segments(lower);
        int best = cost(wanted, 0, given, 0, open);
        for (int front = 1; front <= IN_FRONT_MAX; front++) {
            best = Math.min(best, plus(cost(wanted, 0, given, front, open), front));
            best = Math.min(best, plus(cost(wanted, front, given, 0, open), front));
        }
        return best == NEVER ? null : new PathDistance(SearchDifference.PATH, best);
    }

    private static int plus(int cost, int more) {
        return cost == NEVER ? NEVER : cost + more;
    }

    private static String[] segments(String path) {
        String trimmed = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        return trimmed.isEmpty() ? new String[0] : trimmed.substring(1).split("/", -1);
    }

    /** Returns how many segments differ; {@link #NEVER} where that is more than what is alike. */
    private static int cost(String[] wanted, int from, String[] given, int front, boolean open) {
        int alike = 0;
        int typed = 0;
        int i = from;
        int j = front;
        for (; i < wanted.length && j < given.length; i++, j++) {
            if (wanted[i].startsWith(":")) {
                continue;
            }
            if (wanted[i].equals(given[j])) {
                alike++;
            } else if (Words.isTypedWrong(wanted[i], given[j])) {
                alike++;
                typed++;
            } else {
                break;
            }
        }
        int missing = Math.max(0, wanted.length - i);
        int further = open && missing == 0 ? 0 : Math.max(0, given.length - j);
        int cost = typed + missing + further;
        return alike == 0 || missing + further > alike ? NEVER : Math.max(1, cost);
    }
}
