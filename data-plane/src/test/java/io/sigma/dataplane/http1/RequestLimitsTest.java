package io.sigma.dataplane.http1;

import static io.sigma.dataplane.testkit.RawHttp2.head;
import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.RawHttp2;
import io.sigma.dataplane.testkit.RefusalContract;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.model.ServerLimits;
import io.sigma.snapshot.ResourceType;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Heads, targets and bodies that are longer than the limits of their listener. */
final class RequestLimitsTest extends RefusalContract {

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
    void headFarBeyondItsLimitEndsTheConnection() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(forwarding(node.url()));
            try (RawHttp2 client = RawHttp2.connect(port())) {
                byte[] block = head("x-long", "a".repeat(100_000));
                client.send(RawHttp2.HEADERS, RawHttp2.END_STREAM, 1, Arrays.copyOf(block, 16_384));
                for (int at = 16_384; at < block.length; at += 16_384) {
                    int end = Math.min(block.length, at + 16_384);
                    client.send(
                            RawHttp2.CONTINUATION,
                            end == block.length ? RawHttp2.END_HEADERS : 0,
                            1,
                            Arrays.copyOfRange(block, at, end));
                }
                assertThat(client.goAway()).isIn(RawHttp2.PROTOCOL_ERROR, RawHttp2.ENHANCE_YOUR_CALM);
            }
            assertThat(node.received()).isEmpty();
        }
    }

    @Test
    void tooManyFieldsAreAnswered431() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(forwarding(node.url()));
            String[] many = new String[1000];
            for (int i = 0; i < many.length; i += 2) {
                many[i] = "x-" + i;
                many[i + 1] = "1";
            }
            try (RawHttp2 client = RawHttp2.connect(port())) {
                client.send(RawHttp2.HEADERS, RawHttp2.END_STREAM | RawHttp2.END_HEADERS, 1, head(many));
                assertThat(client.status(client.next())).isEqualTo("431");
            }
            assertThat(node.received()).isEmpty();
        }
    }

    @Test
    void headThatIsTooLongIsAnswered431() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(forwarding(node.url()));
            try (RawHttp2 client = RawHttp2.connect(port())) {
                byte[] block = head("x-long", "a".repeat(34_000));
                byte[] first = Arrays.copyOf(block, 16_384);
                client.send(RawHttp2.HEADERS, RawHttp2.END_STREAM, 1, first);
                client.send(RawHttp2.CONTINUATION, 0, 1, Arrays.copyOfRange(block, 16_384, 32_768));
                client.send(
                        RawHttp2.CONTINUATION,
                        RawHttp2.END_HEADERS,
                        1,
                        Arrays.copyOfRange(block, 32_768, block.length));
                assertThat(client.status(client.next())).isEqualTo("431");
            }
            assertThat(node.received()).isEmpty();
        }
    }
}
