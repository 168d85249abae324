package io.sigma.cli;

/** The admin API cannot be asked, or refuses; the message says why, a line per finding. */
final class ApiRefusal extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Exit codes, for scripts; they are in docs/changes.md. */
    static final int INVALID = Main.INVALID;

    static final int UNREACHABLE = 3;
    static final int FORBIDDEN = 4;
    static final int CONFLICT = 5;

    private final int exitCode;

    ApiRefusal(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    int exitCode() {
        return exitCode;
    }
}
