package io.sigma.value;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;

/** Compiles RE2/J expressions (linear time, so no input can make matching slow). Pure. */
public final class Re2 {

    /** Longest expression that is compiled, in characters. */
    public static final int EXPRESSION_LENGTH_MAX = 1024;

    private Re2() {}

    /**
     * Returns the compiled expression.
     *
     * @throws InvalidValue when it is longer than {@link #EXPRESSION_LENGTH_MAX} or no RE2 expression
     */
    public static Pattern compile(String expression) {
        if (expression.length() > EXPRESSION_LENGTH_MAX) {
            throw InvalidValue.of(expression, "an expression of at most " + EXPRESSION_LENGTH_MAX + " characters");
        }
        try {
            return Pattern.compile(expression);
        } catch (PatternSyntaxException e) {
            throw InvalidValue.of(expression, "an RE2 expression; " + e.getDescription());
        }
    }
}
