package io.sigma.dataplane.http1;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.RefusalContract;
import io.sigma.dataplane.testkit.TestNode;
import java.net.SocketException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Bad heads of HTTP/1 from clients: how they are answered, and that nothing of them reaches a node. */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class MalformedRequestTest extends RefusalContract {

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
                        row("CL list of the same", 400, postWith("Content-Length: 5, 5\r\n", "hello")),
                        row("CL twice the same", 400, postWith("Content-Length: 5\r\nContent-Length: 5\r\n", "hello")),
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
                row("CONNECT without a port", 405, "CONNECT a HTTP/1.1\r\nHost: a\r\n\r\n"),
                row("CONNECT to an empty port", 405, "CONNECT a: HTTP/1.1\r\nHost: a\r\n\r\n"),
                row("CONNECT to a port too high", 405, "CONNECT a:65536 HTTP/1.1\r\nHost: a\r\n\r\n"),
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
                row("Connection names Trailer", 400, getWith("Connection: close, trailer\r\nTrailer: X\r\n")),
                row("Connection names a type", 400, getWith("Connection: Content-Type\r\nContent-Type: a/b\r\n")),
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
