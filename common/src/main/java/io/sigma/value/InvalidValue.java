package io.sigma.value;

import org.jspecify.annotations.Nullable;

/** A string of the model that has no meaning; the message says what was given and what was expected. */
public final class InvalidValue extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient @Nullable Mismatch mismatch;

    public InvalidValue(Mismatch mismatch) {
        super(mismatch.toString(), null, false, false);
        this.mismatch = mismatch;
    }

    /** Makes one that nothing else can be said of than {@code message}. */
    public InvalidValue(String message) {
        super(message, null, false, false);
        this.mismatch = null;
    }

    /** Returns the exception for {@code value}, shortened and with control characters escaped. */
    static InvalidValue of(String value, String expectation) {
        return new InvalidValue(Mismatch.quoted(printable(value), expectation));
    }

    /** Returns what was given and expected; null where the message alone says what is wrong. */
    public @Nullable Mismatch mismatch() {
        return mismatch;
    }

    private static String printable(String value) {
        StringBuilder out = new StringBuilder();
        value.chars().limit(200).forEach(c -> {
            if (c >= ' ' && c != 0x7f) {
                out.append((char) c);
            } else {
                out.append(String.format("\\u%04x", c));
            }
        });
        return out.toString();
    }
}
