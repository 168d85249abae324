package io.sigma.cli;

import java.io.PrintWriter;
import java.io.StringWriter;

/** Runs a command in this JVM and keeps what it printed. */
public record Cli(int exitCode, String out, String err) {

    public static Cli run(String... args) {
        StringWriter out = new StringWriter();
        Cli ran = printing(new PrintWriter(out, true), args);
        return new Cli(ran.exitCode, out.toString(), ran.err);
    }

    /** Runs a command that prints to {@code out}, of which nothing is kept. */
    public static Cli printing(PrintWriter out, String... args) {
        StringWriter err = new StringWriter();
        int exitCode = Main.run(out, new PrintWriter(err, true), args);
        return new Cli(exitCode, "", err.toString());
    }
}
