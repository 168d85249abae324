package io.sigma.inprocess;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.json.Json;
import io.sigma.standalone.Standalone;
import io.sigma.standalone.StandaloneSettings;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Traffic counts from the event loops of a gateway to the answer of the API. */
@Timeout(120)
final class TrafficTest {

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path dataDir;

    private final HttpClient http = HttpClient.newHttpClient();
    private String base = "";
    private String token = "";

    @Test
    void whatComesIsCountedByRouteGatewayAndInAll() throws Exception {
        int adminPort = StandaloneSettings.freePort();
        int port = StandaloneSettings.freePort();
        base = "http://127.0.0.1:" + adminPort + "/api/v1";
        try (Standalone standalone = Standalone.start(StandaloneSettings.of(dataDir, adminPort), null)) {
            assertThat(standalone.readyLine()).isNotEmpty();
            token = Files.readString(dataDir.resolve("admin-token")).strip();
            put("/proxy-servers/web", "{\"host\":\"127.0.0.1\",\"port\":" + port + "}");
            put("/routers/all", "{\"proxyServerId\":\"web\"}");
            put("/upstreams/dead", "{\"nodes\":[{\"url\":\"http://127.0.0.1:1\"}]}");
            put("/proxy-passes/hello", "{\"fixedResponse\":{\"status\":200,\"body\":\"hello\"}}");
            put("/proxy-passes/to-dead", "{\"upstreamId\":\"dead\"}");
            put("/routes/hello", "{\"routerId\":\"all\",\"path\":\"/hello\",\"proxyPassId\":\"hello\"}");
            put("/routes/dead", "{\"routerId\":\"all\",\"path\":\"/dead\",\"proxyPassId\":\"to-dead\"}");
            for (int i = 0; i < 20; i++) {
                ask(port, "/hello", 200);
            }
            ask(port, "/dead", 502);
            ask(port, "/nowhere", 404);

            String to = "to=" + Instant.now().plusSeconds(120);
            JsonNode hello = untilRequests("/traffic?route=hello&" + to, 20);
            assertThat(hello.path("total").path("status2xx").asInt()).isEqualTo(20);
            assertThat(hello.path("total").path("bytesOut").asInt()).isEqualTo(100);
            assertThat(hello.path("total").path("p99Millis").asDouble()).isPositive();
            assertThat(hello.path("resolutionSeconds").asInt()).isEqualTo(5);
            assertThat(hello.path("points")).isNotEmpty();
            // Nothing ran a quarter of an hour ago, and nothing has reported what is to come.
            assertThat(hello.path("gaps")).hasSize(2);
            assertThat(hello.path("total").path("perSecond").asDouble()).isGreaterThan(20.0 / 60);
            assertThat(get("/traffic?resolution=1m&route=hello&" + to)
                            .path("total")
                            .path("requests")
                            .asInt())
                    .isEqualTo(20);
            assertThat(get("/traffic?upstream=dead&" + to)
                            .path("total")
                            .path("unanswered")
                            .asInt())
                    .isPositive();
            assertThat(get("/traffic?route=none&" + to)
                            .path("total")
                            .path("status4xx")
                            .asInt())
                    .isEqualTo(1);
            assertThat(get("/traffic?" + to).path("total").path("requests").asInt())
                    .isEqualTo(22);
            JsonNode top = get("/traffic/top?kind=route&by=failures&limit=1&" + to);
            assertThat(top.path("items"))
                    .extracting(item -> item.path("id").asText())
                    .containsExactly("dead");

            assertThat(status("/traffic?route=a&upstream=b")).isEqualTo(400);
            assertThat(status("/traffic?from=yesterday-at-noon-or-so")).isEqualTo(400);
            assertThat(status("/traffic?from=2020-01-01T00:00:00Z")).isEqualTo(400);
            assertThat(status("/traffic?resolution=1h")).isEqualTo(400);
            assertThat(status("/traffic/top?kind=router")).isEqualTo(400);
        }
    }

    private void ask(int port, String path, int status) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .build();
        assertThat(http.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(status);
    }

    private JsonNode untilRequests(String path, int requests) throws Exception {
        long deadline = System.nanoTime() + Duration.ofSeconds(40).toNanos();
        while (true) {
            JsonNode series = get(path);
            if (series.path("total").path("requests").asInt() == requests) {
                return series;
            }
            assertThat(System.nanoTime()).as(series.toString()).isLessThan(deadline);
            LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
        }
    }

    private JsonNode get(String path) throws Exception {
        HttpResponse<String> answer = http.send(request(path).build(), BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return Json.read(answer.body(), JsonNode.class);
    }

    private int status(String path) throws Exception {
        return http.send(request(path).build(), BodyHandlers.ofString()).statusCode();
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(base + path))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .timeout(Duration.ofSeconds(60));
    }

    private void put(String path, String body) throws Exception {
        HttpResponse<String> answer = http.send(
                request(path + "?wait=all")
                        .PUT(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isIn(200, 201);
    }
}
