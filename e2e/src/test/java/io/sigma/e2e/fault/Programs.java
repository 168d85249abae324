package io.sigma.e2e.fault;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Runs programs of the machine. */
public final class Programs {

    private Programs() {}

    /** Returns what a program prints; fails when it does. */
    public static String run(String... line) throws IOException {
        Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            int code = process.waitFor();
            if (code != 0) {
                throw new IOException(List.of(line) + " ended with " + code + ": " + output);
            }
            return output;
        } catch (InterruptedException e) {
            process.destroy();
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    /** Returns whether a program is on the path. */
    public static boolean isThere(String program) {
        return Stream.of(System.getenv("PATH").split(":"))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    public static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }
}
