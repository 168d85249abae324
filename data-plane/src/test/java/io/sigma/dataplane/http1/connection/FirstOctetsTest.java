package io.sigma.dataplane.http1.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.Http2Client;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.RawHttp2;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.model.ServerHttp2;
import io.sigma.snapshot.ResourceType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A listener in plaintext tells HTTP/1.1 and HTTP/2 apart by the first octets of a connection, however they arrive. */
final class FirstOctetsTest extends EngineContract {

    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] SETTINGS = {0, 0, 0, 4, 0, 0, 0, 0, 0};
    private static final byte[] PING = {0, 0, 8, 6, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8};

    private static void write(Socket socket, byte[] octets, int from, int to) throws IOException {
        socket.getOutputStream().write(octets, from, to - from);
        socket.getOutputStream().flush();
    }

    /** Gives what was written a chance to arrive by itself; nothing fails if it does not. */
    private static void apart() {
        java.util.concurrent.locks.LockSupport.parkNanos(20_000_000);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 14, 23, 24})
    void prefaceInPiecesIsHttp2(int first) throws Exception {
        try (TestNode node = TestNode.named("ok");
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), connect(node))) {
            socket.setSoTimeout(15_000);
            socket.setTcpNoDelay(true);
            write(socket, PREFACE, 0, first);
            apart();
            var rest = new ByteArrayOutputStream();
            rest.write(PREFACE, first, PREFACE.length - first);
            rest.writeBytes(SETTINGS);
            rest.writeBytes(PING);
            write(socket, rest.toByteArray(), 0, rest.size());
            assertThat(payloadOfPing(socket)).isEqualTo(Arrays.copyOfRange(PING, 9, 17));
        }
    }

    /** Returns what the answer to a PING carries, behind the frames before it. */
    private static byte[] payloadOfPing(Socket socket) throws IOException {
        while (true) {
            byte[] head = socket.getInputStream().readNBytes(9);
            assertThat(head).hasSize(9);
            byte[] payload = socket.getInputStream().readNBytes(((head[1] & 0xff) << 8) | (head[2] & 0xff));
            if (head[3] == 6 && head[4] == 1) {
                return payload;
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"P|UT", "PR|OPFIND", "G|ET", "PRI|NT"})
    void methodThatBeginsLikeThePrefaceIsHttp1(String method) throws Exception {
        try (TestNode node = TestNode.named("ok");
                RawClient client = RawClient.connect(connect(node))) {
            int cut = method.indexOf('|');
            client.send(method.substring(0, cut));
            apart();
            client.send(method.substring(cut + 1) + " / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");
            assertThat(client.read().text()).isEqualTo("ok");
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(client.read().text()).isEqualTo("ok");
        }
    }

    @Test
    void connectionThatSendsNothingIsClosedWithTheListener() throws Exception {
        try (TestNode node = TestNode.named("ok");
                Socket silent = new Socket(InetAddress.getLoopbackAddress(), connect(node));
                Socket half = new Socket(InetAddress.getLoopbackAddress(), port())) {
            silent.setSoTimeout(15_000);
            half.setSoTimeout(15_000);
            write(half, PREFACE, 0, 10);
            assertThat(RawClient.get(port(), "a", "/").status()).isEqualTo(200);
            gateway().apply(new Config());
            assertThat(isOver(silent)).isTrue();
            assertThat(isOver(half)).isTrue();
        }
    }

    private static boolean isOver(Socket socket) {
        try {
            return socket.getInputStream().read() < 0;
        } catch (java.net.SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    private int connect(TestNode node) {
        gateway().apply(forwarding(node.url()));
        return port();
    }

    @Test
    void listenerThatSpeaksHttp2OnlyRefusesEverythingElse() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway()
                    .apply(forwarding(node.url())
                            .with(
                                    ResourceType.PROXY_SERVER,
                                    "web",
                                    server -> server.toBuilder()
                                            .http2(ServerHttp2.builder()
                                                    .only(true)
                                                    .build())
                                            .build()));
            assertThat(Http2Client.exchange(port(), "GET", "/", null).body()).isEqualTo("ok");
            try (RawClient client = RawClient.connect(port())) {
                client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                byte[] said = client.in().readAllBytes();
                assertThat(said[said.length - 1]).isEqualTo((byte) RawHttp2.PROTOCOL_ERROR);
            }
        }
    }

    @Test
    void listenerWithoutHttp2DoesNotSpeakIt() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway()
                    .apply(forwarding(node.url())
                            .with(
                                    ResourceType.PROXY_SERVER,
                                    "web",
                                    server -> server.toBuilder()
                                            .http2(ServerHttp2.builder()
                                                    .enabled(false)
                                                    .build())
                                            .build()));
            assertThat(get("/").text()).isEqualTo("ok");
            assertThat(RawClient.exchange(port(), "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
                            .status())
                    .isBetween(400, 505);
            assertThat(node.received()).hasSize(1);
        }
    }
}
