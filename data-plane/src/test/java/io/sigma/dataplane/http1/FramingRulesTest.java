package io.sigma.dataplane.http1;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.FrameNode;
import io.sigma.dataplane.testkit.PipelineContract;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.RawHttp2;
import io.sigma.dataplane.testkit.TestNode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The framing of a message: the length of its content, and the trailers after it. */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class FramingRulesTest extends PipelineContract {

    private static final String CHUNKS = "3\r\nabc\r\n0\r\nX-Sum: 9\r\n\r\n";

    /** Some servers take no trailer that is not announced (RFC 9110 §6.6.2): those of Go, on HTTP/2. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void requestAnnouncesItsTrailers(boolean http2) throws Exception {
        try (TestNode node = TestNode.named("ok");
                FrameNode framed = FrameNode.start((request, connection) -> connection.ok(request.stream()))) {
            gateway().apply(forwarding(node.url()));
            announce(http2);
            assertThat(node.last().all("trailer")).containsExactly("X-Sum");

            gateway().apply(forwarding(framed.url()).overHttp2());
            announce(http2);
            assertThat(framed.heads().getFirst().fields()).contains("trailer: X-Sum");
        }
    }

    private void announce(boolean http2) throws Exception {
        if (!http2) {
            RawClient.Answer answer = exchange(
                    "POST / HTTP/1.1\r\nHost: a\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked\r\n\r\n" + CHUNKS);
            assertThat(answer.status()).isEqualTo(200);
            return;
        }
        try (RawHttp2 client = RawHttp2.connect(port())) {
            byte[] head = RawHttp2.fields(
                    ":method", "POST", ":scheme", "http", ":path", "/", ":authority", "a", "trailer", "X-Sum");
            client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, head)
                    .send(RawHttp2.DATA, 0, 1, "abc".getBytes(StandardCharsets.US_ASCII))
                    .send(
                            RawHttp2.HEADERS,
                            RawHttp2.END_HEADERS | RawHttp2.END_STREAM,
                            1,
                            RawHttp2.fields("x-sum", "9"));
            assertThat(client.status(client.next())).isEqualTo("200");
        }
    }

    @ParameterizedTest
    @EnumSource
    void responseAnnouncesItsTrailers(Pipeline way) throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> connection.send(
                "HTTP/1.1 200 OK\r\nTrailer: X-Sum, X-Other\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"))) {
            gateway().apply(through(way, node.url()));
            assertThat(send(way, "GET", "/").all("trailer")).containsExactly("X-Sum, X-Other");
        }
    }

    /**
     * Browsers leave the length out on HTTP/2, and some servers answer 411 to HTTP/1.1 without one where content is
     * usual (RFC 9110 §8.6).
     */
    @ParameterizedTest
    @EnumSource
    void requestWithoutContentSaysSoWhereContentIsUsual(Pipeline way) throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(through(way, node.url()));
            for (String method : List.of("POST", "PUT", "PATCH")) {
                assertThat(send(way, method, "/").status()).isEqualTo(200);
                assertThat(node.last().all("content-length")).containsExactly("0");
                assertThat(node.last().all("transfer-encoding")).isEmpty();
                send(way, method, "/", "Content-Length", "0");
                assertThat(node.last().all("content-length")).containsExactly("0");
            }
            for (String method : List.of("GET", "HEAD", "OPTIONS", "DELETE")) {
                send(way, method, "/");
                assertThat(node.last().all("content-length")).isEmpty();
            }
        }
    }

    /** As some servers write chunks; in requests it is refused. */
    @ParameterizedTest
    @EnumSource
    void whiteSpaceBehindTheSizeOfAChunkOfANodeIsIgnored(Pipeline way) throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> connection.send(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3  \r\nabc\r\n2\t \r\nde\r\n0 \r\n\r\n"))) {
            gateway().apply(through(way, node.url()));
            assertThat(send(way, "GET", "/").text()).isEqualTo("abcde");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"3 0\r\nabc\r\n", "3 a\r\nabc\r\n", " 3\r\nabc\r\n", "3 \nabc\r\n"})
    void otherWhiteSpaceIsABadResponse(String chunk) throws Exception {
        try (TestNode node = TestNode.start((request, connection) ->
                connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk + "0\r\n\r\n"))) {
            gateway().apply(forwarding(node.url()));
            assertThat(exchange("GET / HTTP/1.1\r\nHost: a\r\n\r\n").status()).isEqualTo(502);
        }
    }
}
