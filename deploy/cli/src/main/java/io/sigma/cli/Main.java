package io.sigma.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sigma.cli.input.ApiRefusal;
import io.sigma.cli.input.ExitCode;
import io.sigma.cli.process.PlainGateway;
import io.sigma.cli.process.RunCommand;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Option;

/**
 * The command {@code sigma}. Exit codes: 0 done, 1 failed, 2 the command line, a setting or a file is invalid; commands
 * that ask the admin API have more, see {@link ApiRefusal}.
 */
@Command(
        name = "sigma",
        description = "An HTTP gateway with a control plane and a dashboard.",
        synopsisSubcommandLabel = "COMMAND",
        scope = CommandLine.ScopeType.INHERIT,
        mixinStandardHelpOptions = true,
        versionProvider = VersionCommand.class)
public final class Main {

    @Option(
            names = "--verbose",
            scope = CommandLine.ScopeType.INHERIT,
            description = "Also print the stack trace of an error.")
    boolean verbose;

    private Main() {}

    public static void main(String[] args) {
        System.exit(run(new PrintWriter(System.out, true, UTF_8), new PrintWriter(System.err, true, UTF_8), args));
    }

    /** Runs one command and returns its exit code. */
    static int run(PrintWriter out, PrintWriter err, String... args) {
        String[] command = command(Path.of(""), args);
        PlainGateway plain = PlainGateway.of(List.of(command));
        if (plain != null) {
            return written(out, err, serve(plain, out, err));
        }
        CommandLine sigma = Commands.of(command(), command);
        Errors errors = new Errors();
        sigma.setOut(out)
                .setErr(err)
                .setColorScheme(CommandLine.Help.defaultColorScheme(Ansi.OFF))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(errors)
                .setExecutionExceptionHandler(errors);
        if (command.length == 0) {
            sigma.usage(err);
            return ExitCode.INVALID;
        }
        return written(out, err, execute(sigma, command));
    }

    /** An error ends it like an exception, as in {@link #execute}. */
    private static int serve(PlainGateway gateway, PrintWriter out, PrintWriter err) {
        try {
            return gateway.run(out);
        } catch (Throwable e) {
            return Errors.failed(command().setErr(err), e);
        }
    }

    /**
     * Runs a command. An error ends it like an exception: else threads that were started by then would keep the process
     * alive.
     */
    static int execute(CommandLine sigma, String... command) {
        try {
            return sigma.execute(command);
        } catch (Throwable e) {
            return Errors.failed(sigma, e);
        }
    }

    /** Returns {@code sigma} without the commands below it. */
    static CommandLine command() {
        return new CommandLine(new Main());
    }

    /** Returns {@code args}; without any what runs the sigma.json of {@code folder}, when there is one. */
    static String[] command(Path folder, String... args) {
        Path file = folder.resolve(RunCommand.FILE);
        boolean there = Files.isReadable(file) && !Files.isDirectory(file);
        return args.length == 0 && there ? new String[] {"run", "-conf", file.toString()} : args;
    }

    /** A full disk or a pipe that nobody reads is noticed only here: writers of text keep it to themselves. */
    private static int written(PrintWriter out, PrintWriter err, int exitCode) {
        if (!out.checkError()) {
            return exitCode;
        }
        err.println("sigma: standard output: the output could not be written completely (expected: room on the disk, "
                + "and a reader)");
        return exitCode == ExitCode.DONE ? ExitCode.FAILED : exitCode;
    }
}
