package io.sigma.route;

import io.sigma.value.PathPattern;
import java.util.List;

/**
 * A string for each path pattern, so that the natural order of the strings is the order of specificity: exact paths,
 * then patterns of segments compared from the left (a literal before a parameter before the end before anything more),
 * then expressions, the longer first.
 */
final class PathShape {

    private static final char EXACT = '0';
    private static final char SEGMENTS = '1';
    private static final char REGEX = '2';
    private static final char LITERAL = '0';
    private static final char PARAMETER = '1';
    private static final char END = '2';
    private static final char OPEN = '3';
    private static final int LENGTH_MAX = 100_000;

    private PathShape() {}

    static String of(PathPattern path) {
        return switch (path) {
            case PathPattern.Exact ignored -> String.valueOf(EXACT);
            case PathPattern.Prefix(String prefix) -> SEGMENTS + literals(prefix) + OPEN;
            case PathPattern.Segments(List<PathPattern.Segment> segments, boolean open) -> {
                StringBuilder shape = new StringBuilder().append(SEGMENTS);
                segments.forEach(segment -> shape.append(segment.parameter() ? PARAMETER : LITERAL));
                yield shape.append(open ? OPEN : END).toString();
            }
            case PathPattern.Regex(com.google.re2j.Pattern expression) ->
                REGEX + String.format("%06d", LENGTH_MAX - expression.pattern().length());
        };
    }

    private static String literals(String prefix) {
        int segments = (int) prefix.chars().filter(c -> c == '/').count();
        return String.valueOf(LITERAL).repeat(segments);
    }
}
