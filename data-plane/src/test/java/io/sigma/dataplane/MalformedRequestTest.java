package io.sigma.dataplane;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.model.ServerLimits;
import io.sigma.snapshot.ResourceType;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Bad HTTP/1 from clients: how it is answered, and that nothing of it reaches a node. */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class MalformedRequestTest extends EngineContract {

    private static final String TE = "Transfer-Encoding: chunked\r\n";

    static Stream<Arguments> refused() {
        return Stream.of(
                row("TE with CL", 400, postWith(TE + "Content-Length: 5\r\n", "5\r\nhello\r\n0\r\n\r\n")),
                row("CL with TE", 400, postWith("Content-Length: 5\r\n" + TE, "5\r\nhello\r\n0\r\n\r\n")),
                row("TE on HTTP/1.0", 400, "POST / HTTP/1.0\r\nHost: a\r\n" + TE + "\r\n5\r\nhello\r\n0\r\n\r\n"),
                row("TE that does not end in chunked", 400, postWith("Transfer-Encoding: chunked, gzip\r\n", "")),
                row("TE identity", 400, postWith("Transfer-Encoding: identity\r\n", "")),
                row("chunked twice", 400, postWith("Transfer-Encoding: chunked, chunked\r\n", "0\r\n\r\n")),
                row("chunked twice in two fields", 400, postWith(TE + TE, "0\r\n\r\n")),
                row(
                        "an unknown coding before chunked",
                        501,
                        postWith("Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n")),
                row("CL +5", 400, postWith("Content-Length: +5\r\n", "hello")),
                row("CL 0x5", 400, postWith("Content-Length: 0x5\r\n", "hello")),
                row("CL -1", 400, postWith("Content-Length: -1\r\n", "hello")),
                row("CL empty", 400, postWith("Content-Length: \r\n", "hello")),
                row("CL overflowing", 400, postWith("Content-Length: 99999999999999999999\r\n", "hello")),
                row("CL conflicting", 400, postWith("Content-Length: 5\r\nContent-Length: 6\r\n", "hello!")),
                row("CL list", 400, postWith("Content-Length: 5, 6\r\n", "hello!")),
                row("space before the colon", 400, getWith("X-A : 1\r\n")),
                row("line folding of the first field", 400, "GET / HTTP/1.1\r\n X: 1\r\nHost: a\r\n\r\n"),
                row("NUL in a value", 400, getWith("X-A: 1\0002\r\n")),
                row("CR in a value", 400, getWith("X-A: 1\r2\r\n")),
                row("control byte in a name", 400, getWith("X-\001A: 1\r\n")),
                row("a line that ends in LF", 400, "GET / HTTP/1.1\nHost: a\r\n\r\n"),
                row("a field that ends in LF", 400, getWith("X-A: 1\n")),
                row("no colon", 400, getWith("nonsense\r\n")),
                row("empty name", 400, getWith(": 1\r\n")),
                row("no Host", 400, "GET / HTTP/1.1\r\n\r\n"),
                row("two Hosts", 400, "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n"),
                row("empty Host", 400, "GET / HTTP/1.1\r\nHost: \r\n\r\n"),
                row("Host with a path", 400, "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n"),
                row("Host with a user", 400, "GET / HTTP/1.1\r\nHost: u@a\r\n\r\n"),
                row("Host with a bad port", 400, "GET / HTTP/1.1\r\nHost: a:99999\r\n\r\n"),
                row("Host list", 400, "GET / HTTP/1.1\r\nHost: a, b\r\n\r\n"),
                row("absolute target with a bad Host", 400, "GET http://a/ HTTP/1.1\r\nHost: b@c\r\n\r\n"),
                row("CONNECT", 405, "CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n"),
                row("TRACE", 405, "TRACE / HTTP/1.1\r\nHost: a\r\n\r\n"),
                row("GET *", 400, "GET * HTTP/1.1\r\nHost: a\r\n\r\n"),
                row("target without a slash", 400, "GET a HTTP/1.1\r\nHost: a\r\n\r\n"),
                row("fragment in the target", 400, "GET /a#b HTTP/1.1\r\nHost: a\r\n\r\n"),
                row("unknown scheme", 400, "GET ftp://a/ HTTP/1.1\r\nHost: a\r\n\r\n"),
                row("method that is no token", 400, "GE(T / HTTP/1.1\r\nHost: a\r\n\r\n"),
                row("HTTP/2.0", 505, "GET / HTTP/2.0\r\nHost: a\r\n\r\n"),
                row("HTTP/3.1", 505, "GET / HTTP/3.1\r\nHost: a\r\n\r\n"),
                row("no version", 400, "GET /\r\nHost: a\r\n\r\n"),
                row("encoded NUL", 400, "GET /%00 HTTP/1.1\r\nHost: a\r\n\r\n"),
                row("percent without digits", 400, "GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n"),
                row("percent at the end", 400, "GET /a% HTTP/1.1\r\nHost: a\r\n\r\n"),
                row("backslash", 400, "GET /a\\b HTTP/1.1\r\nHost: a\r\n\r\n"),
                row("non-ASCII target", 400, "GET /\u00e4 HTTP/1.1\r\nHost: a\r\n\r\n"),
                row("Connection names Host", 400, getWith("Connection: Host\r\n")),
                row(
                        "Connection names framing",
                        400,
                        postWith("Connection: close, Content-Length\r\nContent-Length: 1\r\n", "x")),
                row("other expectation", 417, getWith("Expect: 200-ok\r\n")));
    }

    private static Arguments row(String name, int status, String request) {
        return Arguments.of(name, status, request);
    }

    private static String getWith(String fields) {
        return "GET / HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n";
    }

    private static String postWith(String fields, String body) {
        return "POST / HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n" + body;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("refused")
    void requestIsRefusedAndNothingIsForwarded(String name, int status, String request) throws Exception {
        try (TestNode node = TestNode.named("reached")) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                // What follows would be a second request if the first one were taken in another way than it is refused.
                client.send(request);
                RawClient.Answer answer = client.read();
                assertThat(answer.status()).as(name).isEqualTo(status);
                assertThat(answer.body()).isNotEmpty();
                if (status == 405) {
                    assertThat(answer.field("allow")).contains("GET");
                }
            }
            assertThat(node.received()).as(name).isEmpty();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("badChunks")
    void badChunkIsNeverPassedOnAsAWholeBody(String name, String body) throws Exception {
        try (TestNode node = TestNode.named("reached")) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                client.send(postWith(TE, body));
                int status = statusOrClosed(client);
                assertThat(status).as(name).isIn(-1, 400);
            }
            assertThat(node.received()).as(name).isEmpty();
        }
    }

    static Stream<Arguments> badChunks() {
        return Stream.of(
                Arguments.of("0x1", "0x1\r\na\r\n0\r\n\r\n"),
                Arguments.of("1_0", "1_0\r\naaaaaaaaaaaaaaaa\r\n0\r\n\r\n"),
                Arguments.of("overflowing", "fffffffffffffffff\r\na\r\n0\r\n\r\n"),
                Arguments.of("negative", "-1\r\na\r\n0\r\n\r\n"),
                Arguments.of("line ended by LF", "1\na\r\n0\r\n\r\n"),
                Arguments.of("bare CR in an extension", "1;a\rb\r\na\r\n0\r\n\r\n"),
                Arguments.of("data longer than announced", "1\r\nab\r\n0\r\n\r\n"));
    }

    private static int statusOrClosed(RawClient client) throws java.io.IOException {
        try {
            return client.read().status();
        } catch (java.io.EOFException | java.net.SocketException e) {
            return -1;
        }
    }

    @Test
    void limitsOfHeadTargetAndBodyAreAnswered() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway()
                    .apply(forwarding(node.url())
                            .with(
                                    ResourceType.PROXY_SERVER,
                                    "web",
                                    server -> server.toBuilder()
                                            .limits(ServerLimits.builder()
                                                    .headBytesMax(2048)
                                                    .targetBytesMax(512)
                                                    .bodyBytesMax(10L)
                                                    .build())
                                            .build()));
            assertThat(exchange("GET /" + "a".repeat(600) + " HTTP/1.1\r\nHost: a\r\n\r\n")
                            .status())
                    .isEqualTo(414);
            assertThat(exchange(getWith("X-A: " + "a".repeat(4000) + "\r\n")).status())
                    .isEqualTo(431);
            assertThat(exchange(postWith("Content-Length: 11\r\n", "")).status())
                    .isEqualTo(413);
            assertThat(exchange(postWith(TE, "6\r\naaaaaa\r\n6\r\nbbbbbb\r\n0\r\n\r\n"))
                            .status())
                    .isEqualTo(413);
            assertThat(exchange(postWith("Content-Length: 10\r\n", "0123456789"))
                            .status())
                    .isEqualTo(200);
            assertThat(exchange("GET /" + "a".repeat(500) + " HTTP/1.1\r\nHost: a\r\n\r\n")
                            .status())
                    .isEqualTo(200);
        }
    }

    @Test
    void whatIsUnusualButRightIsServed() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(forwarding(node.url()));
            assertThat(exchange("GET / HTTP/1.7\r\nHost: a\r\n\r\n").status()).isEqualTo(200);
            assertThat(exchange("PURGE / HTTP/1.1\r\nHost: a\r\n\r\n").status()).isEqualTo(200);
            assertThat(exchange("GET / HTTP/1.1\r\nhOsT:    A.Example.COM.:80   \r\n\r\n")
                            .status())
                    .isEqualTo(200);
            assertThat(node.last().field("host")).isEqualTo("a.example.com");
            assertThat(exchange("GET http://B.example.com/x?y HTTP/1.1\r\nHost: other\r\n\r\n")
                            .status())
                    .isEqualTo(200);
            assertThat(node.last().field("host")).isEqualTo("b.example.com");
            assertThat(node.last().target()).isEqualTo("/x?y");
            assertThat(exchange("GET / HTTP/1.1\r\nHost: [::1]:8080\r\n\r\n").status())
                    .isEqualTo(200);
            assertThat(node.last().field("host")).isEqualTo("[::1]:8080");
        }
    }

    @Test
    void connectionIsClosedAfterARefusedRequest() throws Exception {
        try (TestNode node = TestNode.named("reached")) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                client.send(
                        postWith(TE + "Content-Length: 5\r\n", "0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n"));
                assertThat(client.read().status()).isEqualTo(400);
                assertThat(client.isClosedByPeer()).isTrue();
            }
            assertThat(node.received()).isEmpty();
        }
    }
}
