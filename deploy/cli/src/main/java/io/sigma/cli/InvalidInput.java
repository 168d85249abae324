package io.sigma.cli;

/** What the user gave is wrong; the message says what was expected, a line per finding. */
final class InvalidInput extends RuntimeException {

    private static final long serialVersionUID = 1L;

    InvalidInput(String message) {
        super(message);
    }
}
