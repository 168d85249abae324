package io.sigma.cli.state;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.json.Json;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

final class VotesReportTest {

    private static String told(String revision) {
        StringWriter out = new StringWriter();
        VotesReport.print(new PrintWriter(out, true), Json.read("{\"revision\":{" + revision + "}}", JsonNode.class));
        return out.toString().strip();
    }

    @Test
    void whoDidNotAcceptIsNamedWithTheReason() {
        assertThat(told("""
                                "changed": true, "votes": [
                                  {"gatewayId": "gw-1", "vote": "ACCEPT", "millis": 12},
                                  {"gatewayId": "gw-2", "vote": "SILENT", "reason": "no answer within 2000 ms"},
                                  {"gatewayId": "gw-3", "vote": "ABSTAIN"},
                                  {"gatewayId": "gw-4", "vote": "ACCEPT", "millis": 9}]
                                """)).isEqualTo("votes: 2 accepted, gw-2 silent (no answer within 2000 ms), gw-3 abstained");
    }

    @Test
    void aChangeThatNobodyWasAskedAboutSaysSo() {
        assertThat(told("\"changed\": true")).isEqualTo("votes: no gateway was asked");
    }

    @Test
    void nothingIsSaidOfWhatChangesNothingOrWasMadeBefore() {
        assertThat(told("\"changed\": false")).isEmpty();
        assertThat(told("\"changed\": true, \"repeated\": true")).isEmpty();
    }
}
