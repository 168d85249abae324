package io.sigma.cli;

import java.io.PrintWriter;
import java.io.StringWriter;

/** Runs a command in this JVM and keeps what it printed. */
record Cli(int exitCode, String out, String err) {

    static Cli run(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exitCode = Main.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
        return new Cli(exitCode, out.toString(), err.toString());
    }
}
