package io.sigma.dataplane.http1.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.FrameNode;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.RawHttp2;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.Wire;
import io.sigma.model.Timeouts;
import io.sigma.snapshot.ResourceType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Nodes that send the head of their response first, and read the request then, as servers of git do. */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class EarlyHeadTest extends EngineContract {

    private static final int IDLE_MILLIS = 2_500;
    private static final int PIECES = 12;
    private static final int PIECE_BYTES = 1_000;
    private static final int PAUSE_MILLIS = 300;
    private static final int MIB = 1024 * 1024;
    private static final String HEAD = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

    private Config impatient(String node, int idleMillis) {
        return forwarding(node)
                .with(
                        ResourceType.PROXY_PASS,
                        "pass",
                        pass -> pass.toBuilder()
                                .timeouts(Timeouts.builder()
                                        .idleMillis(idleMillis)
                                        .build())
                                .build());
    }

    /** Returns how much of a body arrived where the response ended. */
    private int upload(boolean http2) throws Exception {
        if (!http2) {
            try (RawClient client = RawClient.connect(port())) {
                client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + PIECES * PIECE_BYTES + "\r\n\r\n");
                for (int i = 0; i < PIECES; i++) {
                    client.send("x".repeat(PIECE_BYTES));
                    Thread.sleep(PAUSE_MILLIS);
                }
                return Integer.parseInt(client.read().text());
            }
        }
        try (RawHttp2 client = RawHttp2.connect(port())) {
            client.send(
                    RawHttp2.HEADERS,
                    RawHttp2.END_HEADERS,
                    1,
                    RawHttp2.fields(":method", "POST", ":scheme", "http", ":path", "/", ":authority", "a"));
            for (int i = 1; i <= PIECES; i++) {
                client.send(RawHttp2.DATA, i == PIECES ? RawHttp2.END_STREAM : 0, 1, new byte[PIECE_BYTES]);
                Thread.sleep(PAUSE_MILLIS);
            }
            assertThat(client.status(client.next())).isEqualTo("200");
            RawHttp2.Frame frame = client.next();
            assertThat(frame.type()).isEqualTo(RawHttp2.DATA);
            return Integer.parseInt(new String(frame.payload(), StandardCharsets.US_ASCII));
        }
    }

    private static int length(TestNode.Connection connection, String head) throws IOException {
        if (head.contains("chunked")) {
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            Wire.readChunks(connection.in(), body);
            return body.size();
        }
        return connection.in().readNBytes(PIECES * PIECE_BYTES).length;
    }

    /** The node is not silent for too long as long as it is sent something. */
    @ParameterizedTest
    @CsvSource({"false, false", "true, false", "false, true", "true, true"})
    void uploadMayGoOnBehindTheHead(boolean http2, boolean nodeOfHttp2) throws Exception {
        try (TestNode node = TestNode.startHeadsOnly((request, connection) -> {
                    connection.send(HEAD);
                    String octets = String.valueOf(length(connection, String.join("\n", request.fields())));
                    connection.send(Integer.toHexString(octets.length()) + "\r\n" + octets + "\r\n0\r\n\r\n");
                });
                FrameNode framed = FrameNode.start((request, connection) -> {
                    connection.head(request.stream(), ":status", "200");
                    byte[] octets = String.valueOf(connection.readBody(request.stream()))
                            .getBytes(StandardCharsets.US_ASCII);
                    connection.send(RawHttp2.DATA, RawHttp2.END_STREAM, request.stream(), octets);
                })) {
            Config config = impatient(nodeOfHttp2 ? framed.url() : node.url(), IDLE_MILLIS);
            gateway().apply(nodeOfHttp2 ? config.overHttp2() : config);
            assertThat(upload(http2)).isEqualTo(PIECES * PIECE_BYTES);
        }
    }

    @Test
    void nodeMayReadSlowlyBehindTheHead() throws Exception {
        int bytes = 48 * MIB;
        try (TestNode node = TestNode.startHeadsOnly((request, connection) -> {
            connection.send(HEAD);
            InputStream in = connection.in();
            int octets = 0;
            while (octets < bytes) {
                int read = in.readNBytes(4 * MIB).length;
                if (read == 0) {
                    return;
                }
                octets += read;
                Thread.sleep(PAUSE_MILLIS);
            }
            connection.send("2\r\nok\r\n0\r\n\r\n");
        })) {
            gateway().apply(impatient(node.url(), IDLE_MILLIS));
            try (RawClient client = RawClient.connect(port())) {
                client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + bytes + "\r\n\r\n");
                String piece = "x".repeat(MIB);
                for (int i = 0; i < bytes / MIB; i++) {
                    client.send(piece);
                }
                assertThat(client.read().text()).isEqualTo("ok");
            }
        }
    }

    /** Else an upload could wait for ever. */
    @Test
    void nodeThatNeitherReadsNorSendsBehindTheHeadIsLeft() throws Exception {
        try (TestNode node = TestNode.startHeadsOnly((request, connection) -> {
            connection.send(HEAD);
            Thread.sleep(20_000);
        })) {
            gateway().apply(impatient(node.url(), 400));
            try (RawClient client = RawClient.connect(port())) {
                client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + 256 * MIB + "\r\n\r\n");
                Thread.ofVirtual().start(() -> {
                    try {
                        for (int i = 0; i < 256; i++) {
                            client.send("x".repeat(MIB));
                        }
                    } catch (IOException e) {
                        // The gateway has given up.
                    }
                });
                assertThat(Wire.readLine(client.in())).startsWith("HTTP/1.1 200");
                assertThat(isCut(client)).isTrue();
            }
        }
    }

    private static boolean isCut(RawClient client) {
        try {
            byte[] rest = client.in().readAllBytes();
            return !new String(rest, StandardCharsets.US_ASCII).endsWith("0\r\n\r\n");
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }
}
