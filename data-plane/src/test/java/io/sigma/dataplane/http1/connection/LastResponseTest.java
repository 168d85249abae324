package io.sigma.dataplane.http1.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses after which the connection ends (RFC 9112 §9.6): all of them arrives, and then the end. */
final class LastResponseTest extends EngineContract {

    private static final int MIB = 1024 * 1024;

    private static byte[] content(int length) {
        byte[] content = new byte[length];
        new Random(length).nextBytes(content);
        return content;
    }

    private static TestNode answering() {
        return TestNode.start((request, connection) -> {
            byte[] body = content(Integer.parseInt(request.target().substring(1)));
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: " + body.length + "\r\n\r\n");
            connection.out().write(body);
        });
    }

    /** Around a segment, what is copied, what a buffer holds, what is piped, and what a socket takes at once. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 41, 1_400, 1_500, 4_096, 32_000, 65_000, 65_535, 65_536, 65_537, 200_000, MIB, 5 * MIB})
    void isWholeWhateverItsLength(int length) throws Exception {
        try (TestNode node = answering()) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                client.send("GET /" + length + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
                RawClient.Answer answer = client.read();
                assertThat(answer.field("connection")).isEqualTo("close");
                assertThat(answer.body()).isEqualTo(content(length));
                assertThat(client.in().read()).isEqualTo(-1);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 41, 1_500, 65_536, 200_000, 5 * MIB})
    void isWholeWhenOnlyTheEndOfTheConnectionEndsIt(int length) throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> {
            connection.send("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n");
            connection.out().write(content(length));
            connection.socket().close();
        })) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                client.send("GET / HTTP/1.0\r\nHost: a\r\n\r\n");
                RawClient.Answer answer = client.read();
                assertThat(answer.body()).isEqualTo(content(length));
            }
        }
    }

    @Test
    void isWholeForAClientThatReadsSlowly() throws Exception {
        int length = 3 * MIB + 17;
        try (TestNode node = answering();
                Socket socket = new Socket()) {
            gateway().apply(forwarding(node.url()));
            socket.setReceiveBufferSize(4_096);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port()));
            try (RawClient client = new RawClient(socket)) {
                client.send("GET /" + length + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
                assertThat(client.read().body()).isEqualTo(content(length));
                assertThat(client.in().read()).isEqualTo(-1);
            }
        }
    }

    @Test
    void followsThoseThatDoNotEndTheConnection() throws Exception {
        try (TestNode node = answering()) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                for (int length : List.of(41, 70_000)) {
                    client.send("GET /" + length + " HTTP/1.1\r\nHost: a\r\n\r\n");
                }
                client.send("GET /17 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
                assertThat(client.read().body()).isEqualTo(content(41));
                assertThat(client.read().body()).isEqualTo(content(70_000));
                assertThat(client.read().body()).isEqualTo(content(17));
                assertThat(client.in().read()).isEqualTo(-1);
            }
        }
    }
}
