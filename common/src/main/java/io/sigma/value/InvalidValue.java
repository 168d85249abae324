package io.sigma.value;

/** A string of the model that has no meaning; the message carries the value and what was expected. */
public final class InvalidValue extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public InvalidValue(String message) {
        super(message, null, false, false);
    }

    /** Returns the exception for {@code value}, shortened and with control characters escaped. */
    static InvalidValue of(String value, String expectation) {
        return new InvalidValue("\"" + printable(value) + "\" (expected: " + expectation + ")");
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
