package io.sigma.value;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;

/** Compiles RE2/J expressions (linear time, so no input can make matching slow). Pure. */
public final class Re2 {

    /** Longest expression that is compiled, in characters. */
    public static final int EXPRESSION_LENGTH_MAX = 1024;

    /** Most instructions of a program; each may be looked at for each character of a text. */
    private static final int PROGRAM_MAX = 10_000;

    private Re2() {}

    /**
     * Returns the compiled expression.
     *
     * @throws InvalidValue when it is longer than {@link #EXPRESSION_LENGTH_MAX}, no RE2 expression, or too large when
     *     its counted repetitions are written out
     */
    public static Pattern compile(String expression) {
        if (expression.length() > EXPRESSION_LENGTH_MAX) {
            throw InvalidValue.of(expression, "an expression of at most " + EXPRESSION_LENGTH_MAX + " characters");
        }
        if (Re2Size.of(expression) > PROGRAM_MAX) {
            throw tooLarge(expression);
        }
        try {
            Pattern pattern = Pattern.compile(expression);
            if (pattern.programSize() > PROGRAM_MAX) {
                throw tooLarge(expression);
            }
            return pattern;
        } catch (PatternSyntaxException e) {
            throw InvalidValue.of(expression, "an RE2 expression; " + e.getDescription());
        }
    }

    /**
     * Returns about how many instructions {@code expression} is compiled to; 0 where it is too long, and at most
     * 10,000, beyond which it is refused.
     */
    public static long size(String expression) {
        return expression.length() > EXPRESSION_LENGTH_MAX ? 0 : Math.min(PROGRAM_MAX, Re2Size.of(expression));
    }

    private static InvalidValue tooLarge(String expression) {
        return InvalidValue.of(
                expression, "an expression whose repetitions expand to fewer than " + PROGRAM_MAX + " parts");
    }
}
