package io.sigma.cli.input;

/** The admin API cannot be asked, or refuses; the message says why, a line per finding. */
public final class ApiRefusal extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Exit codes, for scripts; they are in docs/changes.md. */
    public static final int INVALID = ExitCode.INVALID;

    public static final int UNREACHABLE = 3;
    public static final int FORBIDDEN = 4;
    public static final int CONFLICT = 5;

    private final int exitCode;

    public ApiRefusal(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    public int exitCode() {
        return exitCode;
    }
}
