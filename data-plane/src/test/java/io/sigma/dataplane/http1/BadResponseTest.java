package io.sigma.dataplane.http1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.Wire;
import java.io.EOFException;
import java.net.SocketException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Responses of nodes that break the rules of HTTP/1: what the client gets, and that the connection is not used again.
 */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class BadResponseTest extends EngineContract {

    private static final String OK = "HTTP/1.1 200 OK\r\n";
    private static final String TE = "Transfer-Encoding: chunked\r\n";
    private static final String GET = "GET /good HTTP/1.1\r\nHost: a\r\n\r\n";

    static Stream<Arguments> malformed() {
        Stream<Arguments> lengths = Stream.of(
                        "+3", "0x3", "-1", "", "3 3", "3;a", "99999999999999999999", "3\r\nContent-Length: 4", "3, 4")
                .map(value -> row("CL " + value, OK + "Content-Length: " + value + "\r\n\r\nabc"));
        Stream<Arguments> chunks = Stream.of(
                        "0x1\r\na\r\n",
                        "1_0\r\na\r\n",
                        "-1\r\na\r\n",
                        "\r\na\r\n",
                        "fffffffffffffffff\r\na\r\n",
                        "1\na\r\n",
                        "1;a\rb\r\na\r\n",
                        "1;a\nb\r\na\r\n",
                        "g\r\n")
                .map(chunk -> row("chunk " + chunk, OK + TE + "\r\n" + chunk + "0\r\n\r\n"));
        Stream<Arguments> others = Stream.of(
                row("CL with TE", OK + "Content-Length: 3\r\n" + TE + "\r\n3\r\nabc\r\n0\r\n\r\n"),
                row("TE with CL", OK + TE + "Content-Length: 3\r\n\r\n3\r\nabc\r\n0\r\n\r\n"),
                row("TE gzip, chunked", OK + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"),
                row("TE chunked twice", OK + TE + TE + "\r\n0\r\n\r\n"),
                row("TE identity", OK + "Transfer-Encoding: identity\r\n\r\nabc"),
                row("TE on HTTP/1.0", "HTTP/1.0 200 OK\r\n" + TE + "\r\n0\r\n\r\n"),
                row("line folding", OK + "X: 1\r\n 2\r\nContent-Length: 0\r\n\r\n"),
                row("line folding with a tab", OK + "X: 1\r\n\t2\r\nContent-Length: 0\r\n\r\n"),
                row("white space before the first field", OK + " X: 1\r\nContent-Length: 0\r\n\r\n"),
                row("head over its limit", OK + "X: " + "a".repeat(100_000) + "\r\n\r\n"),
                row("many fields over the limit", OK + "X: abcdefgh\r\n".repeat(10_000) + "\r\n"),
                row("a line that ends in LF", "HTTP/1.1 200 OK\nContent-Length: 0\r\n\r\n"),
                row("a field that ends in LF", OK + "X: 1\nContent-Length: 0\r\n\r\n"),
                row("CR in a value", OK + "X: 1\r2\r\nContent-Length: 0\r\n\r\n"),
                row("NUL in a value", OK + "X: 1\0002\r\nContent-Length: 0\r\n\r\n"),
                row("control byte in a name", OK + "X\001: 1\r\nContent-Length: 0\r\n\r\n"),
                row("no colon", OK + "nonsense\r\nContent-Length: 0\r\n\r\n"),
                row("status that is no number", "HTTP/1.1 abc OK\r\nContent-Length: 0\r\n\r\n"),
                row("HTTP/2.0", "HTTP/2.0 200 OK\r\nContent-Length: 0\r\n\r\n"),
                row("no HTTP", "SSH-2.0-OpenSSH_9.2\r\n\r\n"),
                row(
                        "switching unasked",
                        "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n"));
        return Stream.of(lengths, chunks, others).flatMap(rows -> rows);
    }

    private static Arguments row(String name, String response) {
        return Arguments.of(name.replace("\r", "\\r").replace("\n", "\\n"), response);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("malformed")
    void malformedResponseIsABadGatewayAndItsConnectionDropped(String name, String response) throws Exception {
        try (TestNode node = TestNode.answeringBad(response)) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                client.send("GET /bad HTTP/1.1\r\nHost: a\r\n\r\n");
                RawClient.Answer answer = client.read();
                assertThat(answer.status()).as(name).isEqualTo(502);
                assertThat(answer.text()).contains("Bad Gateway");
                client.send(GET);
                assertThat(client.read().text()).isEqualTo("right");
            }
            assertThat(node.accepted()).isEqualTo(2);
            GatewayHarness.eventually(() -> node.openNow() <= 1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"5\r\nContent-Length: 5", "5, 5", "5\r\nContent-Length: 5,5"})
    void lengthThatIsRepeatedBecomesOne(String value) throws Exception {
        try (TestNode node = TestNode.start(
                (request, connection) -> connection.send(OK + "Content-Length: " + value + "\r\n\r\nhello"))) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                for (int i = 0; i < 3; i++) {
                    client.send(GET);
                    RawClient.Answer answer = client.read();
                    assertThat(answer.text()).isEqualTo("hello");
                    assertThat(answer.all("content-length")).containsExactly("5");
                }
            }
            assertThat(node.accepted()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {" ", "\t", " \t  "})
    void whiteSpaceBeforeAColonIsRemoved(String blanks) throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> connection.send(OK + "X-Own" + blanks + ": a b\r\n"
                + "Content-Length" + blanks + ":5\r\nX-Last" + blanks + ":\r\n\r\nhello"))) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                for (int i = 0; i < 3; i++) {
                    client.send(GET);
                    RawClient.Answer answer = client.read();
                    assertThat(answer.text()).isEqualTo("hello");
                    assertThat(answer.all("x-own")).containsExactly("a b");
                    assertThat(answer.fields())
                            .allMatch(field -> field.matches("(X-Own|Content-Length|X-Last|date):.*"));
                }
            }
            assertThat(node.accepted()).isEqualTo(1);
        }
    }

    // --- Bodies that go wrong after the head went out

    @ParameterizedTest
    @ValueSource(strings = {"zz\r\n", "0x1\r\na\r\n", "1\na\r\n0\r\n\r\n", "1;\rb\r\na\r\n"})
    void badChunkAfterTheHeadAbortsTheResponse(String chunk) throws Exception {
        CountDownLatch read = new CountDownLatch(1);
        try (TestNode node = TestNode.start((request, connection) -> {
            connection.send(OK + TE + "\r\n3\r\nabc\r\n");
            read.await(10, TimeUnit.SECONDS);
            connection.send(chunk);
        })) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                client.send(GET);
                assertThat(Wire.readLine(client.in())).isEqualTo("HTTP/1.1 200 OK");
                Wire.readFields(client.in());
                assertThat(client.in().readNBytes(8)).asString().isEqualTo("3\r\nabc\r\n");
                read.countDown();
                assertThat(client.isClosedByPeer()).isTrue();
            }
            GatewayHarness.eventually(() -> node.openNow() == 0);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 10\r\n\r\nabc",
                "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
                "Transfer-Encoding: chunked\r\n\r\n3\r\nab",
                "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n"
            })
    void bodyThatIsCutShortIsNeverEndedAsIfComplete(String rest) throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> {
            connection.send(OK + rest);
            connection.socket().close();
        })) {
            gateway().apply(forwarding(node.url()));
            assertThatThrownBy(() -> get("/")).isInstanceOfAny(EOFException.class, SocketException.class);
        }
    }

    @Test
    void bodyWithoutALengthEndsWithItsConnectionAndIsComplete() throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> {
            connection.send(OK + "\r\nabc");
            connection.socket().close();
        })) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                for (int i = 1; i <= 3; i++) {
                    client.send(GET);
                    assertThat(client.read().text()).isEqualTo("abc");
                    assertThat(node.accepted()).isEqualTo(i);
                }
            }
        }
    }

    // --- Interim responses

    @Test
    void interimResponsesAreNeverTakenForTheAnswer() throws Exception {
        for (String interim :
                List.of("102 Processing", "100 Continue", "199 Whatever", "102 A\r\n\r\nHTTP/1.1 102 B")) {
            try (TestNode node = TestNode.start((request, connection) -> {
                connection.send("HTTP/1.1 " + interim + "\r\nX-Interim: 1\r\n\r\n");
                connection.ok("final");
            })) {
                gateway().apply(forwarding(node.url()));
                try (RawClient client = RawClient.connect(port())) {
                    for (int i = 0; i < 3; i++) {
                        client.send(GET);
                        RawClient.Answer answer = client.readAll(false).getLast();
                        assertThat(answer.status()).as(interim).isEqualTo(200);
                        assertThat(answer.text()).isEqualTo("final");
                        assertThat(answer.field("x-interim")).isNull();
                    }
                }
                assertThat(node.accepted()).as(interim).isEqualTo(1);
            }
        }
    }
}
