package io.sigma.postgres;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs short commands to their end, within a bound. */
final class ShortCommands {

    private static final int OUTPUT_CHARS_MAX = 4_000;

    private ShortCommands() {}

    /** The result of a command. */
    record Result(int exitCode, String output) {}

    /** Runs {@code command} in {@code directory} with {@code input} as its standard input. */
    static Result run(Path directory, List<String> command, String input, Duration wait) throws IOException {
        Path output = Files.createTempFile("sigma-postgres", ".out");
        Path stdin = Files.createTempFile("sigma-postgres", ".in");
        try {
            Files.writeString(stdin, input);
            Process process = environment(new ProcessBuilder(command))
                    .directory(directory.toFile())
                    .redirectInput(Redirect.from(stdin.toFile()))
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            if (!waitFor(process, wait)) {
                process.destroyForcibly();
                throw new IOException(
                        "%s did not end within %s; its output:%n%s".formatted(command, wait, tail(output)));
            }
            return new Result(process.exitValue(), tail(output));
        } finally {
            Files.deleteIfExists(output);
            Files.deleteIfExists(stdin);
        }
    }

    /** As {@link #run}, where any exit code but 0 is an error that carries the output. */
    static void runOrThrow(Path directory, List<String> command, String input, Duration wait) throws IOException {
        Result result = run(directory, command, input, wait);
        if (result.exitCode() != 0) {
            throw new IOException(
                    "%s ended with exit code %d:%n%s".formatted(command, result.exitCode(), result.output()));
        }
    }

    /**
     * Leaves the child nothing of our environment: PG* variables would change its behaviour, SIGMA_* ones hold secrets.
     */
    static ProcessBuilder environment(ProcessBuilder builder) {
        String path = System.getenv().getOrDefault("PATH", "");
        builder.environment().clear();
        builder.environment().put("PATH", path + ":/usr/sbin:/usr/bin:/sbin:/bin");
        builder.environment().put("LC_ALL", "C");
        return builder;
    }

    static boolean waitFor(Process process, Duration wait) throws InterruptedIOException {
        try {
            return process.waitFor(wait.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException(
                    "interrupted while waiting for " + process.info().command().orElse("a command"));
        }
    }

    private static String tail(Path output) throws IOException {
        String text = new String(Files.readAllBytes(output), StandardCharsets.UTF_8).strip();
        return text.length() <= OUTPUT_CHARS_MAX ? text : text.substring(text.length() - OUTPUT_CHARS_MAX);
    }
}
