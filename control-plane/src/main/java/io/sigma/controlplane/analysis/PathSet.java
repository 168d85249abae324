package io.sigma.controlplane.analysis;

import com.google.re2j.Pattern;
import io.sigma.route.Affixes;
import io.sigma.value.PathPattern;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The paths that a route takes, to be compared with those of another one. Immutable.
 *
 * @param segments in order, {@value #PARAMETER} for any that is not empty; of an expression the whole ones that it
 *     begins with
 * @param open whether more may follow
 * @param expression null when the segments say it all
 */
record PathSet(
        List<String> segments, boolean open, @Nullable Pattern expression) {

    /** No literal segment of a pattern begins with a colon. */
    static final String PARAMETER = ":";

    private static final String META = "\\.[](){}*+?|^$";
    private static final String ANYTHING = ".*";

    static PathSet of(PathPattern path) {
        return switch (path) {
            case PathPattern.Exact(String text) -> new PathSet(split(text.substring(1)), false, null);
            case PathPattern.Prefix(String prefix) ->
                new PathSet(prefix.isEmpty() ? List.of() : split(prefix.substring(1)), true, null);
            case PathPattern.Segments(List<PathPattern.Segment> some, boolean more) ->
                new PathSet(
                        some.stream()
                                .map(segment -> segment.parameter() ? PARAMETER : segment.text())
                                .toList(),
                        more,
                        null);
            case PathPattern.Regex(Pattern pattern) ->
                new PathSet(wholeSegments(Affixes.of(pattern.pattern()).prefix()), true, pattern);
        };
    }

    /**
     * Returns these paths without the parameters of their segments ({@link io.sigma.value.PathParameters}); null when
     * that is hard to say.
     *
     * @param mergeSlashes whether segments that are empty without their parameters are merged
     */
    @Nullable
    PathSet withoutParameters(boolean mergeSlashes) {
        // A request's segment in the place of a path parameter may be empty once its own parameters ({@code ;x=1}) are
        // removed.
        if (expression != null || segments.contains(PARAMETER)) {
            return null;
        }
        List<String> bare = new ArrayList<>();
        for (int i = 0; i < segments.size(); i++) {
            String segment = segments.get(i);
            int semicolon = segment.indexOf(';');
            String text = semicolon < 0 ? segment : segment.substring(0, semicolon);
            boolean last = i == segments.size() - 1 && !open;
            if (!text.isEmpty() || !mergeSlashes || last) {
                bare.add(text);
            }
        }
        return new PathSet(bare, open, null);
    }

    private static List<String> split(String text) {
        return List.of(text.split("/", -1));
    }

    /** Returns the segments of {@code prefix} that something follows. */
    private static List<String> wholeSegments(String prefix) {
        int last = prefix.lastIndexOf('/');
        return last <= 0 || !prefix.startsWith("/") ? List.of() : split(prefix.substring(1, last));
    }

    boolean isExpression() {
        return expression != null;
    }

    boolean isEverything() {
        if (expression == null) {
            return open && segments.isEmpty();
        }
        String text = expression.pattern();
        return text.equals(ANYTHING) || text.equals("/" + ANYTHING);
    }

    /** Returns whether every path of {@code other} is one of these; false where that is hard to say. */
    boolean covers(PathSet other) {
        if (isEverything()) {
            return true;
        }
        if (expression != null) {
            return expressionCovers(expression, other);
        }
        if (open ? other.segments.size() < segments.size() : (other.open || other.segments.size() != segments.size())) {
            return false;
        }
        for (int i = 0; i < segments.size(); i++) {
            if (!covers(segments.get(i), other.segments.get(i))) {
                return false;
            }
        }
        return true;
    }

    static boolean covers(String mine, String theirs) {
        return mine.equals(PARAMETER) ? !theirs.isEmpty() : mine.equals(theirs);
    }

    private static boolean expressionCovers(Pattern mine, PathSet other) {
        if (other.expression != null && other.expression.pattern().equals(mine.pattern())) {
            return true;
        }
        if (other.isOnePath()) {
            return mine.matches("/" + String.join("/", other.segments));
        }
        String literal = literalBeforeAnything(mine.pattern());
        return literal != null && other.beginning().startsWith(literal);
    }

    /** Returns the text of an expression that is a text and then anything; null when it is something else. */
    private static @Nullable String literalBeforeAnything(String pattern) {
        if (!pattern.endsWith(ANYTHING)) {
            return null;
        }
        StringBuilder literal = new StringBuilder();
        int end = pattern.length() - ANYTHING.length();
        for (int i = 0; i < end; i++) {
            char c = pattern.charAt(i);
            if (c == '\\') {
                i++;
                if (i >= end || META.indexOf(pattern.charAt(i)) < 0) {
                    return null;
                }
                literal.append(pattern.charAt(i));
            } else if (META.indexOf(c) >= 0) {
                return null;
            } else {
                literal.append(c);
            }
        }
        return literal.toString();
    }

    private boolean isOnePath() {
        return expression == null && !open && !segments.contains(PARAMETER);
    }

    /** Returns what each of these paths begins with, as far as that is known. */
    String beginning() {
        if (expression != null) {
            return Affixes.of(expression.pattern()).prefix();
        }
        int literals = segments.indexOf(PARAMETER);
        boolean more = literals >= 0;
        List<String> known = more ? segments.subList(0, literals) : segments;
        if (known.isEmpty()) {
            return "/";
        }
        return "/" + String.join("/", known) + (more ? "/" : "");
    }

    /** Returns a text that two patterns share only when they take the same paths. */
    String skeleton() {
        if (expression != null) {
            return "~" + expression.pattern();
        }
        List<String> parts = new ArrayList<>(segments);
        parts.add(open ? "*" : "");
        return "/" + String.join("/", parts);
    }
}
