package io.sigma.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A {@code bin/sigma} process; its output goes to a file below {@code target/process-logs}. */
public final class SigmaProcess implements AutoCloseable {

    private static final AtomicInteger STARTED = new AtomicInteger();

    private final String name;
    private final Process process;
    private final Path output;

    private SigmaProcess(String name, Process process, Path output) {
        this.name = name;
        this.process = process;
        this.output = output;
    }

    /** Collects the arguments and variables of a process to start. */
    public static final class Command {

        private final String name;
        private final List<String> arguments;
        private final Map<String, String> environment = new LinkedHashMap<>();
        private final List<String> wrapper = new ArrayList<>();

        private Command(String name, List<String> arguments) {
            this.name = name;
            this.arguments = arguments;
        }

        public Command with(String variable, Object value) {
            environment.put(variable, String.valueOf(value));
            return this;
        }

        String name() {
            return name;
        }

        /** Lets {@code words}, a program that becomes its last arguments, start the process. */
        public Command under(String... words) {
            wrapper.addAll(List.of(words));
            return this;
        }

        /** Starts a process; a command may be started again after its process ended. */
        public SigmaProcess start() {
            Path output = logs().resolve(name + "-" + STARTED.incrementAndGet() + ".log");
            List<String> line = new ArrayList<>(wrapper);
            line.add(Path.of(property("sigma.home"), "bin", "sigma").toString());
            line.addAll(arguments);
            ProcessBuilder builder =
                    new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(output.toFile());
            builder.environment().keySet().removeIf(key -> key.startsWith("SIGMA_"));
            builder.environment().putAll(environment);
            try {
                return new SigmaProcess(name, builder.start(), output);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    public static Command command(String name, String... arguments) {
        return new Command(name, List.of(arguments));
    }

    /** Returns the folder of what processes print. */
    public static Path logs() {
        Path logs = Path.of(property("sigma.logs"));
        try {
            return Files.createDirectories(logs);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String property(String key) {
        return Objects.requireNonNull(System.getProperty(key), () -> "system property " + key);
    }

    /** Returns what the process has printed so far. */
    public String output() {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    public long pid() {
        return process.pid();
    }

    /** Ends the process as {@code kill -9} does. */
    public void kill() {
        process.destroyForcibly();
        Await.until(name + " is gone", () -> !process.isAlive());
    }

    /** Tells it to end, as a service manager does, and does not wait. */
    public void terminate() {
        process.destroy();
    }

    /** Waits for the process to end by itself and returns its exit code. */
    public int exitCode() {
        try {
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                throw new AssertionError(name + " still runs after 60 s; its output:\n" + output());
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Stops the process as a service manager does: SIGTERM, then after a while SIGKILL. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
        }
    }

    @Override
    public String toString() {
        return name + " (pid " + process.pid() + ", output in " + output + ")";
    }
}
