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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The last requests, from the event loops of a gateway to who watches. */
@Timeout(120)
final class WatchedRequestsTest {

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path dataDir;

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final int adminPort = StandaloneSettings.freePort();
    private final int port = StandaloneSettings.freePort();
    private final String base = "http://127.0.0.1:" + adminPort + "/api/v1";
    private String admin = "";

    @SuppressWarnings("NullAway.Init")
    private Standalone standalone;

    @BeforeEach
    void start() throws Exception {
        standalone = Standalone.start(StandaloneSettings.of(dataDir, adminPort), null);
        assertThat(standalone.readyLine()).isNotEmpty();
        admin = Files.readString(dataDir.resolve("admin-token")).strip();
        put("/proxy-servers/web", "{\"host\":\"127.0.0.1\",\"port\":" + port + "}");
        put("/routers/all", "{\"proxyServerId\":\"web\"}");
        put("/proxy-passes/hello", "{\"fixedResponse\":{\"status\":200,\"body\":\"hello\"}}");
        put(
                "/routes/hello",
                "{\"routerId\":\"all\",\"path\":\"/hello/*\",\"proxyPassId\":\"hello\",\"labels\":{\"team\":\"shop\"}}");
    }

    @AfterEach
    void stop() {
        standalone.close();
    }

    @Test
    void theLastRequestsAreListedForWhoMayReadThem() throws Exception {
        ask("/hello/1?token=secret");
        ask("/nowhere");
        JsonNode all = until("/requests", admin, 2);

        assertThat(all.path("missing")).isEmpty();
        JsonNode hello = find(all, "/hello/1");
        assertThat(hello.path("routeId").asText()).isEqualTo("hello");
        assertThat(hello.path("status").asInt()).isEqualTo(200);
        assertThat(hello.path("clientAddress").asText()).isEqualTo("127.0.0.1");
        assertThat(hello.path("revision").asLong()).isEqualTo(4);
        assertThat(hello.path("gatewayId").asText()).isNotEmpty();
        assertThat(find(all, "/nowhere").path("error").asText()).isEqualTo("no_route");
        assertThat(all.toString()).doesNotContain("secret");

        assertThat(paths(get("/requests?route=hello", admin))).containsExactly("/hello/1");
        assertThat(paths(get("/requests?route=none", admin))).containsExactly("/nowhere");
        assertThat(paths(get("/requests?status=4xx", admin))).containsExactly("/nowhere");
        assertThat(paths(get("/requests?status=failed", admin))).isEmpty();
        assertThat(paths(get("/requests?text=HELLO", admin))).containsExactly("/hello/1");
        assertThat(paths(get("/requests?proxyServer=other", admin))).isEmpty();
        assertThat(paths(get("/requests?gateway=other", admin))).isEmpty();
        assertThat(paths(get("/requests?limit=1", admin))).hasSize(1);
        assertThat(status("/requests?status=9xx")).isEqualTo(400);
        assertThat(status("/requests?limit=201")).isEqualTo(400);
        assertThat(status("/requests?text=" + "x".repeat(65))).isEqualTo(400);
        assertThat(status("/requests/stream?limit=1")).isEqualTo(400);

        JsonNode seen = get("/requests", token("{\"name\":\"wall\",\"role\":\"VIEWER\"}"));
        assertThat(paths(seen)).hasSize(2);
        assertThat(seen.toString()).doesNotContain("clientAddress");
        String shop = token("{\"name\":\"shop\",\"role\":\"EDITOR\",\"labels\":{\"team\":\"shop\"}}");
        String pay = token("{\"name\":\"pay\",\"role\":\"EDITOR\",\"labels\":{\"team\":\"pay\"}}");
        assertThat(paths(get("/requests", shop))).containsExactly("/hello/1");
        assertThat(paths(get("/requests", pay))).isEmpty();
    }

