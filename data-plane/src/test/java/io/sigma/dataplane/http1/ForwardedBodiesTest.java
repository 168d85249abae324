package io.sigma.dataplane.http1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import java.io.EOFException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies of requests and responses keep their octets and their framing on the way through the gateway. */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class ForwardedBodiesTest extends EngineContract {

    @Test
    void bodyWithALengthArrivesWithIt() throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> connection.ok(request.text()))) {
            gateway().apply(forwarding(node.url()));
            RawClient.Answer answer = exchange("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello");
            assertThat(answer.text()).isEqualTo("hello");
            assertThat(node.last().field("content-length")).isEqualTo("5");
            assertThat(node.last().field("transfer-encoding")).isNull();
        }
    }

    @Test
    void chunkedBodyArrivesChunked() throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> connection.ok(request.text()))) {
            gateway().apply(forwarding(node.url()));
            RawClient.Answer answer = exchange(
                    "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n");
            assertThat(answer.text()).isEqualTo("abcde");
            assertThat(node.last().field("transfer-encoding")).isEqualTo("chunked");
            assertThat(node.last().field("content-length")).isNull();
        }
    }

    @Test
    void largeBodiesPassInBothDirections() throws Exception {
        String big = "0123456789abcdef".repeat(200_000);
        try (TestNode node = TestNode.start((request, connection) -> connection.ok(request.text()))) {
            gateway().apply(forwarding(node.url()));
            RawClient.Answer answer =
                    exchange("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: " + big.length() + "\r\n\r\n" + big);
            assertThat(answer.body()).hasSize(big.length());
            assertThat(answer.text()).isEqualTo(big);
        }
    }

    @Test
    void chunkedResponseAndItsTrailersPass() throws Exception {
        try (TestNode node = TestNode.start(
                (request, connection) -> connection.send(
                        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n3\r\nabc\r\n0\r\nX-Sum: 3\r\n\r\n"))) {
            gateway().apply(forwarding(node.url()));
            RawClient.Answer answer = get("/");
            assertThat(answer.text()).isEqualTo("abc");
            assertThat(answer.trailers()).containsExactly("X-Sum: 3");
        }
    }

    @Test
    void http10ClientGetsAnUnframedBodyAndTheEndOfTheConnection() throws Exception {
        try (TestNode node = TestNode.start((request, connection) ->
                connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"))) {
            gateway().apply(forwarding(node.url()));
            RawClient.Answer answer = exchange("GET / HTTP/1.0\r\nHost: a\r\n\r\n");
            assertThat(answer.text()).isEqualTo("abc");
            assertThat(answer.field("transfer-encoding")).isNull();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.0", "HTTP/1.1", "HTTP/1.2", "HTTP/1.9"})
    void statusLineHasTheVersionOfTheGatewayWhateverThatOfTheClientIs(String version) throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(forwarding(node.url()));
            for (String method : new String[] {"GET", "TRACE", "GET GET"}) {
                for (int to : new int[] {port(), gateway().gateway().telemetryPort()}) {
                    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), to)) {
                        socket.setSoTimeout(10_000);
                        socket.getOutputStream()
                                .write((method + " / " + version + "\r\nHost: a\r\nConnection: close\r\n\r\n")
                                        .getBytes(StandardCharsets.US_ASCII));
                        byte[] start = socket.getInputStream().readNBytes(9);
                        assertThat(new String(start, StandardCharsets.US_ASCII))
                                .as(method + " to " + (to == port() ? "the gateway" : "its metrics"))
                                .isEqualTo("HTTP/1.1 ");
                    }
                }
            }
        }
    }

    @Test
    void headHasTheLengthButNoBody() throws Exception {
        try (TestNode node = TestNode.start(
                (request, connection) -> connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1234\r\n\r\n"))) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                for (int i = 0; i < 2; i++) {
                    client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n");
                    assertThat(client.read(true).field("content-length")).isEqualTo("1234");
                }
            }
            assertThat(node.accepted()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {204, 304})
    void statusWithoutABodyHasNone(int status) throws Exception {
        try (TestNode node = TestNode.start(
                (request, connection) -> connection.send("HTTP/1.1 " + status + " X\r\nETag: \"a\"\r\n\r\n"))) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                for (int i = 0; i < 2; i++) {
                    client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                    RawClient.Answer answer = client.read();
                    assertThat(answer.status()).isEqualTo(status);
                    assertThat(answer.field("transfer-encoding")).isNull();
                    assertThat(answer.field("content-length")).isNull();
                    assertThat(answer.field("etag")).isEqualTo("\"a\"");
                }
            }
        }
    }

    @Test
    void truncatedChunkedBodyIsNeverEndedAsIfComplete() throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> {
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc");
            connection.socket().close();
        })) {
            gateway().apply(forwarding(node.url()));
            assertThatThrownBy(() -> get("/")).isInstanceOfAny(EOFException.class, java.net.SocketException.class);
        }
    }

    @Test
    void truncatedBodyWithALengthIsNotPadded() throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> {
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc");
            connection.socket().close();
        })) {
            gateway().apply(forwarding(node.url()));
            assertThatThrownBy(() -> get("/")).isInstanceOfAny(EOFException.class, java.net.SocketException.class);
        }
    }

    @Test
    void earlyResponseIsPassedOnAndItsConnectionNotUsedAgain() throws Exception {
        try (TestNode node = TestNode.startHeadsOnly((request, connection) -> {
            if (request.method().equals("POST")) {
                connection.ok("early");
            } else {
                connection.ok("next");
            }
        })) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n");
                assertThat(client.read().text()).isEqualTo("early");
                client.send("0\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(client.read().text()).isEqualTo("next");
            }
            assertThat(node.accepted()).isEqualTo(2);
        }
    }
}
