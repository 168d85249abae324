package io.sigma.inprocess;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.standalone.Standalone;
import io.sigma.standalone.StandaloneSettings;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The health of nodes, from the check that a gateway makes to the answer of the API. */
@Timeout(120)
final class UpstreamHealthTest {

    @TempDir
    Path dataDir;

    private final HttpClient http = HttpClient.newHttpClient();
    private String base = "";
    private String token = "";

    @Test
    void whatTheGatewayFindsOutIsAnsweredAndStreamed() throws Exception {
        int adminPort = StandaloneSettings.freePort();
        int alive = StandaloneSettings.freePort();
        int dead = StandaloneSettings.freePort();
        base = "http://127.0.0.1:" + adminPort + "/api/v1";
        try (Standalone standalone = Standalone.start(StandaloneSettings.of(dataDir, adminPort), null)) {
            assertThat(standalone.readyLine()).isNotEmpty();
            token = Files.readString(dataDir.resolve("admin-token")).strip();
            put("/proxy-servers/web", "{\"host\":\"127.0.0.1\",\"port\":" + StandaloneSettings.freePort() + "}");
            put("/routers/all", "{\"proxyServerId\":\"web\"}");
            put("/upstreams/shop", """
                    {"nodes":[{"url":"http://127.0.0.1:%d"},{"url":"http://127.0.0.1:%d/base"},{"url":"http://10.0.0.9","down":true}],
                     "healthCheck":{"type":"TCP","intervalMillis":100}}""".formatted(alive, dead));
            put("/proxy-passes/to-shop", "{\"upstreamId\":\"shop\"}");
            HttpResponse<InputStream> stream = http.send(request("/events").build(), BodyHandlers.ofInputStream());
            try (ServerSocket node = new ServerSocket(alive, 50, InetAddress.getLoopbackAddress());
                    BufferedReader events =
                            new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
                assertThat(node.isBound()).isTrue();
                put("/routes/any", "{\"routerId\":\"all\",\"path\":\"/*\",\"proxyPassId\":\"to-shop\"}");
                assertThat(eventOf(events, "127.0.0.1:" + dead)).contains("UNHEALTHY", "\"cause\":\"ACTIVE\"");
                JsonObject health = untilState(0, "HEALTHY");
                assertThat(state(health, 1)).isEqualTo("UNHEALTHY");
                assertThat(state(health, 2)).isEqualTo("DOWN");
                assertThat(health.getBoolean("disagreement")).isFalse();
                JsonObject view = node(health, 1).getJsonArray("gateways").getJsonObject(0);
                assertThat(view.getString("reason")).startsWith("failed its first check: Connection refused");
                assertThat(view.getJsonArray("events")).isNotEmpty();
            }
            assertThat(state(untilState(0, "UNHEALTHY"), 1)).isEqualTo("UNHEALTHY");
            String first = "http://127.0.0.1:" + alive;
            String second = "http://127.0.0.1:" + dead + "/base";
            assertThat(states("/node-health")).isEqualTo(Map.of(first, "UNHEALTHY", second, "UNHEALTHY"));
            assertThat(states("/node-health?upstreamIds=none,shop"))
                    .isEqualTo(Map.of(first, "UNHEALTHY", second, "UNHEALTHY", "http://10.0.0.9", "DOWN"));
            assertThat(states("/node-health?upstreamIds=none")).isEmpty();
            assertThat(http.send(request("/node-health?upstreamIds=a%20b").build(), BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(400);
            assertThat(http.send(request("/upstreams/none/health").build(), BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(404);
        }
    }

    private Map<String, String> states(String path) throws Exception {
        JsonObject answer = new JsonObject(
                http.send(request(path).build(), BodyHandlers.ofString()).body());
        assertThat(answer.getBoolean("truncated")).as(answer.encode()).isFalse();
        Map<String, String> states = new HashMap<>();
        answer.getJsonArray("nodes").forEach(node -> {
            JsonObject standing = (JsonObject) node;
            assertThat(standing.getString("upstreamId")).isEqualTo("shop");
            states.put(standing.getString("url"), standing.getString("state"));
        });
        return states;
    }

    private static String eventOf(BufferedReader events, String authority) throws IOException {
        boolean node = false;
        for (String line = events.readLine(); line != null; line = events.readLine()) {
            if (node && line.contains(authority)) {
                return line;
            }
            node = line.equals("event: node");
        }
        throw new AssertionError("the stream ended");
    }

    private static JsonObject node(JsonObject health, int node) {
        return health.getJsonArray("nodes").getJsonObject(node);
    }

    private static String state(JsonObject health, int node) {
        return node(health, node).getString("state");
    }

    private JsonObject untilState(int node, String state) throws Exception {
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (true) {
            JsonObject health =
                    new JsonObject(http.send(request("/upstreams/shop/health").build(), BodyHandlers.ofString())
                            .body());
            if (state(health, node).equals(state)) {
                return health;
            }
            assertThat(System.nanoTime()).as(health.encode()).isLessThan(deadline);
            LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
        }
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(base + path))
                .header("Authorization", "Bearer " + token)
                .timeout(Duration.ofSeconds(20));
    }

    private void put(String path, String body) throws Exception {
        HttpRequest request = request(path)
                .header("Content-Type", "application/json")
                .PUT(HttpRequest.BodyPublishers.ofString(body))
                .build();
        HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    }
}
