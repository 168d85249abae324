package io.sigma.cli;

import io.sigma.cli.input.ApiRefusal;
import io.sigma.cli.input.ExitCode;
import io.sigma.cli.input.InvalidInput;
import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.dataplane.snapshot.SnapshotRefused;
import io.sigma.format.SigmaJsonRefused;
import io.sigma.settings.InvalidSettings;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Says what went wrong in lines that start with "sigma: ", and chooses the exit code. Stack traces only for --verbose.
 */
final class Errors implements IParameterExceptionHandler, IExecutionExceptionHandler {

    @Override
    public int handleParseException(ParameterException e, String[] args) {
        PrintWriter err = e.getCommandLine().getErr();
        err.println("sigma: " + e.getMessage());
        UnmatchedArgumentException.printSuggestions(e, err);
        err.println(
                "Try: " + e.getCommandLine().getCommandSpec().qualifiedName().replaceFirst("^sigma ?", "sigma help "));
        return ExitCode.INVALID;
    }

    @Override
    public int handleExecutionException(Exception thrown, CommandLine command, ParseResult parsed) {
        return failed(command, thrown);
    }

    static int failed(CommandLine command, Throwable thrown) {
        PrintWriter err = command.getErr();
        Throwable e = cause(thrown);
        lines(e).forEach(line -> err.println("sigma: " + line));
        Object root = command.getCommandSpec().root().userObject();
        if (root instanceof Main main && main.verbose) {
            thrown.printStackTrace(err);
        }
        if (e instanceof ApiRefusal refusal) {
            return refusal.exitCode();
        }
        return invalid(e) ? ExitCode.INVALID : ExitCode.FAILED;
    }

    private static boolean invalid(Throwable e) {
        return e instanceof InvalidSettings
                || e instanceof InvalidInput
                || e instanceof SigmaJsonRefused
                || e instanceof SnapshotRefused
                || e instanceof IllegalArgumentException;
    }

    private static Throwable cause(Throwable thrown) {
        Throwable cause = thrown.getCause();
        boolean wrapper = thrown instanceof CompletionException || thrown instanceof ExecutionException;
        return wrapper && cause != null ? cause(cause) : thrown;
    }

    /** An error without a message is a defect of ours, so its type helps at least. */
    private static List<String> lines(Throwable e) {
        String message =
                e instanceof FailureException failure && failure.failure() instanceof Failure.Unavailable unavailable
                        ? unavailable.detail()
                        : e.getMessage();
        return message == null || message.isBlank()
                ? List.of(e.getClass().getName() + " (run again with --verbose to see where)")
                : message.lines().toList();
    }
}
