package io.sigma.dataplane;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.model.Protocol;
import io.sigma.model.ProxyServer;
import io.sigma.model.ServerLimits;
import io.sigma.model.ServerTls;
import io.sigma.snapshot.ResourceType;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.SocketException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Bad HTTP/1 from clients: how it is answered, and that nothing of it reaches a node. */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class MalformedRequestTest extends EngineContract {

    private static final String TE = "Transfer-Encoding: chunked\r\n";
    /** Follows every refused request; it would be served if the refused one ended elsewhere than where it was refused. */
    private static final String SMUGGLED = "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n";

    private final TestTls tls = TestTls.create("gateway");

    static Stream<Arguments> refused() {
        return Stream.of(framing(), lengths(), lines(), hosts(), targets(), others())
                .flatMap(rows -> rows);
    }

    private static Stream<Arguments> framing() {
        return Stream.of(
                row("TE with CL", 400, postWith(TE + "Content-Length: 5\r\n", "5\r\nhello\r\n0\r\n\r\n")),
                row("CL with TE", 400, postWith("Content-Length: 5\r\n" + TE, "5\r\nhello\r\n0\r\n\r\n")),
                row("TE with CL 0", 400, postWith(TE + "Content-Length: 0\r\n", "0\r\n\r\n")),
                row("TE on HTTP/1.0", 400, "POST / HTTP/1.0\r\nHost: a\r\n" + TE + "\r\n5\r\nhello\r\n0\r\n\r\n"),
                row("TE that does not end in chunked", 400, postWith("Transfer-Encoding: chunked, gzip\r\n", "")),
                row("TE in two fields, chunked first", 400, postWith(TE + "Transfer-Encoding: gzip\r\n", "")),
                row("TE identity", 400, postWith("Transfer-Encoding: identity\r\n", "")),
                row("TE gzip alone", 400, postWith("Transfer-Encoding: gzip\r\n", "")),
                row("TE empty", 400, postWith("Transfer-Encoding: \r\n", "")),
                row("TE xchunked", 400, postWith("Transfer-Encoding: xchunked\r\n", "0\r\n\r\n")),
                row("TE quoted", 400, postWith("Transfer-Encoding: \"chunked\"\r\n", "0\r\n\r\n")),
                row("TE with a vertical tab", 400, postWith("Transfer-Encoding: \013chunked\r\n", "0\r\n\r\n")),
                row("TE with a parameter", 400, postWith("Transfer-Encoding: chunked;a=b\r\n", "0\r\n\r\n")),
                row("chunked twice", 400, postWith("Transfer-Encoding: chunked, chunked\r\n", "0\r\n\r\n")),
                row("chunked twice in two fields", 400, postWith(TE + TE, "0\r\n\r\n")),
                row(
                        "an unknown coding before chunked",
                        501,
                        postWith("Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n")),
                row(
                        "an unknown coding before chunked in two fields",
                        501,
                        postWith("Transfer-Encoding: gzip\r\n" + TE, "0\r\n\r\n")));
    }

    private static Stream<Arguments> lengths() {
        Stream<Arguments> values = Stream.of(
                        "+5",
                        "0x5",
                        "-1",
                        "-0",
                        "",
                        "5 5",
                        "5;a",
                        "5.0",
                        "1_0",
                        "\"5\"",
                        "99999999999999999999",
                        "9223372036854775808")
                .map(value -> row("CL " + value, 400, postWith("Content-Length: " + value + "\r\n", "hello")));
        return Stream.concat(
                values,
                Stream.of(
                        row("CL conflicting", 400, postWith("Content-Length: 5\r\nContent-Length: 6\r\n", "hello!")),
                        row("CL list", 400, postWith("Content-Length: 5, 6\r\n", "hello!")),
                        row("CL list with an empty item", 400, postWith("Content-Length: 5,\r\n", "hello"))));
    }

    private static Stream<Arguments> lines() {
        return Stream.of(
                row("space before the colon", 400, getWith("X-A : 1\r\n")),
                row("tab before the colon", 400, getWith("X-A\t: 1\r\n")),
                row("space before the colon of CL", 400, postWith("Content-Length : 5\r\n", "hello")),
                row("line folding of the first field", 400, "GET / HTTP/1.1\r\n X: 1\r\nHost: a\r\n\r\n"),
                row("line folding", 400, getWith("X-A: 1\r\n 2\r\n")),
                row("line folding with a tab", 400, getWith("X-A: 1\r\n\t2\r\n")),
                row("line folding of Host", 400, "GET / HTTP/1.1\r\nHost: a\r\n b\r\n\r\n"),
                row("line folding of TE", 400, postWith("Transfer-Encoding:\r\n chunked\r\n", "0\r\n\r\n")),
                row("a field that is white space", 400, getWith("X-A: 1\r\n \r\n")),
                row("NUL in a value", 400, getWith("X-A: 1\0002\r\n")),
                row("CR in a value", 400, getWith("X-A: 1\r2\r\n")),
                row("LF in a value", 400, getWith("X-A: 1\n2\r\n")),
                row("CR before CRLF", 400, getWith("X-A: 1\r\r\n")),
                row("control byte in a name", 400, getWith("X-\001A: 1\r\n")),
                row("NUL in a name", 400, getWith("X-\000A: 1\r\n")),
                row("parenthesis in a name", 400, getWith("X(A): 1\r\n")),
                row("non-ASCII in a name", 400, getWith("X-\u00e4: 1\r\n")),
                row("a line that ends in LF", 400, "GET / HTTP/1.1\nHost: a\r\n\r\n"),
                row("a field that ends in LF", 400, getWith("X-A: 1\n")),
                row("a head that ends in LF", 400, "GET / HTTP/1.1\r\nHost: a\r\n\n"),
                row("leading SOH", 400, "\001GET / HTTP/1.1\r\nHost: a\r\n\r\n"),
                row("leading NUL", 400, "\000GET / HTTP/1.1\r\nHost: a\r\n\r\n"),
                row("leading space", 400, " GET / HTTP/1.1\r\nHost: a\r\n\r\n"),
                row("leading tab", 400, "\tGET / HTTP/1.1\r\nHost: a\r\n\r\n"),
                row("no colon", 400, getWith("nonsense\r\n")),
                row("empty name", 400, getWith(": 1\r\n")));
    }

    private static Stream<Arguments> hosts() {
        Stream<Arguments> values = Stream.of(
                        "", "a/b", "u@a", "a:99999", "a:0", "a:-1", "a:b", "a:80:80", "a, b", "a b", "a..b", ".a",
                        "[::1", "[::g]", "a?b", "a#b", "a%41", "a\\b", "\u00e4")
                .map(host -> row("Host " + host, 400, "GET / HTTP/1.1\r\nHost: " + host + "\r\n\r\n"));
        return Stream.concat(
                values,
                Stream.of(
                        row("no Host", 400, "GET / HTTP/1.1\r\n\r\n"),
                        row("no Host with an absolute target", 400, "GET http://a/ HTTP/1.1\r\n\r\n"),
                        row("two Hosts", 400, "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n"),
                        row("two Hosts that differ in case", 400, "GET / HTTP/1.1\r\nHost: a\r\nhOST: b\r\n\r\n"),
                        row("absolute target with a bad Host", 400, "GET http://a/ HTTP/1.1\r\nHost: b@c\r\n\r\n"),
                        row("absolute target with a user", 400, "GET http://u@a/ HTTP/1.1\r\nHost: a\r\n\r\n"),
                        row("absolute target without a host", 400, "GET http:/// HTTP/1.1\r\nHost: a\r\n\r\n")));
    }

    private static Stream<Arguments> targets() {
        return Stream.of(
                row("GET *", 400, "GET * HTTP/1.1\r\nHost: a\r\n\r\n"),
                row("target without a slash", 400, "GET a HTTP/1.1\r\nHost: a\r\n\r\n"),
                row("no target", 400, "GET HTTP/1.1\r\nHost: a\r\n\r\n"),
                row("fragment in the target", 400, "GET /a#b HTTP/1.1\r\nHost: a\r\n\r\n"),
                row("unknown scheme", 400, "GET ftp://a/ HTTP/1.1\r\nHost: a\r\n\r\n"),
                row("space in the target", 400, "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n"),
                row("NUL in the target", 400, "GET /a\000b HTTP/1.1\r\nHost: a\r\n\r\n"),
                row("CR in the target", 400, "GET /a\rb HTTP/1.1\r\nHost: a\r\n\r\n"),
                row("control byte in the query", 400, "GET /?a\001b HTTP/1.1\r\nHost: a\r\n\r\n"),
                row("encoded NUL", 400, "GET /%00 HTTP/1.1\r\nHost: a\r\n\r\n"),
                row("encoded NUL within a segment", 400, "GET /a%00b/c HTTP/1.1\r\nHost: a\r\n\r\n"),
                row("percent without digits", 400, "GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n"),
                row("percent with one digit", 400, "GET /%4/a HTTP/1.1\r\nHost: a\r\n\r\n"),
                row("percent at the end", 400, "GET /a% HTTP/1.1\r\nHost: a\r\n\r\n"),
                row("backslash", 400, "GET /a\\b HTTP/1.1\r\nHost: a\r\n\r\n"),
                row("non-ASCII target", 400, "GET /\u00e4 HTTP/1.1\r\nHost: a\r\n\r\n"));
    }

    private static Stream<Arguments> others() {
        return Stream.of(
                row("CONNECT", 405, "CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n"),
                row("method that is no token", 400, "GE(T / HTTP/1.1\r\nHost: a\r\n\r\n"),
                row("two spaces after the method", 400, "GET  / HTTP/1.1\r\nHost: a\r\n\r\n"),
                row("tab after the method", 400, "GET\t/ HTTP/1.1\r\nHost: a\r\n\r\n"),
                row("two spaces before the version", 400, "GET /  HTTP/1.1\r\nHost: a\r\n\r\n"),
                row("space after the version", 400, "GET / HTTP/1.1 \r\nHost: a\r\n\r\n"),
                row("HTTP/2.0", 505, "GET / HTTP/2.0\r\nHost: a\r\n\r\n"),
                row("HTTP/3.1", 505, "GET / HTTP/3.1\r\nHost: a\r\n\r\n"),
                row("no version", 400, "GET /\r\nHost: a\r\n\r\n"),
                row("version in lower case", 400, "GET / http/1.1\r\nHost: a\r\n\r\n"),
                row("version with three numbers", 400, "GET / HTTP/1.1.1\r\nHost: a\r\n\r\n"),
                row("version with a leading zero", 400, "GET / HTTP/01.1\r\nHost: a\r\n\r\n"),
                row("version with two digits", 400, "GET / HTTP/1.10\r\nHost: a\r\n\r\n"),
                row("version that is no HTTP", 400, "GET / HTTX/1.1\r\nHost: a\r\n\r\n"),
                row("Connection names Host", 400, getWith("Connection: Host\r\n")),
                row("Connection names TE", 400, postWith("Connection: Transfer-Encoding\r\n" + TE, "0\r\n\r\n")),
                row(
                        "Connection names CL",
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

    private Config encrypted(String node) {
        return forwarding(node)
                .server(ProxyServer.builder()
                        .id("web")
                        .host("127.0.0.1")
                        .port(port())
                        .protocol(Protocol.HTTPS)
                        .tls(ServerTls.builder().certificates(List.of("own")).build())
                        .build())
                .certificate(tls.resource("own"));
    }

    private RawClient connectTls() throws IOException {
        return new RawClient(tls.context().getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port()));
    }

    private static void assertRefused(RawClient client, String name, int status, String request) throws IOException {
        client.send(request + SMUGGLED);
        RawClient.Answer answer = client.read();
        assertThat(answer.status()).as(name).isEqualTo(status);
        assertThat(answer.body()).as(name).isNotEmpty();
        if (status == 405) {
            assertThat(answer.field("allow")).contains("GET");
        }
        assertThat(client.isClosedByPeer()).as("%s: closed", name).isTrue();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("refused")
    void requestIsRefusedAndNothingIsForwarded(String name, int status, String request) throws Exception {
        try (TestNode node = TestNode.named("reached")) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                assertRefused(client, name, status, request);
            }
            assertThat(node.accepted()).as(name).isZero();
        }
    }

    @Test
    void requestsAreRefusedOnTlsToo() throws Exception {
        try (TestNode node = TestNode.named("reached")) {
            gateway().apply(encrypted(node.url()));
            for (Arguments row : refused().toList()) {
                try (RawClient client = connectTls()) {
                    String name = String.valueOf(row.get()[0]);
                    assertRefused(client, name, (Integer) row.get()[1], String.valueOf(row.get()[2]));
                }
            }
            assertThat(node.accepted()).isZero();
            try (RawClient client = connectTls()) {
                client.send(getWith(""));
                assertThat(client.read().status()).isEqualTo(200);
            }
        }
    }

    @Test
    void everyByteOfABadHeadMayComeByItself() throws Exception {
        try (TestNode node = TestNode.named("reached")) {
            gateway().apply(forwarding(node.url()));
            for (String bad : List.of(getWith("X-A: 1\r\n 2\r\n"), getWith("X-A: 1\n"), getWith("X-A : 1\r\n"))) {
                try (RawClient client = RawClient.connect(port())) {
                    client.socket().setTcpNoDelay(true);
                    for (int i = 0; i < bad.length(); i++) {
                        client.send(bad.substring(i, i + 1));
                        Thread.onSpinWait();
                    }
                    assertThat(client.read().status()).isEqualTo(400);
                } catch (SocketException e) {
                    // It was closed while the rest was still being sent, which is as good.
                }
            }
            assertThat(node.accepted()).isZero();
        }
    }

    // --- Bodies that turn out to be malformed

    static Stream<Arguments> badChunks() {
        return Stream.of(
                Arguments.of("0x1", "0x1\r\na\r\n0\r\n\r\n"),
                Arguments.of("1_0", "1_0\r\naaaaaaaaaaaaaaaa\r\n0\r\n\r\n"),
                Arguments.of("+1", "+1\r\na\r\n0\r\n\r\n"),
                Arguments.of("empty", "\r\na\r\n0\r\n\r\n"),
                Arguments.of("white space before", " 1\r\na\r\n0\r\n\r\n"),
                Arguments.of("white space after", "1 \r\na\r\n0\r\n\r\n"),
                Arguments.of("no hexadecimal digit", "g\r\na\r\n0\r\n\r\n"),
                Arguments.of("overflowing 64 bits", "fffffffffffffffff\r\na\r\n0\r\n\r\n"),
                Arguments.of("overflowing to 1", "10000000000000001\r\na\r\n0\r\n\r\n"),
                Arguments.of("negative", "-1\r\na\r\n0\r\n\r\n"),
                Arguments.of("line ended by LF", "1\na\r\n0\r\n\r\n"),
                Arguments.of("line ended by CR", "1\ra\r\n0\r\n\r\n"),
                Arguments.of("extension ended by LF", "1;a=b\na\r\n0\r\n\r\n"),
                Arguments.of("bare CR in an extension", "1;a\rb\r\na\r\n0\r\n\r\n"),
                Arguments.of("NUL in an extension", "1;a\000b\r\na\r\n0\r\n\r\n"),
                Arguments.of("data longer than announced", "1\r\nab\r\n0\r\n\r\n"),
                Arguments.of("data ended by LF", "1\r\na\n0\r\n\r\n"),
                Arguments.of("last line ended by LF", "1\r\na\r\n0\n\r\n"),
                Arguments.of("end ended by LF", "1\r\na\r\n0\r\n\n"),
                Arguments.of("trailer without a colon", "1\r\na\r\n0\r\nnonsense\r\n\r\n"),
                Arguments.of("NUL in a trailer", "1\r\na\r\n0\r\nX: \000\r\n\r\n"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("badChunks")
    void badChunkIsRefusedAndTheConnectionToTheNodeNeverUsedAgain(String name, String body) throws Exception {
        CompletableFuture<String> forwarded = new CompletableFuture<>();
        try (TestNode node = TestNode.startHeadsOnly((request, connection) -> {
            if (request.method().equals("POST")) {
                forwarded.complete(readToTheEnd(connection.in()));
                connection.socket().close();
            } else {
                connection.ok("reached");
            }
        })) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                client.send(postWith(TE, "5\r\nhello\r\n"));
                GatewayHarness.eventually(() -> !node.received().isEmpty());
                assertRefused(client, name, 400, body);
            }
            // The connection ended, and what was sent on it was no whole body.
            assertThat(forwarded.get(10, TimeUnit.SECONDS)).matches("5\r\nhello\r\n([12]\r\nab?\r\n)?");
            assertThat(exchange(getWith("")).text()).isEqualTo("reached");
            assertThat(node.received()).hasSize(2);
        }
    }

    private static String readToTheEnd(InputStream in) {
        StringBuilder read = new StringBuilder();
        try {
            for (int octet = in.read(); octet >= 0; octet = in.read()) {
                read.append((char) octet);
            }
        } catch (IOException e) {
            // A reset ends it as well.
        }
        return read.toString();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("badChunks")
    void badChunkThatComesWithTheHeadIsRefused(String name, String body) throws Exception {
        try (TestNode node = TestNode.named("reached")) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                assertRefused(client, name, 400, postWith(TE, body));
            }
            assertThat(node.received()).as(name).isEmpty();
        }
    }

    @Test
    void badChunksAreRefusedOnTlsToo() throws Exception {
        try (TestNode node = TestNode.named("reached")) {
            gateway().apply(encrypted(node.url()));
            for (Arguments row : badChunks().toList()) {
                try (RawClient client = connectTls()) {
                    String name = String.valueOf(row.get()[0]);
                    assertRefused(client, name, 400, postWith(TE, "5\r\nhello\r\n" + row.get()[1]));
                }
            }
            assertThat(node.received()).isEmpty();
        }
    }

    @Test
    void requestBeforeABadOneIsAnswered() throws Exception {
        CountDownLatch arrived = new CountDownLatch(1);
        try (TestNode node = TestNode.start((request, connection) -> {
            arrived.await(10, TimeUnit.SECONDS);
            connection.ok(request.target());
        })) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                client.send("GET /first HTTP/1.1\r\nHost: a\r\n\r\n" + postWith(TE, "5\r\nhello\r\nzz\r\n") + SMUGGLED);
                GatewayHarness.eventually(() -> !node.received().isEmpty());
                arrived.countDown();
                assertThat(client.read().text()).isEqualTo("/first");
                assertThat(client.read().status()).isEqualTo(400);
                assertThat(client.isClosedByPeer()).isTrue();
            }
            assertThat(node.received()).hasSize(1);
        }
    }

    @Test
    void bodyThatEndsWithItsConnectionIsNeverAWholeRequest() throws Exception {
        try (TestNode node = TestNode.named("reached")) {
            gateway().apply(forwarding(node.url()));
            for (String start : List.of(
                    postWith(TE, "5\r\nhello\r\n"),
                    postWith(TE, "5\r\nhello\r\n0\r\n"),
                    postWith("Content-Length: 10\r\n", "hello"),
                    postWith("Content-Length: 100000\r\n", "hello"))) {
                try (RawClient client = RawClient.connect(port())) {
                    client.send(start);
                    client.socket().shutdownOutput();
                    assertThat(client.isClosedByPeer()).isTrue();
                }
            }
            GatewayHarness.eventually(() -> node.openNow() == 0);
            assertThat(node.received()).isEmpty();
        }
    }

    @Test
    void traceIsNotAllowed() throws Exception {
        try (TestNode node = TestNode.named("reached")) {
            gateway().apply(forwarding(node.url()));
            RawClient.Answer answer = exchange("TRACE / HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(answer.status()).isEqualTo(405);
            assertThat(answer.field("allow")).contains("GET");
            assertThat(node.accepted()).isZero();
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
            assertThat(exchange("\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n").status())
                    .isEqualTo(200);
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
}
