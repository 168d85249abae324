package io.sigma.dataplane.http1;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.Http2Node;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.model.Buffering;
import io.sigma.model.ServerLimits;
import io.sigma.model.Timeouts;
import io.sigma.snapshot.ResourceType;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes that read the body of a request slowly, or not at all. */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class UnreadBodyTest extends EngineContract {

    private static final int MIB = 1024 * 1024;
    private static final int IDLE_MILLIS = 400;

    /** More than all buffers on the way take. */
    private static final int ENDLESS_BYTES = 256 * MIB;

    private Config impatient(String node, Buffering buffering) {
        return forwarding(node)
                .with(
                        ResourceType.PROXY_PASS,
                        "pass",
                        pass -> pass.toBuilder()
                                .buffering(buffering)
                                .timeouts(Timeouts.builder()
                                        .idleMillis(IDLE_MILLIS)
                                        .build())
                                .build())
                .with(
                        ResourceType.PROXY_SERVER,
                        "web",
                        server -> server.toBuilder()
                                .limits(ServerLimits.builder()
                                        // The client cannot send, and is not to be blamed for it.
                                        .idleTimeoutMillis(IDLE_MILLIS / 2)
                                        .build())
                                .build());
    }

    /** As nodes do that refuse an upload by its head: what they leave unread makes the kernel reset the connection. */
    @Test
    void answerOfANodeThatClosesWithTheUploadUnreadArrives() throws Exception {
        try (TestNode node = TestNode.startHeadsOnly((request, connection) -> {
            // Some of the upload has arrived by then.
            connection.in().readNBytes(1);
            connection.send("HTTP/1.1 413 Content Too Large\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno");
            connection.socket().close();
        })) {
            gateway().apply(forwarding(node.url()));
            for (int i = 0; i < 40; i++) {
                try (RawClient client = RawClient.connect(port())) {
                    client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + 8 * MIB + "\r\n\r\n");
                    Thread.ofVirtual().start(() -> {
                        try {
                            client.send("x".repeat(8 * MIB));
                        } catch (IOException e) {
                            // The gateway reads no more of it.
                        }
                    });
                    RawClient.Answer answer = client.read();
                    assertThat(answer.status()).isEqualTo(413);
                    assertThat(answer.text()).isEqualTo("no");
                }
            }
        }
    }

    /** Returns the answer to a body of which most can never be sent. */
    private RawClient.Answer sendEndless(String framing, String piece) throws IOException {
        try (RawClient client = RawClient.connect(port())) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\n" + framing + "\r\n\r\n");
            Thread.ofVirtual().start(() -> {
                try {
                    for (int i = 0; i < ENDLESS_BYTES / MIB; i++) {
                        client.send(piece);
                    }
                } catch (IOException e) {
                    // The gateway has given up reading it.
                }
            });
            return client.read();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void nodeThatReadsNothingIsAGatewayTimeout(boolean chunked) throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        try (TestNode node = TestNode.startHeadsOnly((request, connection) -> done.await(20, TimeUnit.SECONDS))) {
            gateway().apply(impatient(node.url(), Buffering.builder().build()));
            RawClient.Answer answer = chunked
                    ? sendEndless("Transfer-Encoding: chunked", "100000\r\n" + "a".repeat(MIB) + "\r\n")
                    : sendEndless("Content-Length: " + ENDLESS_BYTES, "a".repeat(MIB));
            assertThat(answer.status()).isEqualTo(504);
            done.countDown();
        }
    }

    @Test
    void nodeOfHttp2ThatReadsNothingIsAGatewayTimeout() throws Exception {
        try (Http2Node node = Http2Node.start(HttpServerRequest::pause)) {
            gateway().apply(impatient(node.url(), Buffering.builder().build()).overHttp2());
            RawClient.Answer answer = sendEndless("Content-Length: " + ENDLESS_BYTES, "a".repeat(MIB));
            assertThat(answer.status()).isEqualTo(504);
        }
    }

    @Test
    void nodeThatReadsSlowlyIsWaitedFor() throws Exception {
        // All that is held is sent at once, and it takes a while before there is room for more.
        int held = 16 * MIB;
        int length = held + 2 * MIB;
        try (TestNode node = TestNode.startHeadsOnly((request, connection) -> {
            // Linux tells of room when a third of what a socket holds is gone, which may be more than a mebibyte.
            for (int read = 0; read < length; read += MIB) {
                Thread.sleep(IDLE_MILLIS / 6);
                assertThat(connection.in().readNBytes(MIB)).hasSize(MIB);
            }
            connection.ok("all");
        })) {
            gateway()
                    .apply(impatient(
                            node.url(), Buffering.builder().requestBytes(held).build()));
            assertThat(exchange("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + length + "\r\n\r\n"
                                    + "a".repeat(length))
                            .text())
                    .isEqualTo("all");
        }
    }
}
