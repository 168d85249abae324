package io.sigma.dataplane.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.model.Buffering;
import io.sigma.snapshot.ResourceType;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The part of a body that the gateway reads ahead of the other side. */
final class BufferingTest extends EngineContract {

    private static final int LARGE = 8 * 1024 * 1024;

    private Config buffering(String node, Buffering.Builder buffering) {
        return forwarding(node)
                .with(
                        ResourceType.PROXY_PASS,
                        "pass",
                        pass -> pass.toBuilder().buffering(buffering.build()).build());
    }

    @Test
    void withoutItEveryByteOfARequestIsPassedOnAsItComes() throws Exception {
        CountDownLatch first = new CountDownLatch(1);
        try (TestNode node = TestNode.startHeadsOnly((request, connection) -> {
            assertThat(connection.in().readNBytes(1)).isEqualTo(new byte[] {'a'});
            first.countDown();
            assertThat(connection.in().readNBytes(1)).isEqualTo(new byte[] {'b'});
            connection.ok("done");
        })) {
            gateway().apply(buffering(node.url(), Buffering.builder().requestBytes(0)));
            try (RawClient client = RawClient.connect(port())) {
                client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\na");
                assertThat(first.await(10, TimeUnit.SECONDS)).isTrue();
                client.send("b");
                assertThat(client.read().text()).isEqualTo("done");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 200000", "Transfer-Encoding: chunked"})
    void aBodyThatFitsIsReceivedWholeBeforeANodeIsAsked(String framing) throws Exception {
        try (TestNode node =
                TestNode.start((request, connection) -> connection.ok(String.valueOf(request.body().length)))) {
            gateway().apply(buffering(node.url(), Buffering.builder().requestBytes(1_000_000)));
            boolean chunked = framing.startsWith("Transfer");
            String half = "x".repeat(100_000);
            String piece = chunked ? "186a0\r\n" + half + "\r\n" : half;
            try (RawClient client = RawClient.connect(port());
                    RawClient other = RawClient.connect(port())) {
                client.send("POST / HTTP/1.1\r\nHost: a\r\n" + framing + "\r\n\r\n" + piece);
                // A whole exchange beside it: the gateway has had time to pass on what it would.
                other.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(other.read().text()).isEqualTo("0");
                assertThat(node.accepted()).isEqualTo(1);
                client.send(piece + (chunked ? "0\r\n\r\n" : ""));
                assertThat(client.read().text()).isEqualTo("200000");
            }
        }
    }

    @Test
    void aBodyThatDoesNotFitIsPassedOn() throws Exception {
        try (TestNode node =
                TestNode.start((request, connection) -> connection.ok(String.valueOf(request.body().length)))) {
            gateway().apply(buffering(node.url(), Buffering.builder().requestBytes(100_000)));
            String chunk = "186a0\r\n" + "x".repeat(100_000) + "\r\n";
            RawClient.Answer answer = exchange("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + chunk + chunk + chunk + "0\r\n\r\n");
            assertThat(answer.text()).isEqualTo("300000");
        }
    }

    @Test
    void readingAheadFreesTheNodeOfASlowClient() throws Exception {
        CountDownLatch sent = new CountDownLatch(1);
        byte[] content = new byte[LARGE];
        for (int i = 0; i < LARGE; i++) {
            content[i] = (byte) ((i * 131) >> 7);
        }
        try (TestNode node = TestNode.start((request, connection) -> {
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: " + LARGE + "\r\n\r\n");
            connection.out().write(content);
            connection.out().flush();
            sent.countDown();
        })) {
            gateway().apply(buffering(node.url(), Buffering.builder().responseBytes(16 * 1024 * 1024)));
            try (RawClient client = RawClient.connect(port())) {
                client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                // The client reads nothing, and yet the node gets rid of everything.
                assertThat(sent.await(20, TimeUnit.SECONDS)).isTrue();
                assertThat(client.read().body()).isEqualTo(content);
            }
        }
    }

    @Test
    void withoutReadingAheadTheNodeWaitsForTheClient() throws Exception {
        CountDownLatch sent = new CountDownLatch(1);
        try (TestNode node = TestNode.start((request, connection) -> {
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: " + 16 * LARGE + "\r\n\r\n");
            for (int i = 0; i < 16; i++) {
                connection.out().write(new byte[LARGE]);
            }
            connection.out().flush();
            sent.countDown();
        })) {
            gateway().apply(buffering(node.url(), Buffering.builder()));
            try (RawClient client = RawClient.connect(port())) {
                client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(sent.await(1, TimeUnit.SECONDS)).isFalse();
                assertThat(client.read().body()).hasSize(16 * LARGE);
            }
        }
    }
}
