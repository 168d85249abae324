package io.sigma.dataplane.http2;

import static io.sigma.dataplane.testkit.RawHttp2.fields;
import static io.sigma.dataplane.testkit.RawHttp2.head;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.RawHttp2;
import io.sigma.dataplane.testkit.TestNode;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Invalid requests of HTTP/2 clients: no part of them reaches a node. */
@SuppressWarnings("try") // A connection is closed early so that its sender ends.
final class Http2RulesTest extends EngineContract {

    private static byte[] pseudo(String method, String scheme, String path, String authority) {
        return fields(":method", method, ":scheme", scheme, ":path", path, ":authority", authority);
    }

    static Stream<Arguments> malformed() {
        return Stream.of(
                arguments("upper case in a name", head("X-Upper", "1")),
                arguments("a control byte in a name", head("x\u0001y", "1")),
                arguments("a space in a name", head("x y", "1")),
                arguments("an empty name", head("", "1")),
                arguments("CR in a value", head("x-a", "1\r2")),
                arguments("LF in a value", head("x-a", "1\n2")),
                arguments("NUL in a value", head("x-a", "1\0002")),
                arguments("connection", head("connection", "close")),
                arguments("keep-alive", head("keep-alive", "timeout=5")),
                arguments("proxy-connection", head("proxy-connection", "close")),
                arguments("transfer-encoding", head("transfer-encoding", "chunked")),
                arguments("upgrade", head("upgrade", "websocket")),
                arguments("te other than trailers", head("te", "gzip")),
                arguments("Host that differs from :authority", head("host", "other.example.com")),
                arguments("an unknown pseudo-field", head(":secret", "1")),
                arguments("a pseudo-field of a response", head(":status", "200")),
                arguments(
                        "a late pseudo-field",
                        fields(":method", "GET", ":scheme", "http", ":authority", "a", "x-a", "1", ":path", "/")),
                arguments("a duplicate path", head(":path", "/other")),
                arguments("a duplicate method", head(":method", "GET")),
                arguments("a duplicate scheme", head(":scheme", "http")),
                arguments("a duplicate authority", head(":authority", "shop.example.com")),
                arguments("a space before a value", head("x-a", " 1")),
                arguments("a space behind a value", head("x-a", "1 ")),
                arguments("a tab behind a value", head("x-a", "1\t")),
                arguments("a value of white space", head("x-a", " ")),
                arguments("a colon in a name", head("x:a", "1")),
                arguments("Host with another port", head("host", "shop.example.com:8080")),
                arguments("an empty authority", pseudo("GET", "http", "/", "")),
                arguments("DEL in a value", head("x-a", "1\u007f2")),
                arguments("DEL in a name", head("x\u007fa", "1")),
                arguments("a byte beyond ASCII in a name", head("x\u00e9", "1")),
                arguments("two Hosts", head("host", "shop.example.com", "host", "shop.example.com")),
                arguments("te with more than trailers", head("te", "trailers, gzip")),
                arguments("two lengths", head("content-length", "1", "content-length", "2")),
                arguments("one length twice", head("content-length", "0", "content-length", "0")),
                arguments("a list of one length", head("content-length", "0, 0")),
                arguments("an empty length", head("content-length", "")),
                arguments("a length with a sign", head("content-length", "+1")),
                arguments("a length that is too long", head("content-length", "99999999999999999999")),
                arguments("a length without a body", head("content-length", "5")),
                arguments("a path without a slash", pseudo("GET", "http", "x", "a")),
                arguments("a path with a fragment's control byte", pseudo("GET", "http", "/\u0001", "a")),
                arguments("a method that is no token", pseudo("G T", "http", "/", "a")),
                arguments("an authority with user information", pseudo("GET", "http", "/", "user@a")),
                arguments("an authority with a space", pseudo("GET", "http", "/", "a b")),
                arguments("an empty path", fields(":method", "GET", ":scheme", "http", ":path", "", ":authority", "a")),
                arguments(
                        "a path with a space",
                        fields(":method", "GET", ":scheme", "http", ":path", "/a b", ":authority", "a")),
                arguments("no path", fields(":method", "GET", ":scheme", "http", ":authority", "a")),
                arguments("no method", fields(":path", "/", ":scheme", "http", ":authority", "a")),
                arguments("no scheme", fields(":method", "GET", ":path", "/", ":authority", "a")));
    }

