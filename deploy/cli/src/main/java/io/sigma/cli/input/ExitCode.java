package io.sigma.cli.input;

/** The exit codes that all commands share; a command may have more of its own. */
public final class ExitCode {

    public static final int DONE = 0;
    public static final int FAILED = 1;
    public static final int INVALID = 2;

    private ExitCode() {}
}
