package io.sigma.cli.state;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * Tells what the gateways said to a change before its commit: one that nobody was asked about looks like one that all
 * took. Pure.
 */
public final class VotesReport {

    private VotesReport() {}

    /** Prints a line, unless {@code result} changes nothing or was made before, when nobody is asked. */
    static void print(PrintWriter out, JsonNode result) {
        JsonNode revision = result.path("revision");
        if (revision.path("changed").asBoolean() && !revision.path("repeated").asBoolean()) {
            out.println("votes: " + text(revision.path("votes")));
        }
    }

    private static String text(JsonNode votes) {
        if (votes.isEmpty()) {
            return "no gateway was asked";
        }
        int accepted = 0;
        List<String> others = new ArrayList<>();
        for (JsonNode vote : votes) {
            String said = switch (vote.path("vote").asText()) {
                case "ACCEPT" -> "";
                case "SILENT" -> "silent";
                case "ABSTAIN" -> "abstained";
                default -> "refused";
            };
            if (said.isEmpty()) {
                accepted++;
            } else {
                String reason = vote.path("reason").asText();
                others.add(
                        vote.path("gatewayId").asText() + " " + said + (reason.isEmpty() ? "" : " (" + reason + ")"));
            }
        }
        others.addFirst(accepted + " accepted");
        return String.join(", ", others);
    }
}
