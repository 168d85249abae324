package io.sigma.cli.input;

/** The user's input is not valid. The message says what was expected, a line per finding. */
public final class InvalidInput extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public InvalidInput(String message) {
        super(message);
    }
}
