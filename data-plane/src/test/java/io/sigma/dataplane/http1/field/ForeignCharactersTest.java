package io.sigma.dataplane.http1.field;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.FrameNode;
import io.sigma.dataplane.testkit.PipelineContract;
import io.sigma.dataplane.testkit.TestNode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Characters that no URI has (RFC 3986 §2), and browsers send, reach nodes in their encoding. */
final class ForeignCharactersTest extends PipelineContract {

    private static final String SENT = "/a|b{c}<d>\"^`/?q={\"x\":[1]}|\\^`<>";
    private static final String RECEIVED = "/a%7Cb%7Bc%7D%3Cd%3E%22%5E%60/?q=%7B%22x%22:[1]%7D%7C%5C%5E%60%3C%3E";

    @ParameterizedTest
    @EnumSource
    void nodeReceivesTheirEncoding(Pipeline way) throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(through(way, node.url()));
            assertThat(send(way, "GET", SENT).text()).isEqualTo("ok");
            assertThat(node.last().target()).isEqualTo(RECEIVED);
        }
    }

    @ParameterizedTest
    @EnumSource
    void nodeOnHttp2ReceivesTheirEncoding(Pipeline way) throws Exception {
        try (FrameNode node = FrameNode.start((request, connection) -> connection.ok(request.stream()))) {
            gateway().apply(through(way, node.url()).overHttp2());
            assertThat(send(way, "GET", SENT).text()).isEqualTo("ok");
            assertThat(node.heads().getLast().path()).isEqualTo(RECEIVED);
        }
    }

    /** One form is matched, whichever was sent. */
    @ParameterizedTest
    @EnumSource
    void bothSpellingsMeetOneRoute(Pipeline way) throws Exception {
        try (TestNode node = TestNode.named("route");
                TestNode other = TestNode.named("other")) {
            gateway()
                    .apply(through(way, other.url())
                            .upstream("bar", node.url())
                            .pass("bar", "bar")
                            .route("bar", "all", "/a|b/*", "bar"));
            assertThat(send(way, "GET", "/a|b/c").text()).isEqualTo("route");
            assertThat(send(way, "GET", "/a%7cb/c").text()).isEqualTo("route");
            assertThat(send(way, "GET", "/a%7Cb/c").text()).isEqualTo("route");
        }
    }

    @ParameterizedTest
    @EnumSource
    void octetsBeyondAsciiAreRefused(Pipeline way) throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(through(way, node.url()));
            assertThat(send(way, "GET", "/\u00e9").status()).isEqualTo(400);
            assertThat(send(way, "GET", "/?q=\u00e9").status()).isEqualTo(400);
            assertThat(node.received()).isEmpty();
        }
    }
}
