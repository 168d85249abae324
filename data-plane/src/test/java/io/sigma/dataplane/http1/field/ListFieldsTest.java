package io.sigma.dataplane.http1.field;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.PipelineContract;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.model.CorsPlugin;
import io.sigma.model.GzipPlugin;
import io.sigma.model.Plugins;
import io.sigma.snapshot.ResourceType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Lists in several lines (RFC 9110 §5.3), and what a response says of its representation whatever the method and the
 * status.
 */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class ListFieldsTest extends PipelineContract {

    private static final String BODY = "0123456789".repeat(500);

    private static Config with(Config config, Plugins.Builder plugins) {
        return config.with(
                ResourceType.ROUTE,
                "any",
                route -> route.toBuilder().plugins(plugins.build()).build());
    }

    private static TestNode node(String fields) {
        return TestNode.start((request, connection) -> {
            boolean fresh = request.field("if-none-match") != null;
            String head = "HTTP/1.1 " + (fresh ? "304 x" : "200 x") + "\r\n" + fields + "ETag: \"v1\"\r\n";
            if (fresh) {
                connection.send(head + "Content-Length: " + BODY.length() + "\r\n\r\n");
            } else {
                connection.send(head + "Content-Type: text/plain\r\nContent-Length: " + BODY.length() + "\r\n\r\n"
                        + (request.method().equals("HEAD") ? "" : BODY));
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void everyLineOfCacheControlCounts(Pipeline way) throws Exception {
        try (TestNode node = node("Cache-Control: public\r\nCache-Control: max-age=1, No-Transform\r\n")) {
            gateway()
                    .apply(with(
                            through(way, node.url()),
                            Plugins.builder().gzip(GzipPlugin.builder().build())));
            RawClient.Answer answer = send(way, "GET", "/", "Accept-Encoding", "gzip");
            assertThat(answer.field("content-encoding")).isNull();
            assertThat(answer.text()).isEqualTo(BODY);
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyLineOfExpectCounts(Pipeline way) throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(through(way, node.url()));
            assertThat(send(way, "GET", "/", "Expect", "100-continue", "Expect", "200-ok")
                            .status())
                    .isEqualTo(417);
            assertThat(node.received()).isEmpty();
        }
    }

    @Test
    void everyLineOfRequestedHeadersIsPermitted() throws Exception {
        gateway()
                .apply(with(
                        forwarding("http://127.0.0.1:1"),
                        Plugins.builder().cors(CorsPlugin.builder().build())));
        assertThat(send(
                                Pipeline.HTTP1,
                                "OPTIONS",
                                "/",
                                "Origin",
                                "https://a.example",
                                "Access-Control-Request-Method",
                                "GET",
                                "Access-Control-Request-Headers",
                                "x-a",
                                "Access-Control-Request-Headers",
                                "x-b, x-c")
                        .field("access-control-allow-headers"))
                .isEqualTo("x-a, x-b, x-c");
    }

    @ParameterizedTest
    @EnumSource
    void headIsThatOfTheCompressedGet(Pipeline way) throws Exception {
        try (TestNode node = node("")) {
            gateway()
                    .apply(with(
                            through(way, node.url()),
                            Plugins.builder().gzip(GzipPlugin.builder().build())));
            RawClient.Answer get = send(way, "GET", "/", "Accept-Encoding", "gzip");
            RawClient.Answer head = send(way, "HEAD", "/", "Accept-Encoding", "gzip");
            assertThat(get.field("content-encoding")).isEqualTo("gzip");
            for (String name : new String[] {"content-encoding", "etag", "vary", "content-type"}) {
                assertThat(head.field(name)).as(name).isEqualTo(get.field(name));
            }
            assertThat(head.field("content-length")).isNull();
            assertThat(send(way, "HEAD", "/").field("content-length")).isEqualTo(String.valueOf(BODY.length()));
        }
    }

    @ParameterizedTest
    @EnumSource
    void unchangedHasWhatTheWholeHad(Pipeline way) throws Exception {
        try (TestNode node = node("")) {
            gateway()
                    .apply(with(
                            through(way, node.url()),
                            Plugins.builder().gzip(GzipPlugin.builder().build())));
            for (String tag : new String[] {"W/\"v1\"", "\"v1\""}) {
                RawClient.Answer answer = send(way, "GET", "/", "Accept-Encoding", "gzip", "If-None-Match", tag);
                assertThat(answer.status()).isEqualTo(304);
                assertThat(answer.all("etag")).containsExactly(tag);
                assertThat(answer.all("vary")).containsExactly("Accept-Encoding");
                // The whole would be shorter.
                assertThat(answer.all("content-length")).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void unchangedKeepsTheLengthOfWhatIsNotCompressed(Pipeline way) throws Exception {
        try (TestNode node = node("")) {
            gateway().apply(through(way, node.url()));
            RawClient.Answer answer = send(way, "GET", "/", "If-None-Match", "\"v1\"");
            assertThat(answer.status()).isEqualTo(304);
            // Go's client on HTTP/2 waits for the content that a 304 names the length of.
            String[] length = way.http2 ? new String[0] : new String[] {String.valueOf(BODY.length())};
            assertThat(answer.all("content-length")).containsExactly(length);
        }
    }
}
