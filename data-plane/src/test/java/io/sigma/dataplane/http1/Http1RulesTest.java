package io.sigma.dataplane.http1;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.FrameNode;
import io.sigma.dataplane.testkit.PipelineContract;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.RawHttp2;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.Wire;
import io.sigma.model.HttpsRedirectPlugin;
import io.sigma.model.Plugins;
import io.sigma.model.ProxyPass;
import io.sigma.model.Redirect;
import io.sigma.model.RewritePathPlugin;
import io.sigma.snapshot.ResourceType;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages of HTTP/1.1 and the ends of connections (RFC 9112), towards clients and towards nodes. */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class Http1RulesTest extends PipelineContract {

    @ParameterizedTest
    @EnumSource
    void octetsOfAFieldPassAsTheyAre(Pipeline way) throws Exception {
        // Latin-1, octets that are no UTF-8, and what some read as a line end.
        String value = "\u00e4 \u00c3( \u00ff \u0085 \u00a0 x";
        try (TestNode node = TestNode.start((request, connection) ->
                connection.send("HTTP/1.1 200 OK\r\nX-Own: " + value + "\r\nContent-Length: 0\r\n\r\n"))) {
            gateway().apply(through(way, node.url()));
            RawClient.Answer answer = way.http2 ? send(way, "GET", "/") : send(way, "GET", "/", "X-Own", value);
            if (!way.http2) {
                assertThat(answer.field("x-own")).isEqualTo(value);
                assertThat(node.last().field("x-own")).isEqualTo(value);
            } else {
                assertThat(answer.status()).isEqualTo(200);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"200, HTTP/1.1 200", "299, HTTP/1.1 299", "418, HTTP/1.1 418", "599, HTTP/1.1 599"})
    void statusLineHasItsSpaceWhateverTheReason(int status, String begin) throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> connection.send(
                "HTTP/1.1 " + status + request.target().substring(1) + "\r\nContent-Length: 0\r\n\r\n"))) {
            gateway().apply(forwarding(node.url()));
            for (String path : List.of("/", "/%20", "/a")) {
                try (RawClient client = RawClient.connect(port())) {
                    client.send("GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n");
                    String line = Wire.readLine(client.in());
                    assertThat(line).startsWith(path.equals("/") ? begin + " " : "HTTP/1.1 502 ");
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void requestToANodeIsOneOfHttp11WithOneHostAndOneFraming(Pipeline way) throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(through(way, node.url()));
            send(way, "GET", "/a?b", "TE", "trailers");
            assertThat(node.last().line()).isEqualTo("GET /a?b HTTP/1.1");
            assertThat(node.last().all("host")).containsExactly("shop.example.com");
            assertThat(node.last().all("te")).isEmpty();
            assertThat(node.last().all("connection")).isEmpty();
            assertThat(node.last().all("transfer-encoding")).isEmpty();
            assertThat(node.last().all("content-length")).isEmpty();
        }
    }

    /** Neither framing has a place where there is no content (RFC 9112 §6.1, RFC 9110 §8.6). */
    @ParameterizedTest
    @EnumSource
    void noContentHasNoFraming(Pipeline way) throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> connection.send("HTTP/1.1 204 x\r\n"
                + (request.target().equals("/chunked") ? "Transfer-Encoding: chunked" : "Content-Length: 5")
                + "\r\n\r\n"))) {
            gateway().apply(through(way, node.url()));
            for (String path : List.of("/chunked", "/length")) {
                RawClient.Answer answer = send(way, "GET", path);
                assertThat(answer.status()).isEqualTo(204);
                assertThat(answer.all("transfer-encoding")).isEmpty();
                assertThat(answer.all("content-length")).isEmpty();
            }
        }
    }

    /** HTTP/2 need not say how long a body is; HTTP/1.1 does. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void bodyOfAStreamHasOneFraming(boolean announced) throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> connection.ok(request.text()))) {
            gateway().apply(forwarding(node.url()));
            try (RawHttp2 client = RawHttp2.connect(port())) {
                String[] head = {":method", "POST", ":scheme", "http", ":path", "/", ":authority", "a"};
                client.send(
                        RawHttp2.HEADERS,
                        RawHttp2.END_HEADERS,
                        1,
                        RawHttp2.fields(
                                announced
                                        ? Stream.concat(Arrays.stream(head), Stream.of("content-length", "5"))
                                                .toArray(String[]::new)
                                        : head));
                client.send(RawHttp2.DATA, RawHttp2.END_STREAM, 1, "hello".getBytes(StandardCharsets.US_ASCII));
                assertThat(client.status(client.next())).isEqualTo("200");
            }
            assertThat(node.last().text()).isEqualTo("hello");
            assertThat(node.last().all("transfer-encoding")).hasSize(announced ? 0 : 1);
            assertThat(node.last().all("content-length")).hasSize(announced ? 1 : 0);
        }
    }

    @ParameterizedTest
    @EnumSource
    void requestForTheServerAsAWholeStaysOne(Pipeline way) throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway()
                    .apply(through(way, node.url() + "/base")
                            .with(
                                    ResourceType.PROXY_PASS,
                                    "pass",
                                    pass -> pass.toBuilder().addPrefix("/v2").build()));
            assertThat(send(way, "OPTIONS", "*").status()).isEqualTo(200);
            assertThat(node.last().line()).isEqualTo("OPTIONS * HTTP/1.1");
        }
    }

    @Test
    void optionsOfAnAuthorityWithoutAPathIsForTheServerAsAWhole() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(forwarding(node.url()));
            for (String target : List.of("http://www.example.org:8001", "HTTPS://www.example.org:8001")) {
                exchange("OPTIONS " + target + " HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(node.last().line()).isEqualTo("OPTIONS * HTTP/1.1");
                assertThat(node.last().all("host")).containsExactly("www.example.org:8001");
            }
            exchange("OPTIONS http://a/ HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(node.last().line()).isEqualTo("OPTIONS / HTTP/1.1");
            exchange("OPTIONS http://a?b HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(node.last().line()).isEqualTo("OPTIONS /?b HTTP/1.1");
            exchange("GET http://a HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(node.last().line()).isEqualTo("GET / HTTP/1.1");
        }
    }

    @Test
    void noPathIsMadeOfTheServerAsAWhole() throws Exception {
        String whole = "OPTIONS * HTTP/1.1\r\nHost: www.example.org\r\n\r\n";
        try (TestNode node = TestNode.named("ok")) {
            Config config = forwarding(node.url());
            gateway()
                    .apply(config.copy()
                            .with(
                                    ResourceType.PROXY_PASS,
                                    "pass",
                                    pass -> pass.toBuilder()
                                            .plugins(Plugins.builder()
                                                    .rewritePath(RewritePathPlugin.builder()
                                                            .regexp(".*")
                                                            .replacement("/new")
                                                            .build())
                                                    .build())
                                            .build()));
            assertThat(exchange(whole).status()).isEqualTo(200);
            assertThat(node.last().line()).isEqualTo("OPTIONS * HTTP/1.1");
            gateway()
                    .apply(config.copy()
                            .with(
                                    ResourceType.PROXY_SERVER,
                                    "web",
                                    server -> server.toBuilder()
                                            .plugins(Plugins.builder()
                                                    .httpsRedirect(HttpsRedirectPlugin.builder()
                                                            .build())
                                                    .build())
                                            .build()));
            assertThat(exchange(whole).field("location")).isEqualTo("https://www.example.org");
            gateway()
                    .apply(config.copy()
                            .pass(ProxyPass.builder()
                                    .id("pass")
                                    .redirect(Redirect.builder()
                                            .location("https://new.example.org$request_uri")
                                            .build())
                                    .build()));
            assertThat(exchange(whole).field("location")).isEqualTo("https://new.example.org");
        }
    }

    @Test
    void requestForANodeOfHttp2AsAWholeStaysOne() throws Exception {
        try (FrameNode node = FrameNode.start((request, connection) -> connection.ok(request.stream()))) {
            gateway().apply(forwarding(node.url() + "/base").overHttp2());
            assertThat(send(Pipeline.HTTP1, "OPTIONS", "*").status()).isEqualTo(200);
            assertThat(node.heads().getLast().path()).isEqualTo("*");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "5;a\r\nhello\r\n0;b\r\n\r\n",
                "5;a=b;c=\"d;e\\\"\"\r\nhello\r\n0\r\n\r\n",
                "5 ;a\r\nhello\r\n0\t ; b\r\n\r\n",
                "5 ; a = b ; c\r\nhello\r\n0\r\n\r\n",
                "00000000000000000000005\r\nhello\r\n0000\r\n\r\n",
                "2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n",
            })
    void chunksAreReadWhateverIsUnusualOfThem(String body) throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> {
            if (request.method().equals("POST")) {
                connection.ok(request.text());
            } else {
                connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n" + body);
            }
        })) {
            gateway().apply(forwarding(node.url()));
            assertThat(exchange("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: CHUNKED\r\n\r\n" + body)
                            .text())
                    .isEqualTo("hello");
            assertThat(get("/").text()).isEqualTo("hello");
            for (int i = 1; i < body.length(); i += 3) {
                try (RawClient client = RawClient.connect(port())) {
                    client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
                    client.send(body.substring(0, i));
                    client.send(body.substring(i));
                    assertThat(client.read().text()).isEqualTo("hello");
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"close", "Close", "x-own, CLOSE", "keep-alive\r\nConnection: close"})
    void clientThatClosesIsAnsweredOnce(String options) throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: " + options
                        + "\r\n\r\nGET /second HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(client.read().all("connection")).containsExactly("close");
                assertThat(client.isClosedByPeer()).isTrue();
            }
            assertThat(node.received()).hasSize(1);
        }
    }

    /** It is the origin server to its clients, so it may keep connections of HTTP/1.0 (RFC 9112 §9.3). */
    @ParameterizedTest
    @CsvSource({"'', false", "'Connection: keep-alive', true", "'Connection: close', false", "'Keep-Alive: 5', false"})
    void http10ClientKeepsItsConnectionOnlyIfItAsks(String field, boolean keeps) throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                String get = "GET / HTTP/1.0\r\nHost: a\r\n" + field + (field.isEmpty() ? "" : "\r\n") + "\r\n";
                client.send(get);
                assertThat(client.read().all("connection")).containsExactly(keeps ? "keep-alive" : "close");
                if (keeps) {
                    client.send(get);
                    assertThat(client.read().text()).isEqualTo("ok");
                } else {
                    assertThat(client.isClosedByPeer()).isTrue();
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nConnection: close\r\n",
                "HTTP/1.1 200 OK\r\nConnection: x-own, CLOSE\r\n",
                "HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nConnection: close\r\n",
                "HTTP/1.0 200 OK\r\n",
            })
    void connectionOfANodeThatClosesIsClosedAndNotUsedAgain(String head) throws Exception {
        CountDownLatch closed = new CountDownLatch(2);
        try (TestNode node = TestNode.start((request, connection) -> {
            connection.send(head + "Content-Length: 2\r\n\r\nok");
            // It leaves the end to the gateway.
            if (connection.in().read() < 0) {
                closed.countDown();
            }
        })) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                for (int i = 1; i <= 2; i++) {
                    client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");
                    assertThat(client.read().text()).isEqualTo("ok");
                    assertThat(node.accepted()).isEqualTo(i);
                }
            }
            assertThat(closed.await(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** The option to close comes first, whatever else is there (RFC 9112 §9.3). */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1.0 | keep-alive, close",
                "1.0 | close, keep-alive",
                "1.0 | foo",
                "1.1 | keep-alive, close",
                "1.1 | foo,CLOSE"
            })
    void optionToCloseEndsConnectionsOfEitherSide(String version, String options) throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> connection.send(
                "HTTP/" + version + " 200 OK\r\nConnection: " + options + "\r\nContent-Length: 2\r\n\r\nok"))) {
            gateway().apply(forwarding(node.url()));
            for (int i = 1; i <= 3; i++) {
                try (RawClient client = RawClient.connect(port())) {
                    client.send("GET / HTTP/" + version + "\r\nHost: a\r\nConnection: " + options + "\r\n\r\n");
                    RawClient.Answer answer = client.read();
                    assertThat(answer.text()).isEqualTo("ok");
                    assertThat(answer.field("connection")).isEqualTo("close");
                    assertThat(client.isClosedByPeer()).isTrue();
                }
                assertThat(node.accepted()).isEqualTo(i);
            }
        }
    }
}
