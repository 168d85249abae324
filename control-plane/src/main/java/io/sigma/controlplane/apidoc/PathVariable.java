package io.sigma.controlplane.apidoc;

import io.sigma.value.InvalidValue;
import io.sigma.value.Mismatch;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The text between braces in a templated path: a name, or a form of a framework or gateway. Immutable.
 *
 * @param name without what is around it
 * @param expression what it takes, as an expression; empty when it is no part of the path
 * @param note how that differs from what it says; null when it does not
 */
record PathVariable(
        String name, String expression, @Nullable String note) {

    /** The expression of a segment, or of a part of it. */
    static final String SEGMENT = "[^/]+";

    /** At least one octet, slashes too. */
    private static final String SOME = ".+";

    private static final String ANY = ".*";

    private static final String UNCHECKED = "takes any text: its constraint is not checked";

    /** Constraints that take slashes too: those of Starlette, and expressions of JAX-RS. */
    private static final Set<String> CROSSING = Set.of("path", ".*", "(.*)");

    /**
     * Reads what stands between braces.
     *
     * @throws InvalidValue when nothing is known about what it takes
     */
    static PathVariable of(String text) {
        String bare = text.strip();
        if (bare.startsWith("*")) {
            return new PathVariable(bare.replace("*", ""), ANY, null);
        }
        if (bare.startsWith("+")) {
            return new PathVariable(bare.substring(1), SOME, null);
        }
        if (!bare.isEmpty() && "?&#".indexOf(bare.charAt(0)) >= 0) {
            return new PathVariable(bare.substring(1), "", "is left out: the path does not contain it");
        }
        if (!bare.isEmpty() && "/;.".indexOf(bare.charAt(0)) >= 0) {
            throw new InvalidValue(Mismatch.of("{" + text + "}", "a name"));
        }
        int equals = bare.indexOf('=');
        if (equals >= 0) {
            return new PathVariable(bare.substring(0, equals), pattern(text, bare.substring(equals + 1)), null);
        }
        int colon = bare.indexOf(':');
        if (colon >= 0) {
            return constrained(
                    bare.substring(0, colon).strip(), bare.substring(colon + 1).strip());
        }
        if (bare.endsWith("+")) {
            return new PathVariable(bare.substring(0, bare.length() - 1), SOME, null);
        }
        if (bare.endsWith("*")) {
            return new PathVariable(bare.substring(0, bare.length() - 1), ANY, null);
        }
        if (bare.endsWith("?")) {
            return new PathVariable(bare.substring(0, bare.length() - 1), SEGMENT, "is treated as required");
        }
        if (bare.indexOf('/') >= 0 || bare.indexOf('{') >= 0) {
            throw new InvalidValue(Mismatch.of("{" + text + "}", "a name without / and {"));
        }
        return new PathVariable(bare, SEGMENT, null);
    }

    private static PathVariable constrained(String name, String constraint) {
        if (CROSSING.contains(constraint)) {
            return new PathVariable(name, ANY, null);
        }
        if (constraint.equals(".+") || constraint.equals("(.+)")) {
            return new PathVariable(name, SOME, null);
        }
        boolean checked = constraint.equals(SEGMENT) || constraint.equals("[^/]*");
        return new PathVariable(name, SEGMENT, checked ? null : UNCHECKED);
    }

    /** Returns the expression of a pattern as {@code google.api.http} has them: {@code projects/}{@code *}. */
    private static String pattern(String text, String pattern) {
        if (pattern.isEmpty() || pattern.startsWith("/") || pattern.indexOf('{') >= 0) {
            throw new InvalidValue(Mismatch.of("{" + text + "}", "a pattern such as projects/* after the ="));
        }
        StringBuilder expression = new StringBuilder();
        for (String segment : pattern.split("/", -1)) {
            expression
                    .append(expression.isEmpty() ? "" : "/")
                    .append(
                            switch (segment) {
                                case "*" -> SEGMENT;
                                case "**" -> ANY;
                                default -> PathTemplate.quotedSegment(segment);
                            });
        }
        return expression.toString();
    }
}
