package io.sigma.dataplane.http1.field;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.FrameNode;
import io.sigma.dataplane.testkit.PipelineContract;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Fields that mean something to the other end alone pass as they are (RFC 9110 §13.2.1, RFC 9111 §5.2). */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class EndToEndFieldsTest extends PipelineContract {

    private static final String[] OF_REQUEST = {
        "authorization", "Digest username=\"a,b\", realm=\"x\",  nc=00000001",
        "cache-control", "max-age=0, ext=\"a,b\"",
        "cache-control", "no-store, only-if-cached",
        "pragma", "no-cache",
        "if-match", "\"a\", W/\"b\"",
        "if-none-match", "\"c\"",
        "if-none-match", "W/\"d\",\"e\"",
        "if-modified-since", "Sunday, 06-Nov-94 08:49:37 GMT",
        "if-unmodified-since", "no date",
        "if-range", "W/\"f\"",
        "range", "lines=1-2, 4-",
        "content-range", "bytes 0-1/2",
        "referer", "http://a.example/x?y",
        "user-agent", "some (thing; that) is/1.0",
        "accept", "text/html;q=0.1234, */*;q=0",
        "accept-encoding", "br;q=1.0, identity; q=0.5, *;q=0",
        "accept-language", "de-CH, de;q=0.9",
        "x-unknown", "a, ,b",
    };

    private static final String[] OF_RESPONSE = {
        "allow", "GET,  FOO,bar",
        "www-authenticate", "Basic realm=\"a, b\"",
        "www-authenticate", "Digest realm=\"x\", nonce=\"y\", Other tok68==",
        "cache-control", "private=\"set-cookie\", max-age=5",
        "cache-control", "ext=\"a,b\"",
        "expires", "0",
        "pragma", "no-cache",
        "age", "7",
        "date", "Sunday, 06-Nov-94 08:49:37 GMT",
        "etag", "W/\"e\"",
        "last-modified", "Sun Nov  6 08:49:37 1994",
        "vary", "*",
        "accept-ranges", "lines",
        "content-range", "lines 1-2/9",
        "content-location", "/there",
        "location", "../else#f",
        "retry-after", "Sunday, 06-Nov-94 08:49:37 GMT",
        "set-cookie", "a=b; Path=/app; Domain=node.internal; Secure; SameSite=None; Partitioned",
        "refresh", "0; url=/there",
        "warning", "110 - \"stale\"",
        "set-cookie", "c=d",
        "x-unknown", "a, ,b",
    };

    private static TestNode node() {
        return TestNode.start((request, connection) -> {
            StringBuilder head =
                    new StringBuilder("HTTP/1.1 " + request.target().substring(1) + " x\r\nContent-Length: 4\r\n");
            for (int i = 0; i < OF_RESPONSE.length; i += 2) {
                head.append(OF_RESPONSE[i])
                        .append(": ")
                        .append(OF_RESPONSE[i + 1])
                        .append("\r\n");
            }
            connection.send(head + "\r\nbody");
        });
    }

    /** Returns the lines that {@code all} has of the names in {@code pairs}, in an order that does not matter. */
    private static List<String> lines(List<String> all, String[] pairs) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < pairs.length; i += 2) {
            names.add(pairs[i] + ":");
        }
        return all.stream()
                .map(line -> line.substring(0, line.indexOf(':', 1)).toLowerCase(Locale.ROOT)
                        + line.substring(line.indexOf(':', 1)))
                .filter(line -> names.stream().anyMatch(line::startsWith))
                .toList();
    }

    private static List<String> expected(String[] pairs) {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < pairs.length; i += 2) {
            lines.add(pairs[i] + ": " + pairs[i + 1]);
        }
        return lines;
    }

    @ParameterizedTest
    @EnumSource
    void fieldsOfARequestReachTheNodeAsTheyCame(Pipeline way) throws Exception {
        try (TestNode node = node();
                FrameNode http2 = FrameNode.start((request, connection) -> connection.ok(request.stream()))) {
            for (String method : List.of("GET", "OPTIONS", "PUT")) {
                gateway().apply(through(way, node.url()));
                assertThat(send(way, method, "/200", OF_REQUEST).text()).isEqualTo("body");
                assertThat(lines(node.last().fields(), OF_REQUEST))
                        .containsExactlyInAnyOrderElementsOf(expected(OF_REQUEST));
                assertThat(node.last().all("max-forwards")).isEmpty();
                assertThat(node.last().all("te")).isEmpty();
                gateway().apply(through(way, http2.url()).overHttp2());
                assertThat(send(way, method, "/", OF_REQUEST).text()).isEqualTo("ok");
                List<String> fields = http2.heads().getLast().fields();
                assertThat(lines(fields, OF_REQUEST)).containsExactlyInAnyOrderElementsOf(expected(OF_REQUEST));
                assertThat(fields).noneMatch(line -> line.startsWith("max-forwards"));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void fieldsOfAResponseReachTheClientAsTheyCame(Pipeline way) throws Exception {
        try (TestNode node = node();
                FrameNode http2 = FrameNode.start((request, connection) -> {
                    List<String> head =
                            new ArrayList<>(List.of(":status", request.path().substring(1)));
                    head.addAll(List.of(OF_RESPONSE));
                    connection.lastHead(request.stream(), head.toArray(String[]::new));
                })) {
            for (int status : List.of(200, 206, 401, 405)) {
                gateway().apply(through(way, node.url()));
                assertPassed(send(way, "GET", "/" + status), status);
                gateway().apply(through(way, http2.url()).overHttp2());
                assertPassed(send(way, "GET", "/" + status), status);
            }
        }
    }

    private static void assertPassed(RawClient.Answer answer, int status) {
        assertThat(answer.status()).isEqualTo(status);
        assertThat(lines(answer.fields(), OF_RESPONSE)).containsExactlyInAnyOrderElementsOf(expected(OF_RESPONSE));
    }

    /** RFC 9110 §15: a status that nobody knows is one of its class. */
    @ParameterizedTest
    @CsvSource({"HTTP1", "HTTP2"})
    void unknownStatusPassesAsItIs(Pipeline way) throws Exception {
        try (TestNode node = node();
                FrameNode http2 = FrameNode.start((request, connection) -> connection.lastHead(
                        request.stream(), ":status", request.path().substring(1)))) {
            for (int status : List.of(299, 399, 499, 599)) {
                gateway().apply(through(way, node.url()));
                assertThat(send(way, "GET", "/" + status).status()).isEqualTo(status);
                gateway().apply(through(way, http2.url()).overHttp2());
                assertThat(send(way, "GET", "/" + status).status()).isEqualTo(status);
            }
        }
    }
}
