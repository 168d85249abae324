package io.sigma.value;

import com.google.re2j.Pattern;
import java.util.ArrayList;
import java.util.List;

/**
 * The path of a route. {@code /a/b} is exact, {@code /a/*} matches {@code /a} and everything below it, {@code :name}
 * stands for one whole segment, and {@code ~expression} is an RE2/J expression that the whole path matches.
 */
public sealed interface PathPattern {

    /** Matches one path only. */
    record Exact(String path) implements PathPattern {}

    /**
     * Matches {@code prefix} and everything below it.
     *
     * @param prefix without the trailing slash; empty for {@code /*}, which matches every path
     */
    record Prefix(String prefix) implements PathPattern {}

    /**
     * Matches segment by segment.
     *
     * @param segments from the first to the last, without the slashes
     * @param open whether further segments may follow (the pattern ended in {@code /*})
     */
    record Segments(List<Segment> segments, boolean open) implements PathPattern {
        public Segments {
            segments = List.copyOf(segments);
        }
    }

    /**
     * A segment of {@link Segments}.
     *
     * @param text the literal, or the name of the parameter
     */
    record Segment(String text, boolean parameter) {}

    /** Matches when {@code expression} matches the whole path. */
    record Regex(Pattern expression) implements PathPattern {}

    /**
     * Returns the parsed pattern.
     *
     * @throws InvalidValue with the value and what was expected
     */
    static PathPattern parse(String text) {
        return parse(text, true);
    }

    /**
     * Returns the parsed pattern.
     *
     * @param mergeSlashes whether no path has {@code //}, so that it is refused in a pattern
     * @throws InvalidValue with the value and what was expected
     */
    static PathPattern parse(String text, boolean mergeSlashes) {
        if (text.startsWith("~")) {
            return new Regex(Re2.compile(text.substring(1)));
        }
        if (!text.startsWith("/")) {
            throw InvalidValue.of(text, "a path that starts with / or, for an expression, with ~");
        }
        String normal = NormalPath.of(text, mergeSlashes);
        if (!normal.equals(NormalPath.encoded(text))) {
            throw InvalidValue.of(text, "the normal form " + normal);
        }
        boolean open = normal.endsWith("/*");
        String body = open ? normal.substring(0, normal.length() - 2) : normal;
        if (body.indexOf('*') >= 0) {
            throw InvalidValue.of(text, "* only as the last segment");
        }
        if (!body.contains("/:")) {
            return open ? new Prefix(body) : new Exact(body);
        }
        return new Segments(segments(text, body), open);
    }

    private static List<Segment> segments(String text, String body) {
        List<Segment> segments = new ArrayList<>();
        for (String part : body.substring(1).split("/", -1)) {
            boolean parameter = part.startsWith(":");
            Segment segment = new Segment(parameter ? part.substring(1) : part, parameter);
            if (parameter && (!isName(segment.text) || segments.contains(segment))) {
                throw InvalidValue.of(text, "after each : a name of letters, digits and _ that is used once");
            }
            segments.add(segment);
        }
        return segments;
    }

    private static boolean isName(String name) {
        return !name.isEmpty() && name.chars().allMatch(c -> c == '_' || (c < 0x80 && Character.isLetterOrDigit(c)));
    }
}
