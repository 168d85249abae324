package io.sigma.inprocess;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.json.Json;
import io.sigma.standalone.Standalone;
import io.sigma.standalone.StandaloneSettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A gateway's changes in the event stream. */
@Timeout(120)
final class EventStreamTest {

    @TempDir
    Path dataDir;

    private final HttpClient http = HttpClient.newHttpClient();

    @Test
    void aGatewayThatServesARevisionIsToldOf() throws Exception {
        int adminPort = StandaloneSettings.freePort();
        String base = "http://127.0.0.1:" + adminPort + "/api/v1";
        try (Standalone standalone = Standalone.start(StandaloneSettings.of(dataDir, adminPort), null)) {
            assertThat(standalone.readyLine()).isNotEmpty();
            String token = Files.readString(dataDir.resolve("admin-token")).strip();
            HttpResponse<InputStream> stream =
                    http.send(request(base + "/events", token).build(), BodyHandlers.ofInputStream());
            try (BufferedReader events =
                    new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
                String id = next(events, "gateway").path("id").asText();
                next(events, "ready");
                http.send(
                        request(base + "/proxy-servers/web", token)
                                .PUT(HttpRequest.BodyPublishers.ofString(
                                        "{\"host\":\"127.0.0.1\",\"port\":" + StandaloneSettings.freePort() + "}"))
                                .build(),
                        BodyHandlers.discarding());

                JsonNode gateway = next(events, "gateway");
                while (gateway.path("revision").asLong() < 1) {
                    gateway = next(events, "gateway");
                }
                JsonNode ack = next(events, "ack");

                assertThat(gateway.path("state").asText()).isEqualTo("CURRENT");
                assertThat(ack.path("gatewayId").asText()).isEqualTo(id);
                assertThat(ack.path("answer").asText()).isEqualTo("ACK");
                assertThat(ack.path("revision").asLong()).isEqualTo(1);
            }
        }
    }

    private static HttpRequest.Builder request(String uri, String token) {
        return HttpRequest.newBuilder(URI.create(uri))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json");
    }

    /** Returns the data of the next event of a type. */
    private static JsonNode next(BufferedReader events, String type) throws IOException {
        String before = "";
        for (String line = events.readLine(); line != null; line = events.readLine()) {
            if (before.equals("event: " + type)) {
                return Json.read(line.substring("data: ".length()), JsonNode.class);
            }
            before = line;
        }
        throw new IOException("the stream has ended");
    }
}
