package io.sigma.inprocess;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.json.Json;
import io.sigma.standalone.Standalone;
import io.sigma.standalone.StandaloneSettings;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The open connections of a gateway, listed and closed through the admin API. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class GatewayConnectionsTest {

    private static final String SWITCHING =
            "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: chat\r\n\r\n";

    /** A heartbeat of Bolt, version 1, and how long its answer is. */
    private static final byte[] HEARTBEAT = {1, 1, 0, 0, 1, 0, 0, 0, 7, 1, 0, 0, 3, 100, 0, 0, 0, 0, 0, 0, 0, 0};

    private static final int ANSWER_BYTES = 20;

    private final HttpClient http = HttpClient.newHttpClient();
    private String base = "";
    private String token = "";
    private String gateway = "";
    private int tcpPort;
    private int webPort;
    private int rpcPort;

    @SuppressWarnings("NullAway.Init")
    private Standalone standalone;

    @SuppressWarnings("NullAway.Init")
    private ServerSocket echo;

    @SuppressWarnings("NullAway.Init")
    private ServerSocket chat;

    @BeforeAll
    void start(@TempDir Path dataDir) throws Exception {
        int adminPort = StandaloneSettings.freePort();
        tcpPort = StandaloneSettings.freePort();
        webPort = StandaloneSettings.freePort();
        rpcPort = StandaloneSettings.freePort();
        base = "http://127.0.0.1:" + adminPort + "/api/v1";
        standalone = Standalone.start(StandaloneSettings.of(dataDir, adminPort), null);
        token = Files.readString(dataDir.resolve("admin-token")).strip();
        echo = serve("");
        chat = serve(SWITCHING);
        put("/upstreams/echo", "{\"nodes\":[{\"url\":\"http://127.0.0.1:%d\"}]}".formatted(echo.getLocalPort()));
        put("/upstreams/chat", "{\"nodes\":[{\"url\":\"http://127.0.0.1:%d\"}]}".formatted(chat.getLocalPort()));
        put("/proxy-passes/to-echo", "{\"upstreamId\":\"echo\"}");
        put("/proxy-passes/to-chat", "{\"upstreamId\":\"chat\"}");
        put("/proxy-servers/tcp", "{\"host\":\"127.0.0.1\",\"port\":%d,\"protocol\":\"TCP\"}".formatted(tcpPort));
        put("/proxy-servers/web", "{\"host\":\"127.0.0.1\",\"port\":%d}".formatted(webPort));
        put("/proxy-servers/rpc", "{\"host\":\"127.0.0.1\",\"port\":%d,\"protocol\":\"BOLT\"}".formatted(rpcPort));
        put("/routers/rpc", "{\"proxyServerId\":\"rpc\",\"proxyPassId\":\"to-echo\"}");
        put("/routers/tcp", "{\"proxyServerId\":\"tcp\",\"proxyPassId\":\"to-echo\"}");
        put("/routers/web", "{\"proxyServerId\":\"web\"}");
        put("/routes/chat", "{\"routerId\":\"web\",\"path\":\"/*\",\"proxyPassId\":\"to-chat\"}");
        gateway = json(call("GET", "/gateways", token, null))
                .path("items")
                .path(0)
                .path("id")
                .asText();
    }

    @AfterAll
    void stop() throws IOException {
        standalone.close();
        echo.close();
        chat.close();
    }

    /** Returns what answers with {@code first}, after a head if there is one, and then with what it gets. */
    private static ServerSocket serve(String first) throws IOException {
        ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(() -> {
            while (!server.isClosed()) {
                try {
                    Socket socket = server.accept();
                    Thread.ofVirtual().start(() -> answer(socket, first));
                } catch (IOException e) {
                    return;
                }
            }
        });
        return server;
    }

    private static void answer(Socket socket, String first) {
        try (socket) {
            InputStream in = socket.getInputStream();
            if (!first.isEmpty()) {
                head(in);
                socket.getOutputStream().write(first.getBytes(StandardCharsets.US_ASCII));
            }
            in.transferTo(socket.getOutputStream());
        } catch (IOException e) {
            // The gateway closed it.
        }
    }

    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                break;
            }
            head.append((char) next);
        }
        return head.toString();
    }

    private Socket open() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), tcpPort);
        socket.setSoTimeout(15_000);
        socket.getOutputStream().write("hello".getBytes(StandardCharsets.US_ASCII));
        assertThat(socket.getInputStream().readNBytes(5)).hasSize(5);
        return socket;
    }

    private Socket tunnel() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), webPort);
        socket.setSoTimeout(15_000);
        socket.getOutputStream()
                .write("GET /room HTTP/1.1\r\nHost: chat.example.com\r\nConnection: Upgrade\r\nUpgrade: chat\r\n\r\n"
                        .getBytes(StandardCharsets.US_ASCII));
        assertThat(head(socket.getInputStream())).startsWith("HTTP/1.1 101");
        return socket;
    }

    @Test
    void connectionsAreListedFilteredAndClosed() throws Exception {
        long revision = json(call("GET", "/gateways/" + gateway, token, null))
                .path("revision")
                .asLong();
        try (Socket first = open();
                Socket second = open();
                Socket third = tunnel()) {
            JsonNode all = list("");
            assertThat(all.path("matching").asInt()).isEqualTo(3);
            assertThat(all.path("items"))
                    .extracting(item -> item.path("protocol").asText())
                    .containsExactly("TCP", "TCP", "TUNNEL");
            JsonNode tcp = all.path("items").path(0);
            assertThat(tcp.path("proxyServerId").asText()).isEqualTo("tcp");
            assertThat(tcp.path("routerId").asText()).isEqualTo("tcp");
            assertThat(tcp.path("upstreamId").asText()).isEqualTo("echo");
            assertThat(tcp.path("node").asText()).isEqualTo("http://127.0.0.1:" + echo.getLocalPort());
            assertThat(tcp.path("clientAddress").asText()).isEqualTo("127.0.0.1");
            assertThat(tcp.path("clientPort").asInt()).isEqualTo(first.getLocalPort());
            assertThat(tcp.path("bytesIn").asInt()).isEqualTo(5);
            assertThat(tcp.path("bytesOut").asInt()).isEqualTo(5);
            assertThat(tcp.path("revision").asLong()).isEqualTo(revision);
            JsonNode chatting = all.path("items").path(2);
            assertThat(chatting.path("routeId").asText()).isEqualTo("chat");
            assertThat(chatting.path("serverName").asText()).isEqualTo("chat.example.com");
            assertThat(chatting.path("revision").asLong()).isEqualTo(revision);

            assertThat(list("?protocol=TUNNEL").path("matching").asInt()).isEqualTo(1);
            assertThat(list("?proxyServerId=tcp").path("matching").asInt()).isEqualTo(2);
            assertThat(list("?upstreamId=chat").path("matching").asInt()).isEqualTo(1);
            assertThat(list("?node=http://127.0.0.1:" + echo.getLocalPort())
                            .path("matching")
                            .asInt())
                    .isEqualTo(2);
            assertThat(list("?clientAddress=10.0.0.0/8").path("matching").asInt())
                    .isZero();
            assertThat(list("?clientAddress=127.0.0.1").path("matching").asInt())
                    .isEqualTo(3);
            JsonNode oldest = list("?limit=1");
            assertThat(oldest.path("matching").asInt()).isEqualTo(3);
            assertThat(oldest.path("items")).containsExactly(tcp);

            assertThat(close(tcp, token).statusCode()).isEqualTo(204);
            assertThat(first.getInputStream().read()).isEqualTo(-1);
            assertThat(close(chatting, token).statusCode()).isEqualTo(204);
            assertThat(third.getInputStream().read()).isEqualTo(-1);
            // A connection that is being closed waits for the end of its client.
            first.shutdownOutput();
            third.shutdownOutput();
            awaitListed(1);
            assertThat(close(tcp, token).statusCode()).isEqualTo(404);
            assertThat(list("").path("items"))
                    .extracting(item -> item.path("clientPort").asInt())
                    .containsExactly(second.getLocalPort());
            JsonNode record = json(call("GET", "/audit?limit=3", token, null));
            assertThat(record.path("items").toString())
                    .contains(
                            "closeGatewayConnection",
                            "TCP connection " + tcp.path("id").asText() + " of 127.0.0.1");
        }
        awaitListed(0);
    }

    @Test
    void connectionsOfBoltAreListedAndClosed() throws Exception {
        try (Socket client = new Socket(InetAddress.getLoopbackAddress(), rpcPort)) {
            client.setSoTimeout(15_000);
            client.getOutputStream().write(HEARTBEAT);
            assertThat(client.getInputStream().readNBytes(ANSWER_BYTES)).hasSize(ANSWER_BYTES);
            JsonNode all = list("?protocol=BOLT");
            assertThat(all.path("matching").asInt()).isEqualTo(1);
            JsonNode connection = all.path("items").path(0);
            assertThat(connection.path("proxyServerId").asText()).isEqualTo("rpc");
            assertThat(connection.path("clientPort").asInt()).isEqualTo(client.getLocalPort());
            assertThat(connection.path("bytesIn").asInt()).isEqualTo(HEARTBEAT.length);
            assertThat(connection.path("bytesOut").asInt()).isEqualTo(ANSWER_BYTES);
            assertThat(connection.has("routerId")).isFalse();

            assertThat(close(connection, token).statusCode()).isEqualTo(204);
            assertThat(client.getInputStream().read()).isEqualTo(-1);
        }
        awaitListed(0);
    }

    @Test
    void whoMayNotChangeAnythingMayNotCloseConnections() throws Exception {
        String viewer = token("{\"name\":\"see\",\"role\":\"VIEWER\"}");
        String team = token("{\"name\":\"team\",\"role\":\"EDITOR\",\"labels\":{\"team\":\"a\"}}");
        try (Socket client = open()) {
            JsonNode connection = list("").path("items").path(0);
            assertThat(close(connection, viewer).statusCode()).isEqualTo(403);
            assertThat(close(connection, team).statusCode()).isEqualTo(403);
            client.getOutputStream().write('x');
            assertThat(client.getInputStream().read()).isEqualTo('x');
        }
        awaitListed(0);
    }

    @Test
    void questionsWithoutSenseAreRefused() throws Exception {
        assertThat(call("GET", "/gateways/none/connections", token, null).statusCode())
                .isEqualTo(404);
        for (String query : new String[] {"?clientAddress=nobody", "?protocol=UDPX", "?limit=101", "?limit=0"}) {
            HttpResponse<String> refused = call("GET", "/gateways/" + gateway + "/connections" + query, token, null);
            assertThat(refused.statusCode()).as(query).isEqualTo(400);
            assertThat(refused.body()).contains("expected: ");
        }
        for (String id : new String[] {"0", "0-", "7-zz", "0--1", "1-zzzzzzzzzzzzzzzz"}) {
            assertThat(call("DELETE", "/gateways/" + gateway + "/connections/" + id, token, null)
                            .statusCode())
                    .as(id)
                    .isEqualTo(404);
        }
    }

    private void awaitListed(int expected) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(15);
        while (list("").path("matching").asInt() > expected) {
            assertThat(System.nanoTime()).as("connections are left").isLessThan(deadline);
            Thread.sleep(20);
        }
    }

    private JsonNode list(String query) throws Exception {
        HttpResponse<String> answer = call("GET", "/gateways/" + gateway + "/connections" + query, token, null);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return json(answer);
    }

    private HttpResponse<String> close(JsonNode connection, String as) throws Exception {
        return call(
                "DELETE",
                "/gateways/" + gateway + "/connections/" + connection.path("id").asText(),
                as,
                null);
    }

    private String token(String body) throws Exception {
        return json(call("POST", "/tokens", token, body)).path("token").asText();
    }

    private void put(String path, String body) throws Exception {
        HttpResponse<String> answer = call("PUT", path + "?wait=all", token, body);
        assertThat(answer.statusCode()).as(answer.body()).isIn(200, 201);
    }

    private static JsonNode json(HttpResponse<String> answer) {
        return Json.read(answer.body(), JsonNode.class);
    }

    private HttpResponse<String> call(String method, String path, String as, @Nullable String body) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path))
                .header("Authorization", "Bearer " + as)
                .header("Content-Type", "application/json")
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        return http.send(request.build(), BodyHandlers.ofString());
    }
}
