package io.sigma.controlplane.apidoc;

import static io.sigma.controlplane.apidoc.Precedence.PARAMETER;
import static io.sigma.controlplane.apidoc.Precedence.PLACE;
import static io.sigma.controlplane.apidoc.Precedence.TEXT;

import java.util.List;

/**
 * The path of a route, read once to be compared with many others: in the order in which gateways try routes
 * (docs/matching.md), and by the paths that both take. Of two expressions only an example of each is compared, and
 * nothing of an expression that no import made. Most comparisons end at the number of segments or at the first one.
 * Immutable.
 */
final class ComparedPath {

    private final String shape;
    private final boolean expression;

    /** Of the path, or of an example of what the expression takes. */
    private final String[] segments;

    /** The path, or an example, without parameters. */
    private final String concrete;

    /** The segments of an expression; none of a path, and of an expression that no {@link PathTemplate} made. */
    private final List<SegmentGlob> globs;

    /** The whole of an expression with places that take slashes too, else none. */
    private final List<SegmentGlob> whole;

    ComparedPath(String path) {
        this.shape = PathTemplate.shape(path);
        this.expression = path.startsWith("~");
        String bare = expression ? path.substring(1).replace(TEXT, String.valueOf(PLACE)) : "";
        boolean made = expression && isMade(bare);
        String example = made ? example(bare) : shape;
        this.segments = example.split("/", -1);
        this.concrete = example.replace("/" + PARAMETER, "/0");
        this.globs = made ? Precedence.segments(bare) : List.of();
        this.whole = made && takesSlashes(bare) ? List.of(SegmentGlob.of(bare, PLACE)) : List.of();
    }

    boolean isSame(ComparedPath other) {
        return shape.equals(other.shape);
    }

    /**
     * Returns whether gateways try this before {@code other}, which is not the same, and some paths meet both. What it
     * says means nothing once {@code effort} is spent.
     */
    boolean goesBefore(ComparedPath other, Effort effort) {
        if (!other.expression) {
            return !expression && isMoreSpecific(segments, other.segments, effort);
        }
        if (!expression) {
            return other.takes(this, effort);
        }
        boolean readable = !globs.isEmpty() && !other.globs.isEmpty();
        return readable && shape.length() > other.shape.length() && (other.takes(this, effort) || takes(other, effort));
    }

    /** At the first difference a literal wins over a parameter. */
    private static boolean isMoreSpecific(String[] first, String[] then, Effort effort) {
        if (first.length != then.length) {
            return false;
        }
        boolean wins = false;
        for (int i = 0; i < first.length; i++) {
            effort.step(Math.min(first[i].length(), then[i].length()));
            boolean equal = first[i].equals(then[i]);
            if (!equal && !then[i].equals(PARAMETER) && !(wins && first[i].equals(PARAMETER))) {
                return false;
            }
            wins |= !equal;
        }
        return wins;
    }

    private boolean takes(ComparedPath other, Effort effort) {
        return (globs.size() == other.segments.length && meets(other.segments, effort))
                || whole.stream().anyMatch(glob -> glob.matches(other.concrete, effort));
    }

    private boolean meets(String[] path, Effort effort) {
        for (int i = 0; i < path.length; i++) {
            if (!path[i].startsWith(PARAMETER) && !globs.get(i).matches(path[i], effort)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isMade(String bare) {
        for (int i = 0; i < bare.length(); i++) {
            char c = bare.charAt(i);
            char next = i + 1 < bare.length() ? bare.charAt(i + 1) : PLACE;
            if ((c == '\\' && PathTemplate.META.indexOf(next) >= 0) || (c == '.' && (next == '+' || next == '*'))) {
                i++;
            } else if (PathTemplate.META.indexOf(c) >= 0) {
                return false;
            }
        }
        return true;
    }

    private static boolean takesSlashes(String bare) {
        for (int i = 0; i < bare.length(); i++) {
            if (bare.charAt(i) == '.') {
                return true;
            }
            if (bare.charAt(i) == '\\') {
                i++;
            }
        }
        return false;
    }

    /** Returns a path that an expression takes. */
    private static String example(String bare) {
        StringBuilder example = new StringBuilder();
        for (int i = 0; i < bare.length(); i++) {
            char c = bare.charAt(i);
            if (c == '\\') {
                example.append(bare.charAt(++i));
            } else if (c == '.') {
                example.append(bare.charAt(++i) == '+' ? "0" : "");
            } else {
                example.append(c == PLACE ? '0' : c);
            }
        }
        return example.toString();
    }
}
