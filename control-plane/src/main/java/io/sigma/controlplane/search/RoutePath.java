package io.sigma.controlplane.search;

import io.sigma.value.InvalidValue;
import io.sigma.value.PathPattern;
import java.util.List;
import java.util.Locale;

/** Answers whether the path of a route takes the path of a request. */
final class RoutePath {

    private RoutePath() {}

    /** Returns whether it takes {@code path} as a gateway does, in this case of letters. */
    static boolean takes(String pattern, String path) {
        int open = open(pattern);
        if (!path.startsWith(pattern.substring(0, Math.min(open, path.length())))) {
            return false;
        }
        try {
            return switch (PathPattern.parse(pattern, false)) {
                case PathPattern.Exact exact -> path.equals(exact.path());
                case PathPattern.Prefix prefix ->
                    path.equals(prefix.prefix()) || path.startsWith(prefix.prefix() + "/");
                case PathPattern.Segments segments -> takes(segments, path);
                case PathPattern.Regex regex -> regex.expression().matches(path);
            };
        } catch (InvalidValue e) {
            // Not a path that a gateway has.
            return false;
        }
    }

    /**
     * Returns whether it would take {@code path} if the case of letters did not matter.
     *
     * @param lower the path in lower case
     */
    static boolean takesInAnyCase(String pattern, String path, String lower) {
        // In lower case, an expression may be another one, and an encoded octet is not in its normal form.
        return takes(pattern.toLowerCase(Locale.ROOT), lower)
                || ((pattern.startsWith("~") || pattern.indexOf('%') >= 0) && takes(pattern, path));
    }

    /** Returns how much of a pattern stands for itself. */
    private static int open(String pattern) {
        if (pattern.startsWith("~")) {
            return 0;
        }
        int parameter = pattern.indexOf("/:");
        return parameter >= 0 ? parameter : pattern.endsWith("/*") ? pattern.length() - 2 : pattern.length();
    }

    private static boolean takes(PathPattern.Segments pattern, String path) {
        String[] parts = path.substring(1).split("/", -1);
        List<PathPattern.Segment> segments = pattern.segments();
        if (parts.length < segments.size() || (parts.length > segments.size() && !pattern.open())) {
            return false;
        }
        for (int i = 0; i < segments.size(); i++) {
            PathPattern.Segment segment = segments.get(i);
            if (segment.parameter() ? parts[i].isEmpty() : !segment.text().equals(parts[i])) {
                return false;
            }
        }
        return true;
    }
}
