package io.sigma.controlplane.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.controlplane.testing.RunningControlPlane;
import io.sigma.controlplane.testing.TestDatabase;
import io.sigma.controlplane.testing.TestSettings;
import io.sigma.json.Json;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class EventsTest {

    @TempDir
    Path dir;

    @Test
    void clientsAreToldTheStateAndThenEachRevision() throws Exception {
        try (RunningControlPlane running = RunningControlPlane.start(TestSettings.of(dir, TestDatabase.fresh()));
                HttpClient http = HttpClient.newHttpClient()) {
            running.client().put("/proxy-servers/a", "{\"port\":1}");
            HttpResponse<InputStream> stream = http.send(request(running), HttpResponse.BodyHandlers.ofInputStream());
            assertThat(stream.statusCode()).isEqualTo(200);
            assertThat(stream.headers().firstValue("Content-Type")).hasValue("text/event-stream");
            try (BufferedReader lines =
                    new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
                assertThat(next(lines).path("number").asLong()).isEqualTo(1);
                running.client().put("/proxy-servers/b?message=because", "{\"port\":2}");
                JsonNode second = next(lines);
                assertThat(second.path("number").asLong()).isEqualTo(2);
                assertThat(second.path("message").asText()).isEqualTo("because");
            }
        }
    }

    @Test
    void oneClientTooManyIsAnswered503AndARoomIsGivenFree() throws Exception {
        try (RunningControlPlane running =
                        RunningControlPlane.start(TestSettings.of(dir, TestDatabase.fresh(), "eventClientsMax", "1"));
                HttpClient http = HttpClient.newHttpClient()) {
            HttpResponse<InputStream> first = http.send(request(running), HttpResponse.BodyHandlers.ofInputStream());
            assertThat(first.statusCode()).isEqualTo(200);
            assertThat(running.client().get("/events").status()).isEqualTo(503);
            first.body().close();
            long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
            int status = 503;
            while (status == 503 && System.nanoTime() < deadline) {
                // A write makes the server notice that the first client is gone.
                running.client().put("/proxy-servers/a", "{\"port\":" + (1 + System.nanoTime() % 60_000) + "}");
                HttpResponse<InputStream> next = http.send(request(running), HttpResponse.BodyHandlers.ofInputStream());
                status = next.statusCode();
                next.body().close();
            }
            assertThat(status).isEqualTo(200);
        }
    }

    private static HttpRequest request(RunningControlPlane running) {
        return HttpRequest.newBuilder(URI.create(running.client().base() + "/api/v1/events"))
                .setHeader("Authorization", "Bearer " + TestSettings.TOKEN)
                .build();
    }

    /** Returns the data of the next event, which is a revision. */
    private static JsonNode next(BufferedReader lines) throws Exception {
        String line = lines.readLine();
        while (line != null && !line.startsWith("event: ")) {
            line = lines.readLine();
        }
        assertThat(line).isEqualTo("event: revision");
        return Json.read(lines.readLine().substring("data: ".length()), JsonNode.class);
    }
}
