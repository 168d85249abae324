package io.sigma.inprocess;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.standalone.Standalone;
import io.sigma.standalone.StandaloneSettings;
import io.vertx.core.json.JsonObject;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A write that a gateway cannot serve is refused, from the vote to the answer of the API. */
@Timeout(120)
final class RefusedWriteTest {

    @TempDir
    Path dataDir;

    private final HttpClient http = HttpClient.newHttpClient();
    private String base = "";
    private String token = "";

    @Test
    void aPortThatIsTakenOnTheMachineOfAGatewayIsRefusedBeforeTheCommit() throws Exception {
        int adminPort = StandaloneSettings.freePort();
        base = "http://127.0.0.1:" + adminPort + "/api/v1";
        try (Standalone standalone = Standalone.start(StandaloneSettings.of(dataDir, adminPort), null)) {
            assertThat(standalone.readyLine()).isNotEmpty();
            token = Files.readString(dataDir.resolve("admin-token")).strip();
            int free = StandaloneSettings.freePort();
            JsonObject written =
                    put("/proxy-servers/web?wait=all", "{\"host\":\"127.0.0.1\",\"port\":" + free + "}", 201);
            assertThat(vote(written.getJsonObject("revision"))).isEqualTo("ACCEPT");
            try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                String body = "{\"host\":\"127.0.0.1\",\"port\":" + taken.getLocalPort() + "}";

                JsonObject refused = put("/proxy-servers/second", body, 422);

                assertThat(refused.getString("type")).isEqualTo("urn:sigma:problem:refused-by-gateway");
                JsonObject error = refused.getJsonArray("errors").getJsonObject(0);
                assertThat(error.getString("pointer")).isEqualTo("/port");
                assertThat(error.getString("detail")).contains("cannot be listened on");
                assertThat(vote(refused)).isEqualTo("REFUSE");
                assertThat(refused.getJsonArray("votes").getJsonObject(0).getString("pointer"))
                        .isEqualTo("/proxyServers/second/port");
                assertThat(get("/proxy-servers/second").statusCode()).isEqualTo(404);
                assertThat(new JsonObject(get("/health").body()).getLong("revision"))
                        .isEqualTo(written.getJsonObject("revision").getLong("number"));
            }
            JsonObject next = put("/routers/all?wait=all", "{\"proxyServerId\":\"web\"}", 201);
            assertThat(next.getJsonObject("revision").getBoolean("complete")).isTrue();
            assertThat(vote(next.getJsonObject("revision"))).isEqualTo("ACCEPT");
        }
    }

    @Test
    void aPortThatWasTakenWhileTheGatewayWasDownKeepsNothingElseClosedAndCanBeMended() throws Exception {
        int adminPort = StandaloneSettings.freePort();
        base = "http://127.0.0.1:" + adminPort + "/api/v1";
        int good = StandaloneSettings.freePort();
        int bad = StandaloneSettings.freePort();
        try (Standalone standalone = Standalone.start(StandaloneSettings.of(dataDir, adminPort), null)) {
            assertThat(standalone.readyLine()).doesNotContain("not open");
            token = Files.readString(dataDir.resolve("admin-token")).strip();
            put("/proxy-servers/good?wait=all", "{\"host\":\"127.0.0.1\",\"port\":" + good + "}", 201);
            put("/proxy-servers/bad?wait=all", "{\"host\":\"127.0.0.1\",\"port\":" + bad + "}", 201);
        }
        try (ServerSocket taken = new ServerSocket(bad, 1, InetAddress.getLoopbackAddress());
                Standalone standalone = Standalone.start(StandaloneSettings.of(dataDir, adminPort), null)) {
            assertThat(standalone.readyLine()).contains("http://localhost:" + bad + "/ (not open)");
            try (Socket open = new Socket(InetAddress.getLoopbackAddress(), good)) {
                assertThat(open.isConnected()).isTrue();
            }
            JsonObject gateway = new JsonObject(get("/gateways").body())
                    .getJsonArray("items")
                    .getJsonObject(0);
            assertThat(gateway.getJsonObject("refusal").getString("pointer")).isEqualTo("/proxyServers/bad/port");
            JsonObject mended = write("DELETE", "/proxy-servers/bad?wait=all", "", 200);
            assertThat(mended.getJsonObject("revision").getBoolean("complete")).isTrue();
            assertThat(taken.isBound()).isTrue();
        }
    }

    @Test
    void aPathThatTheOperatorDidNotOpenIsRefusedOnItsField() throws Exception {
        int adminPort = StandaloneSettings.freePort();
        base = "http://127.0.0.1:" + adminPort + "/api/v1";
        try (Standalone standalone = Standalone.start(StandaloneSettings.of(dataDir, adminPort), null)) {
            assertThat(standalone.readyLine()).isNotEmpty();
            token = Files.readString(dataDir.resolve("admin-token")).strip();
            for (String root : new String[] {"/", dataDir.toString(), "/proc/self/root", "..", "/srv"}) {
                pointsAt(
                        "/staticFiles/rootPath",
                        "/proxy-passes/a",
                        "{\"staticFiles\":{\"rootPath\":\"" + root + "\"}}");
            }
            put("/proxy-passes/a", "{\"staticFiles\":{\"rootPath\":\"www\"}}", 201);
            pointsAt(
                    "/plugins/accessLog/path",
                    "/proxy-passes/b",
                    "{\"fixedResponse\":{},\"plugins\":{\"accessLog\":{\"path\":\"/etc/cron.d/x\"}}}");
            pointsAt(
                    "/tls/caPath",
                    "/upstreams/c",
                    "{\"nodes\":[{\"url\":\"http://10.0.0.1:80\"}],\"tls\":{\"caPath\":\"/etc/none.pem\"}}");
            JsonObject imported = post(
                    "/import/sigma-json",
                    "{\"proxy-server\":{\"http\":{\"id\":\"w\",\"port\":" + StandaloneSettings.freePort()
                            + ",\"plugin\":{\"static-resources\":{\"enable\":true,\"root-path\":\"/etc\"}}}}}",
                    422);
            assertThat(imported.getJsonArray("errors").getJsonObject(0).getString("pointer"))
                    .isEqualTo("/proxy-server/http/plugin/static-resources/root-path");
        }
    }

    private void pointsAt(String pointer, String path, String body) throws Exception {
        JsonObject refused = put(path, body, 422);
        assertThat(refused.getString("type")).isEqualTo("urn:sigma:problem:refused-by-gateway");
        assertThat(refused.getJsonArray("errors").getJsonObject(0).getString("pointer"))
                .isEqualTo(pointer);
    }

    private static String vote(JsonObject holder) {
        return holder.getJsonArray("votes").getJsonObject(0).getString("vote");
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(base + path))
                .header("Authorization", "Bearer " + token)
                .timeout(Duration.ofSeconds(20));
    }

    private HttpResponse<String> get(String path) throws Exception {
        return http.send(request(path).build(), BodyHandlers.ofString());
    }

    private JsonObject put(String path, String body, int status) throws Exception {
        return write("PUT", path, body, status);
    }

    private JsonObject post(String path, String body, int status) throws Exception {
        return write("POST", path, body, status);
    }

    private JsonObject write(String method, String path, String body, int status) throws Exception {
        HttpRequest request = request(path)
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build();
        HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        return new JsonObject(answer.body());
    }
}
