package io.sigma.dataplane.tls;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.FrameNode;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.RawHttp2;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.TestSettings;
import io.sigma.dataplane.testkit.WebSocketAccept;
import io.sigma.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The access log and the metrics of a WebSocket, whichever HTTP version either side speaks. */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class TunnelRecordsTest extends EngineContract {

    private static final String ASK = "GET /chat?a=b HTTP/1.1\r\nHost: shop.example.com\r\nConnection: Upgrade\r\n"
            + "Upgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n";

    @Override
    protected GatewaySettings settings(Path dataDir) {
        return TestSettings.of(dataDir)
                .loops(1)
                .accessLog(log().toString(), 1024)
                .build();
    }

    private Path log() {
        return folder.resolve("access.log");
    }

    private List<String> lines() throws IOException {
        return Files.exists(log()) ? Files.readAllLines(log(), StandardCharsets.US_ASCII) : List.of();
    }

    private String metrics() throws IOException {
        return RawClient.get(gateway().gateway().telemetryPort(), "localhost", "/metrics")
                .text();
    }

    /** Takes five octets, sends seven and ends. */
    private static TestNode node() {
        return TestNode.start((request, connection) -> {
            connection.send("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                    + "Sec-WebSocket-Accept: " + WebSocketAccept.of(String.valueOf(request.field("sec-websocket-key")))
                    + "\r\n\r\n");
            assertThat(connection.in().readNBytes(5)).hasSize(5);
            connection.send("answers");
            connection.socket().close();
        });
    }

    private static FrameNode streamNode() {
        return FrameNode.startConnecting(0, (request, connection) -> {
            connection.head(request.stream(), ":status", "200");
            RawHttp2.Frame frame = connection.next();
            while (frame.type() != RawHttp2.DATA) {
                frame = connection.next();
            }
            connection.send(
                    RawHttp2.DATA,
                    RawHttp2.END_STREAM,
                    request.stream(),
                    "answers".getBytes(StandardCharsets.US_ASCII));
        });
    }

    @ParameterizedTest
    @CsvSource({"false, false", "true, false", "false, true", "true, true"})
    void tunnelHasOneRecordAndCountsAsOne(boolean clientOnHttp2, boolean nodeOnHttp2) throws Exception {
        try (TestNode node = node();
                FrameNode streams = streamNode()) {
            gateway().apply(nodeOnHttp2 ? forwarding(streams.url()).overHttp2() : forwarding(node.url()));
            if (clientOnHttp2) {
                throughAStream();
            } else {
                throughAConnection();
            }
            GatewayHarness.eventually(() -> {
                try {
                    return !lines().isEmpty();
                } catch (IOException e) {
                    return false;
                }
            });
            assertThat(lines()).hasSize(1);
            JsonNode line = Json.read(lines().getFirst(), JsonNode.class);
            assertThat(line.path("method").asText()).isEqualTo("GET");
            assertThat(line.path("path").asText()).isEqualTo("/chat");
            assertThat(line.path("protocol").asText()).isEqualTo(clientOnHttp2 ? "HTTP/2" : "HTTP/1.1");
            assertThat(line.path("status").asInt()).isEqualTo(clientOnHttp2 ? 200 : 101);
            assertThat(line.path("bytesIn").asInt()).isEqualTo(5);
            assertThat(line.path("bytesOut").asInt()).isEqualTo(7);
            assertThat(line.path("durationMicros").asLong()).isGreaterThanOrEqualTo(200_000);
            assertThat(line.path("error").isMissingNode()).isTrue();
            String status = clientOnHttp2 ? "2xx" : "1xx";
            assertThat(metrics())
                    .contains("sigma_requests_total{proxy_server=\"web\",route=\"any\",status=\"" + status + "\"} 1.0")
                    .contains("sigma_upstream_requests_total{outcome=\"answered\",upstream=\"nodes\"} 1.0")
                    .contains("sigma_request_duration_seconds_count{proxy_server=\"web\"} 1")
                    .contains("sigma_requests_active{proxy_server=\"web\"} 0.0")
                    .contains("sigma_upstream_tunnels{upstream=\"nodes\"} 0.0");
        }
    }

    private void throughAConnection() throws Exception {
        try (RawClient client = RawClient.connect(port())) {
            client.send(ASK);
            assertThat(client.read().status()).isEqualTo(101);
            rest();
            client.send("asked");
            assertThat(client.in().readAllBytes())
                    .asString(StandardCharsets.US_ASCII)
                    .isEqualTo("answers");
        }
    }

    private void throughAStream() throws Exception {
        try (RawHttp2 client = RawHttp2.connect(port())) {
            client.send(
                    RawHttp2.HEADERS,
                    RawHttp2.END_HEADERS,
                    1,
                    RawHttp2.fields(RawHttp2.CONNECT_FIELDS.toArray(String[]::new)));
            assertThat(client.status(client.next())).isEqualTo("200");
            rest();
            client.send(RawHttp2.DATA, RawHttp2.END_STREAM, 1, "asked".getBytes(StandardCharsets.US_ASCII));
            assertThat(client.next().payload())
                    .asString(StandardCharsets.US_ASCII)
                    .isEqualTo("answers");
        }
    }

    /** Has the tunnel last, so that its time can be told from that of its beginning. */
    private void rest() throws Exception {
        Thread.sleep(200);
        assertThat(metrics())
                .contains("sigma_requests_active{proxy_server=\"web\"} 1.0")
                .contains("sigma_upstream_tunnels{upstream=\"nodes\"} 1.0");
    }
}