    @ParameterizedTest
    @CsvSource({"http, 200", "https, 200", "HTTP, 200", "ftp, 400", "ws, 400", "httpsx, 400", "coap+tcp, 400"})
    void otherSchemesThanThoseOfHttpAreRefused(String scheme, String status) throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(forwarding(node.url()));
            try (RawHttp2 client = RawHttp2.connect(port())) {
                client.send(
                        RawHttp2.HEADERS,
                        RawHttp2.END_STREAM | RawHttp2.END_HEADERS,
                        1,
                        pseudo("GET", scheme, "/", "shop.example.com"));
                assertThat(client.status(client.next())).isEqualTo(status);
            }
            assertThat(node.received()).hasSize(status.equals("200") ? 1 : 0);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("malformed")
    void malformedHeadIsAStreamErrorAndIsNotForwarded(String what, byte[] block) throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(forwarding(node.url()));
            try (RawHttp2 client = RawHttp2.connect(port())) {
                client.send(RawHttp2.HEADERS, RawHttp2.END_STREAM | RawHttp2.END_HEADERS, 1, block);
                assertThat(client.next().error()).as(what).isEqualTo(RawHttp2.PROTOCOL_ERROR);
            }
            assertThat(node.received()).isEmpty();
        }
    }

    @Test
    void bodyThatIsNotAsLongAsItSaidIsAStreamError() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(forwarding(node.url()));
            try (RawHttp2 client = RawHttp2.connect(port())) {
                client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, head("content-length", "5"));
                client.send(RawHttp2.DATA, RawHttp2.END_STREAM, 1, new byte[3]);
                assertThat(client.next().error()).isEqualTo(RawHttp2.PROTOCOL_ERROR);
                client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 3, head("content-length", "2"));
                client.send(RawHttp2.DATA, RawHttp2.END_STREAM, 3, new byte[3]);
                assertThat(client.next().error()).isEqualTo(RawHttp2.PROTOCOL_ERROR);
            }
            assertThat(node.received()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {":status", "X-Upper", "connection"})
    void malformedTrailersAreAStreamErrorAndEndNoRequest(String name) throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(forwarding(node.url()));
            try (RawHttp2 client = RawHttp2.connect(port())) {
                client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, head());
                client.send(RawHttp2.DATA, 0, 1, new byte[3]);
                client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS | RawHttp2.END_STREAM, 1, fields(name, "1"));
                assertThat(client.next().error()).isEqualTo(RawHttp2.PROTOCOL_ERROR);
            }
            assertThat(node.received()).isEmpty();
        }
    }

    static Stream<Arguments> malformedHeads() {
        return Stream.of(
                arguments("connection", head("connection", "close")),
                arguments("upper case in a name", head("X-Upper", "1")),
                arguments("NUL in a value", head("x-a", "1\0002")),
                arguments("te other than trailers", head("te", "gzip")),
                arguments("a method that is no token", pseudo("G T", "http", "/", "a")),
                arguments("no path", fields(":method", "GET", ":scheme", "http", ":authority", "a")));
    }

    /** Its frames were under way when its sender could hear of the reset. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("malformedHeads")
    void bodyBehindAMalformedHeadIsIgnored(String what, byte[] block) throws Exception {
        CountDownLatch answered = new CountDownLatch(1);
        try (TestNode node = TestNode.start((request, connection) -> {
            answered.await();
            connection.ok("ok");
        })) {
            gateway().apply(forwarding(node.url()));
            try (RawHttp2 client = RawHttp2.connect(port())) {
                int all = RawHttp2.END_STREAM | RawHttp2.END_HEADERS;
                client.send(RawHttp2.HEADERS, all, 1, head());
                client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 3, block);
                for (int i = 0; i < 300; i++) {
                    client.send(RawHttp2.DATA, 0, 3, new byte[1_000]);
                }
                client.send(RawHttp2.HEADERS, all, 3, fields("x-sum", "42"));
                RawHttp2.Frame reset = client.next();
                assertThat(reset.error()).as(what).isEqualTo(RawHttp2.PROTOCOL_ERROR);
                assertThat(reset.stream()).isEqualTo(3);
                answered.countDown();
                RawHttp2.Frame answer = client.next();
                assertThat(answer.stream()).isEqualTo(1);
                assertThat(client.status(answer)).isEqualTo("200");
            }
        }
    }

    @Test
    void malformedHeadEndsItsStreamOnly() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(forwarding(node.url()));
            try (RawHttp2 client = RawHttp2.connect(port())) {
                client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, head("content-length", "2"));
                int all = RawHttp2.END_STREAM | RawHttp2.END_HEADERS;
                client.send(RawHttp2.HEADERS, all, 3, pseudo("G T", "http", "/", "a"));
                assertThat(client.next().error()).isEqualTo(RawHttp2.PROTOCOL_ERROR);
                client.send(RawHttp2.HEADERS, all, 5, head("X-Upper", "1"));
                assertThat(client.next().error()).isEqualTo(RawHttp2.PROTOCOL_ERROR);
                client.send(RawHttp2.DATA, RawHttp2.END_STREAM, 1, new byte[2]);
                RawHttp2.Frame answer = client.next();
                assertThat(answer.stream()).isEqualTo(1);
                assertThat(client.status(answer)).isEqualTo("200");
            }
        }
    }

    @Test
    void hostThatIsTheAuthorityIsTaken() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(forwarding(node.url()));
            try (RawHttp2 client = RawHttp2.connect(port())) {
                client.send(
                        RawHttp2.HEADERS,
                        RawHttp2.END_STREAM | RawHttp2.END_HEADERS,
                        1,
                        head("host", "shop.example.com", "te", "trailers"));
                assertThat(client.status(client.next())).isEqualTo("200");
            }
            assertThat(node.last().all("host")).containsExactly("shop.example.com");
        }
    }

    @ParameterizedTest
    @CsvSource({"OPTIONS, 200", "GET, 400"})
    void pathOfEverythingIsForOptionsAlone(String method, String status) throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(forwarding(node.url()));
            try (RawHttp2 client = RawHttp2.connect(port())) {
                client.send(
                        RawHttp2.HEADERS,
                        RawHttp2.END_STREAM | RawHttp2.END_HEADERS,
                        1,
                        pseudo(method, "http", "*", "shop.example.com"));
                assertThat(client.status(client.next())).isEqualTo(status);
            }
            assertThat(node.received()).hasSize(status.equals("200") ? 1 : 0);
        }
    }

    /** RFC 3986 §6.2.2.1, §6.2.3. */
    @ParameterizedTest
    @CsvSource({
        "http, shop.example.com, shop.example.com:80",
        "http, shop.example.com:80, shop.example.com",
        "https, shop.example.com, shop.example.com:443",
        "http, shop.example.com, SHOP.example.COM",
        "http, SHOP.example.COM, shop.example.com",
    })
    void hostThatIsWrittenInAnotherWayIsTheSame(String scheme, String authority, String host) throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(forwarding(node.url()));
            try (RawHttp2 client = RawHttp2.connect(port())) {
                client.send(
                        RawHttp2.HEADERS,
                        RawHttp2.END_STREAM | RawHttp2.END_HEADERS,
                        1,
                        fields(
                                ":method",
                                "GET",
                                ":scheme",
                                scheme,
                                ":path",
                                "/",
                                ":authority",
                                authority,
                                "host",
                                host));
                assertThat(client.status(client.next())).isEqualTo("200");
            }
            assertThat(node.last().all("host")).containsExactly("shop.example.com");
        }
    }

    /**
     * A connection that is closed with something unread is reset, and what it said last may be lost (RFC 9112 §9.6).
     */
    @Test
    void whatFollowsAnErrorIsReadSoThatTheClientLearnsOfIt() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(forwarding(node.url()));
            try (RawHttp2 client = RawHttp2.connect(port())) {
                client.send(RawHttp2.DATA, 0, 1, new byte[1]);
                for (int i = 0; i < 32; i++) {
                    client.send(RawHttp2.DATA, 0, 1, new byte[16_384]);
                }
                assertThat(client.goAway()).isEqualTo(RawHttp2.PROTOCOL_ERROR);
                assertThat(client.isEnded()).isTrue();
            }
        }
    }

    @Test
    void clientThatGoesOnAfterAnErrorIsCutOff() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(forwarding(node.url()));
            try (RawHttp2 client = RawHttp2.connect(port())) {
                client.send(RawHttp2.DATA, 0, 1, new byte[1]);
                assertThat(client.goAway()).isEqualTo(RawHttp2.PROTOCOL_ERROR);
                boolean cutOff = false;
                for (int i = 0; i < 4096 && !cutOff; i++) {
                    cutOff = client.isCutOff();
                }
                assertThat(cutOff).isTrue();
            }
        }
    }
}
