package io.sigma.dataplane.match;

import com.google.re2j.Pattern;
import io.sigma.model.RouteCondition;
import io.sigma.value.Re2;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A condition on a header field, query parameter or cookie. Immutable.
 *
 * @param exact the value that it must have; null when any or another test decides
 * @param regex what all of the value must match; null when another test decides
 * @param present without {@code exact} and {@code regex}: whether it must be there, or must not
 */
record Condition(
        Subject subject, @Nullable String exact, @Nullable Pattern regex, boolean present) {

    /**
     * Returns the condition of a resource.
     *
     * @throws io.sigma.value.InvalidValue when it was not checked before
     */
    static Condition of(Subject.Source source, RouteCondition condition) {
        boolean header = source == Subject.Source.HEADER;
        String name = header ? condition.name().toLowerCase(Locale.ROOT) : condition.name();
        return new Condition(
                new Subject(source, name),
                condition.value(),
                condition.regex() == null ? null : Re2.compile(condition.regex()),
                !Boolean.FALSE.equals(condition.present()));
    }

    /**
     * Returns whether it holds.
     *
     * @param value null when there is none
     * @param budget the processor time that the request has left for expressions
     */
    boolean holds(@Nullable String value, ExpressionBudget budget) {
        if (exact != null) {
            return exact.equals(value);
        }
        if (regex != null) {
            return value != null && budget.matches(regex, value);
        }
        return present == (value != null);
    }

    /** Returns what is asked for, as people read it. */
    String expectation() {
        if (exact != null) {
            return "\"" + exact + "\"";
        }
        if (regex != null) {
            return "a value that matches " + regex.pattern();
        }
        return present ? "any value" : "none";
    }
}
