package io.sigma.dataplane.http1;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.PipelineContract;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.model.GzipPlugin;
import io.sigma.model.Plugins;
import io.sigma.model.Route;
import io.sigma.snapshot.ResourceType;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The meaning of single fields and statuses to an intermediary (RFC 9110). */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class MessageRulesTest extends PipelineContract {

    private static TestNode answering(String response) {
        return TestNode.start((request, connection) -> connection.send(response));
    }

    // --- 426

    @ParameterizedTest
    @EnumSource
    void protocolsThatANodeRequiresReachClientsThatKnowTheField(Pipeline way) throws Exception {
        try (TestNode node = answering("HTTP/1.1 426 Upgrade Required\r\nConnection: upgrade, x-own\r\nX-Own: 1\r\n"
                + "Upgrade: websocket\r\nUpgrade: other/2\r\nContent-Length: 4\r\n\r\nmore")) {
            gateway().apply(through(way, node.url()));
            RawClient.Answer answer = send(way, "GET", "/");
            assertThat(answer.status()).isEqualTo(426);
            assertThat(answer.text()).isEqualTo("more");
            assertThat(answer.all("x-own")).isEmpty();
            if (way.http2) {
                assertThat(answer.all("upgrade")).isEmpty();
                assertThat(answer.all("connection")).isEmpty();
            } else {
                assertThat(answer.all("upgrade")).containsExactly("websocket, other/2");
                assertThat(answer.all("connection")).containsExactly("Upgrade");
            }
        }
    }

    @Test
    void requiredProtocolsAreSaidToNoClientOfHttp10AndByNoOtherStatus() throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> connection.send("HTTP/1.1 "
                + (request.target().equals("/426") ? "426 x" : "200 OK")
                + "\r\nConnection: upgrade\r\nUpgrade: websocket\r\nContent-Length: 0\r\n\r\n"))) {
            gateway().apply(forwarding(node.url()));
            assertThat(exchange("GET /426 HTTP/1.0\r\nHost: a\r\n\r\n").all("upgrade"))
                    .isEmpty();
            RawClient.Answer closing = exchange("GET /426 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
            assertThat(closing.all("connection")).containsExactlyInAnyOrder("Upgrade", "close");
            assertThat(get("/").all("upgrade")).isEmpty();
        }
    }

    /** A 407 has a challenge (RFC 9110 §15.5.8); other statuses say none on behalf of the node. */
    @ParameterizedTest
    @EnumSource
    void challengesOfA407ReachTheClient(Pipeline way) throws Exception {
        try (TestNode node = answering("HTTP/1.1 407 x\r\nProxy-Authenticate: Basic realm=\"a\"\r\n"
                + "Proxy-Authenticate: Bearer\r\nContent-Length: 4\r\n\r\nmore")) {
            gateway().apply(through(way, node.url()));
            RawClient.Answer answer = send(way, "GET", "/");
            assertThat(answer.status()).isEqualTo(407);
            assertThat(answer.all("proxy-authenticate")).containsExactly("Basic realm=\"a\"", "Bearer");
            assertThat(answer.text()).isEqualTo("more");
        }
        try (TestNode node =
                answering("HTTP/1.1 401 x\r\nProxy-Authenticate: Basic realm=\"a\"\r\nContent-Length: 4\r\n\r\nmore")) {
            gateway().apply(through(way, node.url()));
            assertThat(send(way, "GET", "/").all("proxy-authenticate")).isEmpty();
        }
    }

    /** It is about credentials for the next proxy (RFC 9110 §11.7.3), which no node gets. */
    @ParameterizedTest
    @EnumSource
    void wordOfANodeOnCredentialsForProxiesEndsHere(Pipeline way) throws Exception {
        for (String status : List.of("200", "407")) {
            try (TestNode node = answering("HTTP/1.1 " + status + " x\r\nProxy-Authentication-Info: nextnonce=a\r\n"
                    + "Authentication-Info: nextnonce=b\r\nContent-Length: 4\r\n\r\nmore")) {
                gateway().apply(through(way, node.url()));
                RawClient.Answer answer = send(way, "GET", "/", "Proxy-Authentication-Info", "a=b");
                assertThat(answer.all("proxy-authentication-info")).isEmpty();
                assertThat(answer.all("authentication-info")).containsExactly("nextnonce=b");
                assertThat(node.last().all("proxy-authentication-info")).isEmpty();
            }
        }
    }

    // --- Upgrade

    /** RFC 9110 §7.8: a name, maybe with a version. */
    @ParameterizedTest
    @ValueSource(strings = {"a b", "a/", "/1", "a/1/2", "\"a\"", "a;b", "a, b", "a\r\nUpgrade: b", ""})
    void upgradeThatIsNotOneProtocolIsNotForwarded(String upgrade) throws Exception {
        try (TestNode node = TestNode.named("plain")) {
            gateway().apply(forwarding(node.url()));
            RawClient.Answer answer =
                    exchange("GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: " + upgrade + "\r\n\r\n");
            assertThat(answer.text()).isEqualTo("plain");
            assertThat(node.last().all("upgrade")).isEmpty();
            assertThat(node.last().all("connection")).isEmpty();
        }
    }

    // --- Upgrade in HTTP/1.0

    @Test
    void upgradeOfHttp10IsIgnored() throws Exception {
        try (TestNode node = TestNode.named("plain")) {
            gateway().apply(forwarding(node.url()));
            RawClient.Answer answer = exchange(
                    "GET / HTTP/1.0\r\nHost: a\r\nConnection: Upgrade, keep-alive\r\nUpgrade: websocket\r\n\r\n");
            assertThat(answer.text()).isEqualTo("plain");
            assertThat(node.last().all("upgrade")).isEmpty();
            assertThat(node.last().all("connection")).isEmpty();
        }
    }

    // --- Max-Forwards

    @ParameterizedTest
    @CsvSource({"1,0", "10,9", "007,6", "99999999999999999999,999999998"})
    void forwardedOptionsIsCounted(String before, String after) throws Exception {
        try (TestNode node = TestNode.named("node")) {
            gateway().apply(forwarding(node.url()));
            for (Pipeline way : List.of(Pipeline.HTTP1, Pipeline.HTTP2)) {
                assertThat(send(way, "OPTIONS", "/a", "Max-Forwards", before).text())
                        .isEqualTo("node");
                assertThat(node.last().all("max-forwards")).containsExactly(after);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void optionsThatMayNotBeForwardedIsAnsweredByTheGateway(Pipeline way) throws Exception {
        try (TestNode node = TestNode.named("node")) {
            gateway()
                    .apply(through(way, node.url())
                            .route(Route.builder()
                                    .id("some")
                                    .routerId("all")
                                    .path("/some")
                                    .methods(List.of("GET", "OPTIONS"))
                                    .proxyPassId("pass")
                                    .build()));
            RawClient.Answer any = send(way, "OPTIONS", "/a", "Max-Forwards", "0", "If-Match", "\"x\"");
            assertThat(any.status()).isEqualTo(204);
            assertThat(any.field("allow")).isEqualTo("DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT");
            assertThat(send(way, "OPTIONS", "/some", "Max-Forwards", "00").field("allow"))
                    .isEqualTo("GET, OPTIONS");
            assertThat(node.received()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "+1", "1 ", "x", "1, 1", "1\r\nMax-Forwards: 1"})
    void maxForwardsThatIsNotOneNumberIsRefused(String value) throws Exception {
        try (TestNode node = TestNode.named("node")) {
            gateway().apply(forwarding(node.url()));
            int status = exchange("OPTIONS / HTTP/1.1\r\nHost: a\r\nMax-Forwards: " + value + "\r\n\r\n")
                    .status();
            // White space behind a value is none of it.
            assertThat(status).isEqualTo(value.equals("1 ") ? 200 : 400);
        }
    }

    @Test
    void maxForwardsOfOtherMethodsMeansNothing() throws Exception {
        try (TestNode node = TestNode.named("node")) {
            gateway().apply(forwarding(node.url()));
            assertThat(send(Pipeline.HTTP1, "GET", "/", "Max-Forwards", "0").text())
                    .isEqualTo("node");
            assertThat(node.last().field("max-forwards")).isEqualTo("0");
            assertThat(send(Pipeline.HTTP1, "TRACE", "/", "Max-Forwards", "1").status())
                    .isEqualTo(405);
        }
    }

    // --- 205

    @ParameterizedTest
    @EnumSource
    void resetContentHasNone(Pipeline way) throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> {
            if (request.target().equals("/chunked")) {
                connection.send("HTTP/1.1 205 x\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + "4\r\nbody\r\n0\r\n\r\n");
            } else if (request.target().equals("/length")) {
                connection.send("HTTP/1.1 205 x\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nbody");
            } else if (request.target().equals("/close")) {
                connection.send("HTTP/1.1 205 x\r\n\r\nbody");
                connection.socket().close();
            } else {
                connection.ok("next");
            }
        })) {
            gateway()
                    .apply(through(way, node.url())
                            .with(
                                    ResourceType.ROUTER,
                                    "all",
                                    router -> router.toBuilder()
                                            .plugins(Plugins.builder()
                                                    .gzip(GzipPlugin.builder()
                                                            .minBytes(0)
                                                            .build())
                                                    .build())
                                            .build()));
            for (String path : List.of("/chunked", "/length", "/close")) {
                RawClient.Answer answer = send(way, "POST", path, "Accept-Encoding", "gzip");
                assertThat(answer.status()).isEqualTo(205);
                assertThat(answer.body()).isEmpty();
                assertThat(answer.all("content-length")).containsExactly("0");
                assertThat(answer.all("content-encoding")).isEmpty();
                assertThat(answer.all("transfer-encoding")).isEmpty();
                assertThat(send(way, "GET", "/").text()).isEqualTo("next");
            }
        }
    }

    /** Go's client would wait for content. */
    @ParameterizedTest
    @EnumSource
    void unchangedHasNoLengthOnHttp2(Pipeline way) throws Exception {
        try (TestNode node = TestNode.start((request, connection) ->
                connection.send("HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\nContent-Length: 1234\r\n\r\n"))) {
            gateway().apply(through(way, node.url()));
            RawClient.Answer answer = send(way, "GET", "/");
            assertThat(answer.status()).isEqualTo(304);
            assertThat(answer.field("etag")).isEqualTo("\"a\"");
            assertThat(answer.field("content-length")).isEqualTo(way.http2 ? null : "1234");
        }
    }
}
