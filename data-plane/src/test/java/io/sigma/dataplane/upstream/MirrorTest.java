package io.sigma.dataplane.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.model.HeaderEdits;
import io.sigma.model.Mirror;
import io.sigma.model.ProxyPass;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Copies of requests that go to another upstream. */
final class MirrorTest extends EngineContract {

    private static final int MANY = 400;

    private final BlockingQueue<TestNode.Received> copies = new LinkedBlockingQueue<>();

    private TestNode shadow() {
        return TestNode.start((request, connection) -> {
            connection.send("HTTP/1.1 500 No\r\nContent-Length: 3\r\n\r\nbad");
            copies.add(request);
        });
    }

    private Config mirroring(String node, String shadow, Mirror.Builder mirror) {
        return Config.forwarding(port(), node)
                .upstream("shadow", shadow)
                .pass(ProxyPass.builder()
                        .id("pass")
                        .upstreamId("nodes")
                        .addPrefix("/v2")
                        .requestHeaders(HeaderEdits.builder()
                                .set(Map.of("x-edited", "1"))
                                .build())
                        .mirror(mirror.upstreamId("shadow").build())
                        .build());
    }

    private TestNode.Received copy() throws InterruptedException {
        TestNode.Received copy = copies.poll(10, TimeUnit.SECONDS);
        assertThat(copy).isNotNull();
        return copy;
    }

    @Test
    void aCopyGoesToTheOtherUpstreamWhoseAnswerIsThrownAway() throws Exception {
        try (TestNode node = TestNode.named("real");
                TestNode shadow = shadow()) {
            gateway().apply(mirroring(node.url(), shadow.url(), Mirror.builder()));
            RawClient client = RawClient.connect(port());
            client.send("POST /x?y=1 HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello");
            assertThat(client.read().text()).isEqualTo("real");
            TestNode.Received copy = copy();
            assertThat(copy.line()).isEqualTo("POST /v2/x?y=1 HTTP/1.1");
            assertThat(copy.text()).isEqualTo("hello");
            assertThat(copy.field("host")).isEqualTo("a");
            assertThat(copy.field("x-edited")).isEqualTo("1");
            assertThat(copy.field("x-forwarded-for")).isNotNull();
            assertThat(node.last().text()).isEqualTo("hello");
            client.send("GET /again HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(client.read().text()).isEqualTo("real");
            assertThat(copy().target()).isEqualTo("/v2/again");
            client.close();
        }
    }

    @Test
    void aBodyInChunksIsCopiedWhole() throws Exception {
        try (TestNode node = TestNode.named("real");
                TestNode shadow = shadow()) {
            gateway().apply(mirroring(node.url(), shadow.url(), Mirror.builder()));
            exchange(
                    "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n");
            TestNode.Received copy = copy();
            assertThat(copy.text()).isEqualTo("abcde");
            assertThat(copy.all("transfer-encoding")).isEmpty();
            assertThat(copy.all("content-length")).containsExactly("5");
        }
    }

    @Test
    void aBodyOverTheBoundIsNotCopied() throws Exception {
        try (TestNode node = TestNode.named("real");
                TestNode shadow = shadow()) {
            gateway().apply(mirroring(node.url(), shadow.url(), Mirror.builder().bodyBytesMax(4)));
            String chunks = "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n";
            assertThat(exchange("POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello")
                            .status())
                    .isEqualTo(200);
            assertThat(exchange("POST /2 HTTP/1.1\r\nHost: a\r\n" + chunks).status())
                    .isEqualTo(200);
            assertThat(get("/3").status()).isEqualTo(200);
            assertThat(copy().target()).isEqualTo("/v2/3");
        }
    }

    @Test
    void theClientWaitsForNoMirror() throws Exception {
        try (TestNode node = TestNode.named("real");
                TestNode silent = TestNode.start((request, connection) -> copies.add(request))) {
            gateway().apply(mirroring(node.url(), silent.url(), Mirror.builder().timeoutMillis(300)));
            long begun = System.nanoTime();
            for (int i = 0; i < 20; i++) {
                assertThat(get("/" + i).text()).isEqualTo("real");
            }
            assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun))
                    .isLessThan(5);
            for (int i = 0; i < 20; i++) {
                copy();
            }
            // What never answers is given up: its connections are closed.
            while (silent.openNow() > 0) {
                assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun))
                        .isLessThan(20);
                Thread.onSpinWait();
            }
            gateway().apply(mirroring(node.url(), "http://127.0.0.1:" + Config.freePort(), Mirror.builder()));
            assertThat(get("/dead").text()).isEqualTo("real");
        }
    }

    @Test
    void onlyTheShareIsCopied() throws Exception {
        try (TestNode node = TestNode.named("real");
                TestNode shadow = shadow()) {
            gateway().apply(mirroring(node.url(), shadow.url(), Mirror.builder().percent(25)));
            try (RawClient client = RawClient.connect(port())) {
                for (int i = 0; i < MANY; i++) {
                    client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                    assertThat(client.read().status()).isEqualTo(200);
                }
            }
            gateway().apply(mirroring(node.url(), shadow.url(), Mirror.builder()));
            get("/last");
            int copied = 0;
            while (!copy().target().equals("/v2/last")) {
                copied++;
            }
            assertThat(copied).isBetween(MANY / 4 - 60, MANY / 4 + 60);
            // Connections are kept, although nobody waits for the answers.
            assertThat(shadow.accepted()).isLessThan(copied);
        }
    }
}
