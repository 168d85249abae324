package io.sigma.dataplane.http1.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.PipelineContract;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.TestTls;
import io.sigma.model.ClientTls;
import io.sigma.model.NodeProtocol;
import io.sigma.model.ServerTls;
import io.sigma.snapshot.ResourceType;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A TLS connection ends with a closure alert in both directions (RFC 8446 §6.1). */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class ClosureAlertTest extends PipelineContract {

    private static final int ALERT = 21;

    /** Remembers the type of the last record that came. */
    private static final class Recorded extends Socket {

        private volatile int last;

        Recorded() {}

        Recorded(int port) throws IOException {
            super(InetAddress.getLoopbackAddress(), port);
        }

        int last() {
            return last;
        }

        @Override
        public InputStream getInputStream() throws IOException {
            InputStream in = new BufferedInputStream(super.getInputStream());
            return new InputStream() {
                private int left;
                private final ByteArrayOutputStream head = new ByteArrayOutputStream();

                @Override
                public int read() throws IOException {
                    int octet = in.read();
                    if (octet < 0) {
                        return octet;
                    }
                    if (left > 0) {
                        left--;
                        return octet;
                    }
                    head.write(octet);
                    if (head.size() == 5) {
                        byte[] record = head.toByteArray();
                        last = record[0];
                        left = (record[3] & 0xff) << 8 | (record[4] & 0xff);
                        head.reset();
                    }
                    return octet;
                }

                @Override
                public int read(byte[] octets, int start, int length) throws IOException {
                    int octet = length == 0 ? -1 : read();
                    if (octet < 0) {
                        return length == 0 ? 0 : -1;
                    }
                    octets[start] = (byte) octet;
                    return 1;
                }
            };
        }
    }

    /** Of TLS 1.2, whose alerts are to be seen; the code that sends them is the same for later versions. */
    @Test
    void clientIsSentAClosureAlertBeforeTheEnd() throws Exception {
        try (TestNode node = TestNode.named("ok");
                Recorded plain = recorded(encrypted(ServerTls.builder().build(), node.url()))) {
            SSLSocket socket =
                    (SSLSocket) client(null).getSocketFactory().createSocket(plain, "shop.example.com", port(), true);
            socket.setEnabledProtocols(new String[] {"TLSv1.2"});
            try (RawClient client = new RawClient(socket)) {
                client.send("GET / HTTP/1.1\r\nHost: shop.example.com\r\nConnection: close\r\n\r\n");
                assertThat(client.read().text()).isEqualTo("ok");
                assertThat(client.isClosedByPeer()).isTrue();
                assertThat(plain.last()).isEqualTo(ALERT);
            }
        }
    }

    private Recorded recorded(Config config) throws IOException {
        gateway().apply(config);
        return new Recorded(port());
    }

    private static TestNode recording(TestTls tls, List<Recorded> sockets, TestNode.Script script) throws IOException {
        return TestNode.startOn(
                new ServerSocket(0, 16, InetAddress.getLoopbackAddress()) {
                    @Override
                    public Socket accept() throws IOException {
                        Recorded plain = new Recorded();
                        implAccept(plain);
                        sockets.add(plain);
                        SSLSocket socket =
                                (SSLSocket) tls.context().getSocketFactory().createSocket(plain, null, true);
                        socket.setEnabledProtocols(new String[] {"TLSv1.2"});
                        return socket;
                    }
                },
                script);
    }

    private Config overTls(TestNode node) {
        return forwarding("https://127.0.0.1:" + node.port())
                .nodeTls("nodes", ClientTls.builder().verify(false).build())
                .with(
                        ResourceType.UPSTREAM,
                        "nodes",
                        upstream -> upstream.toBuilder()
                                .protocol(NodeProtocol.HTTP1)
                                .build());
    }

    @Test
    void nodeIsSentAClosureAlertBeforeTheEnd() throws Exception {
        List<Recorded> sockets = new CopyOnWriteArrayList<>();
        CountDownLatch closed = new CountDownLatch(1);
        try (TestNode node = recording(TestTls.create("node"), sockets, (request, connection) -> {
            connection.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok");
            if (connection.in().read() < 0) {
                closed.countDown();
            }
        })) {
            gateway().apply(overTls(node));
            assertThat(get("/").text()).isEqualTo("ok");
            assertThat(closed.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(sockets.getFirst().last()).isEqualTo(ALERT);
        }
    }

    /** Where only the end of TLS says that a body is whole, the end of TCP does not (RFC 9112 §8, §9.8). */
    @ParameterizedTest
    @CsvSource({"HTTP1, true", "HTTP1, false", "HTTP2, true", "HTTP2, false"})
    void bodyUntilTheEndIsWholeWithItsClosureAlertAlone(Pipeline way, boolean alert) throws Exception {
        List<Recorded> sockets = new CopyOnWriteArrayList<>();
        try (TestNode node = recording(TestTls.create("node"), sockets, (request, connection) -> {
            connection.send("HTTP/1.1 200 OK\r\n\r\nhello");
            if (alert) {
                connection.socket().close();
            } else {
                sockets.getLast().close();
            }
        })) {
            gateway().apply(overTls(node));
            boolean whole;
            try {
                whole = send(way, "GET", "/").text().equals("hello");
            } catch (IOException | AssertionError e) {
                whole = false;
            }
            assertThat(whole).isEqualTo(alert);
        }
    }
}