    @Test
    void aStreamTellsWhatCameBeforeAndWhatComes() throws Exception {
        ask("/hello/before");
        until("/requests", admin, 1);
        String pay = token("{\"name\":\"pay\",\"role\":\"EDITOR\",\"labels\":{\"team\":\"pay\"}}");
        try (Stream all = new Stream("", admin);
                Stream failed = new Stream("?status=failed", admin);
                Stream others = new Stream("", pay)) {
            assertThat(paths(all.next())).containsExactly("/hello/before");
            assertThat(paths(failed.next())).isEmpty();
            assertThat(paths(others.next())).isEmpty();

            Set<String> asked = new TreeSet<>();
            for (int i = 0; i < 10; i++) {
                ask("/hello/" + i);
                asked.add("/hello/" + i);
            }
            Set<String> told = new TreeSet<>();
            long matched = 0;
            while (told.size() < asked.size()) {
                JsonNode event = all.next();
                told.addAll(paths(event));
                matched += event.path("matched").asLong();
            }
            assertThat(told).isEqualTo(asked);
            assertThat(matched).isEqualTo(10);

            // Who joins hears what the others know already.
            try (Stream later = new Stream("", admin)) {
                assertThat(paths(later.next())).contains("/hello/before").containsAll(asked);
            }
        }
    }

    @Test
    void streamsAreBounded() throws Exception {
        List<Stream> open = new ArrayList<>();
        try {
            for (int i = 0; i < 8; i++) {
                open.add(new Stream("?text=t" + i, admin));
                open.getLast().next();
            }
            assertThat(status("/requests/stream")).isEqualTo(503);
            String viewer = token("{\"name\":\"wall\",\"role\":\"VIEWER\"}");
            try (Stream further = new Stream("?text=further", viewer)) {
                JsonNode event = further.next();
                while (event.path("missing").isEmpty()) {
                    event = further.next();
                }
                assertThat(event.path("missing").get(0).path("reason").asText()).isEqualTo("BUSY");
            }
        } finally {
            for (Stream stream : open) {
                stream.close();
            }
        }
    }

    private final class Stream implements AutoCloseable {

        private final HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        private final BufferedReader lines;

        Stream(String query, String token) throws Exception {
            HttpResponse<InputStream> response =
                    client.send(request("/requests/stream" + query, token).build(), BodyHandlers.ofInputStream());
            assertThat(response.statusCode()).isEqualTo(200);
            lines = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
        }

        JsonNode next() throws IOException {
            String before = "";
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (before.equals("event: requests")) {
                    return Json.read(line.substring("data: ".length()), JsonNode.class);
                }
                before = line;
            }
            throw new IOException("the stream has ended");
        }

        @Override
        public void close() {
            client.shutdownNow();
        }
    }

    private static List<String> paths(JsonNode requests) {
        List<String> paths = new ArrayList<>();
        requests.path("items").forEach(item -> paths.add(item.path("path").asText()));
        return paths;
    }

    private static JsonNode find(JsonNode requests, String path) {
        for (JsonNode item : requests.path("items")) {
            if (item.path("path").asText().equals(path)) {
                return item;
            }
        }
        throw new AssertionError("no " + path + " in " + requests);
    }

    private void ask(String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .build();
        http.send(request, BodyHandlers.discarding());
    }

    /** Waits until there are so many: a request is over a moment after its client has the answer. */
    private JsonNode until(String path, String token, int count) throws Exception {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (true) {
            JsonNode requests = get(path, token);
            if (requests.path("items").size() >= count || System.nanoTime() > deadline) {
                assertThat(requests.path("items")).hasSize(count);
                return requests;
            }
        }
    }

    private JsonNode get(String path, String token) throws Exception {
        HttpResponse<String> answer = http.send(request(path, token).build(), BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return Json.read(answer.body(), JsonNode.class);
    }

    private int status(String path) throws Exception {
        return http.send(request(path, admin).build(), BodyHandlers.ofString()).statusCode();
    }

    private String token(String body) throws Exception {
        HttpResponse<String> answer = http.send(
                request("/tokens", admin)
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        return Json.read(answer.body(), JsonNode.class).path("token").asText();
    }

    private HttpRequest.Builder request(String path, String token) {
        return HttpRequest.newBuilder(URI.create(base + path))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .timeout(Duration.ofSeconds(60));
    }

    private void put(String path, String body) throws Exception {
        HttpResponse<String> answer = http.send(
                request(path + "?wait=all", admin)
                        .PUT(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isIn(200, 201);
    }
}
