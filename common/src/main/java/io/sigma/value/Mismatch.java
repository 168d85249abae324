package io.sigma.value;

import org.jspecify.annotations.Nullable;

/**
 * The two parts of every message about a value: what is there, and what was expected. {@link #toString} makes the text.
 * Immutable; any thread.
 *
 * @param given the value as messages show it: a text in quotes, {@code [redacted]} for a secret
 * @param expected a description of valid values
 */
public record Mismatch(String given, String expected) {

    /** The given value of a mismatch if the value is missing. */
    public static final String ABSENT = "absent";

    /** The given value of a mismatch if the value must not be present. */
    public static final String PRESENT = "present";

    public static Mismatch of(@Nullable Object given, String expected) {
        return new Mismatch(String.valueOf(given), expected);
    }

    /** Returns that of a text, which is shown in quotes. */
    public static Mismatch quoted(@Nullable String given, String expected) {
        return new Mismatch("\"" + given + "\"", expected);
    }

    /** Returns that of a value that is missing. */
    public static Mismatch absent(String expected) {
        return new Mismatch(ABSENT, expected);
    }

    /** Returns that of a value that is not wanted beside the others. */
    public static Mismatch present(String expected) {
        return new Mismatch(PRESENT, expected);
    }

    /** Returns the same with {@code place} and a colon before what is given. */
    public Mismatch in(String place) {
        return new Mismatch(place + ":" + (given.isEmpty() ? "" : " " + given), expected);
    }

    /** Returns the text of messages: {@code GIVEN (expected: EXPECTED)}. */
    @Override
    public String toString() {
        return (given.isEmpty() ? "" : given + " ") + "(expected: " + expected + ")";
    }
}
