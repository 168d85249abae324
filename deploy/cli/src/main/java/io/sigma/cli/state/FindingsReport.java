package io.sigma.cli.state;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.cli.api.FieldDiff;
import java.io.PrintWriter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Tells what the analysis says of a change, and whether that is too much for who asked. */
public final class FindingsReport {

    /** From the worst; as in the contract. */
    enum Severity {
        ERROR,
        WARNING,
        INFO
    }

    /** Something is as severe as may not be, or nobody knows. */
    static final int TOO_SEVERE = 7;

    @Option(
            names = "--fail-on",
            paramLabel = "error|warning|info",
            description = "Exit code 7: the analysis has a new finding of this severity or a higher one, or it did "
                    + "not finish in time.")
    @Nullable
    Severity failOn;

    /** Prints a line for each finding that {@code result} has, and one when none are known. */
    static void print(PrintWriter out, JsonNode result) {
        JsonNode revision = result.path("revision");
        for (JsonNode finding : revision.path("findings")) {
            String pointer = finding.path("pointer").asText();
            out.println(finding.path("severity").asText().toLowerCase(Locale.ROOT) + ": "
                    + finding.path("rule").asText() + ": " + FieldDiff.label(finding)
                    + (pointer.isEmpty() ? "" : " " + pointer) + ": "
                    + finding.path("detail").asText());
        }
        if (!isKnown(revision)) {
            out.println("The analysis did not finish in time: nothing is known about findings.");
        }
    }

    private static boolean isKnown(JsonNode revision) {
        return revision.path("analysed").asBoolean(true);
    }

    /** Returns {@code otherwise}, or that what {@code result} tells of is too severe. */
    int exitCode(JsonNode result, int otherwise) {
        Severity least = failOn;
        if (least == null) {
            return otherwise;
        }
        JsonNode revision = result.path("revision");
        boolean bad = !isKnown(revision);
        for (JsonNode finding : revision.path("findings")) {
            bad |= Severity.valueOf(finding.path("severity").asText()).compareTo(least) <= 0;
        }
        return bad ? TOO_SEVERE : otherwise;
    }
}
