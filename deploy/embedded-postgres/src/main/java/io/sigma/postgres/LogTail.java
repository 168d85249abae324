package io.sigma.postgres;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Carries the server's log lines to SLF4J and keeps the last ones for error messages. */
final class LogTail {

    private static final Logger log = LoggerFactory.getLogger("io.sigma.postgres.server");
    private static final int LINES_MAX = 30;
    private static final Pattern SEVERITY = Pattern.compile("\\] ([A-Z]+): ");

    // Guarded by itself.
    private final Deque<String> lines = new ArrayDeque<>(LINES_MAX);

    /** Reads until the process closes its output, on a thread of its own. */
    void follow(Process process) {
        Thread.ofPlatform().daemon().name("sigma-postgres-log").start(() -> {
            try (BufferedReader reader = process.inputReader()) {
                for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                    add(line);
                    log.atLevel(level(line)).log("{}", line);
                }
            } catch (IOException e) {
                log.debug("the log of PostgreSQL ended", e);
            }
        });
    }

    /** "LOG" is what an administrator may want to know, and its continuation lines carry no severity. */
    static Level level(String line) {
        Matcher severity = SEVERITY.matcher(line);
        if (!severity.find()) {
            return Level.DEBUG;
        }
        return switch (severity.group(1)) {
            case "PANIC", "FATAL" -> Level.ERROR;
            case "ERROR", "WARNING" -> Level.WARN;
            default -> Level.DEBUG;
        };
    }

    private void add(String line) {
        synchronized (lines) {
            if (lines.size() == LINES_MAX) {
                lines.removeFirst();
            }
            lines.addLast(line);
        }
    }

    /** Returns the last lines, oldest first. */
    String text() {
        synchronized (lines) {
            return String.join(System.lineSeparator(), lines);
        }
    }
}
