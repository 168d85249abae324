package io.sigma.dataplane.http1.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.RawHttp2;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.model.Pool;
import io.sigma.model.UpstreamLimits;
import io.sigma.snapshot.ResourceType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Protocol switches. */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class TunnelTest extends EngineContract {

    private static final String ASK =
            "GET /chat HTTP/1.1\r\nHost: a\r\nConnection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n"
                    + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n";
    private static final String SWITCH =
            "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                    + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n";
    private static final long BYTES_TAKEN_MAX = 64L * 1024 * 1024;

    @Test
    void bytesPassInBothDirectionsUntilOneSideEnds() throws Exception {
        CountDownLatch ended = new CountDownLatch(1);
        try (TestNode node = TestNode.start((request, connection) -> {
            connection.send(SWITCH + "welcome");
            byte[] data = connection.in().readNBytes(5);
            connection.out().write(data);
            connection.out().flush();
            if (connection.in().read() < 0) {
                ended.countDown();
            }
        })) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                client.send(ASK);
                RawClient.Answer answer = client.read();
                assertThat(answer.status()).isEqualTo(101);
                assertThat(answer.all("connection")).hasSize(1);
                assertThat(answer.all("upgrade")).containsExactly("websocket");
                assertThat(answer.field("upgrade")).isEqualTo("websocket");
                assertThat(answer.field("sec-websocket-accept")).isEqualTo("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
                assertThat(text(client, 7)).isEqualTo("welcome");
                client.send("hello");
                assertThat(text(client, 5)).isEqualTo("hello");
            }
            assertThat(ended.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(node.last().field("upgrade")).isEqualTo("websocket");
            assertThat(node.last().field("connection")).isEqualToIgnoringCase("upgrade");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {5, 300_000})
    void whatTheClientSendsBeforeTheAnswerArrivesFirst(int early) throws Exception {
        CountDownLatch sent = new CountDownLatch(1);
        try (TestNode node = TestNode.start((request, connection) -> {
            sent.await(10, TimeUnit.SECONDS);
            connection.send(SWITCH);
            connection.out().write(connection.in().readNBytes(early));
            connection.out().flush();
            connection.out().write(connection.in().readNBytes(5));
            connection.out().flush();
        })) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                String first = "early".repeat(early / 5);
                client.send(ASK + first);
                sent.countDown();
                assertThat(client.read().status()).isEqualTo(101);
                assertThat(text(client, early)).isEqualTo(first);
                client.send("later");
                assertThat(text(client, 5)).isEqualTo("later");
            }
        }
    }

    @Test
    void endOfTheNodeEndsTheClient() throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> {
            connection.send(SWITCH + "bye");
            connection.socket().close();
        })) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                client.send(ASK);
                assertThat(client.read().status()).isEqualTo(101);
                assertThat(text(client, 3)).isEqualTo("bye");
                assertThat(client.isClosedByPeer()).isTrue();
            }
        }
    }

    /** RFC 9110 §7.8. */
    @ParameterizedTest
    @ValueSource(strings = {"", "HTTP/1.1 100 Continue\r\n\r\n"})
    void clientThatWaitsIsToldToContinueBeforeTheSwitch(String before) throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> {
            connection.send(before + SWITCH);
            connection.in().read();
        })) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                client.send(ASK.replace("Connection: keep-alive", "Expect: 100-continue\r\nConnection: keep-alive"));
                assertThat(client.read().status()).isEqualTo(100);
                assertThat(client.read().status()).isEqualTo(101);
            }
        }
    }

    @Test
    void requestWithABodyIsForwardedWithoutTheWishToSwitch() throws Exception {
        try (TestNode node = TestNode.named("plain")) {
            gateway().apply(forwarding(node.url()));
            RawClient.Answer answer = exchange("POST / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\n"
                    + "Upgrade: websocket\r\nContent-Length: 4\r\n\r\nbody");
            assertThat(answer.text()).isEqualTo("plain");
            assertThat(node.last().all("upgrade")).isEmpty();
            assertThat(node.last().text()).isEqualTo("body");
        }
    }

    @Test
    void refusedSwitchIsAnOrdinaryAnswer() throws Exception {
        try (TestNode node = TestNode.named("no")) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                client.send(ASK);
                assertThat(client.read().text()).isEqualTo("no");
                client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(client.read().text()).isEqualTo("no");
            }
        }
    }

    @Test
    void clientThatDoesNotReadStopsTheNode() throws Exception {
        AtomicLong taken = new AtomicLong();
        try (TestNode node = TestNode.start((request, connection) -> {
            connection.send(SWITCH);
            flood(connection, taken);
        })) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                client.send(ASK);
                assertThat(client.read().status()).isEqualTo(101);
                assertThat(GatewayHarness.settled(taken)).isPositive().isLessThan(BYTES_TAKEN_MAX);
            }
        }
    }

    @Test
    void nodeThatDoesNotReadStopsTheClient() throws Exception {
        AtomicLong taken = new AtomicLong();
        CountDownLatch done = new CountDownLatch(1);
        try (TestNode node = TestNode.start((request, connection) -> {
            connection.send(SWITCH);
            done.await(30, TimeUnit.SECONDS);
        })) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                client.send(ASK);
                assertThat(client.read().status()).isEqualTo(101);
                Thread.ofVirtual().start(() -> {
                    byte[] block = new byte[64 * 1024];
                    try {
                        while (taken.get() < 2 * BYTES_TAKEN_MAX) {
                            client.out().write(block);
                            taken.addAndGet(block.length);
                        }
                    } catch (IOException e) {
                        // The test is over.
                    }
                });
                assertThat(GatewayHarness.settled(taken)).isPositive().isLessThan(BYTES_TAKEN_MAX);
            }
            done.countDown();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n",
                "Connection: upgrade,http2-settings\r\nUpgrade: H2C\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n",
                "Connection: Upgrade\r\nUpgrade: h2c\r\n",
                "Upgrade: h2c\r\n",
                "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: \r\n",
                "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: foo, h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n"
            })
    void switchToHttp2IsNeitherMadeNorAskedOfANode(String fields) throws Exception {
        try (TestNode node = TestNode.named("plain")) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                // Vert.x looks at the first request only, so all of them are tried.
                for (int i = 0; i < 3; i++) {
                    client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n" + fields + "\r\nbody");
                    assertThat(client.read().text()).isEqualTo("plain");
                    assertThat(node.last().text()).isEqualTo("body");
                    assertThat(node.last().fields())
                            .noneMatch(field -> field.toLowerCase(Locale.ROOT).matches("(?s).*(h2c|http2-settings).*"));
                }
            }
            assertThat(node.received()).hasSize(3);
        }
    }

    @Test
    void http2InPlaintextIsSpokenWithPriorKnowledgeOnly() throws Exception {
        try (TestNode node = TestNode.named("plain")) {
            gateway().apply(forwarding(node.url()));
            try (RawHttp2 client = RawHttp2.connect(port())) {
                client.send(
                        RawHttp2.HEADERS,
                        RawHttp2.END_STREAM | RawHttp2.END_HEADERS,
                        1,
                        RawHttp2.fields(":method", "GET", ":scheme", "http", ":path", "/", ":authority", "a"));
                assertThat(client.next().type()).isEqualTo(RawHttp2.HEADERS);
                assertThat(client.next().payload()).isEqualTo("plain".getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    private static void flood(TestNode.Connection connection, AtomicLong taken) throws IOException {
        byte[] block = new byte[64 * 1024];
        while (taken.get() < 2 * BYTES_TAKEN_MAX) {
            connection.out().write(block);
            taken.addAndGet(block.length);
        }
    }

    private static String text(RawClient client, int bytes) throws IOException {
        return new String(client.in().readNBytes(bytes), StandardCharsets.UTF_8);
    }

    private Config pooled(Pool pool, String node) {
        return forwarding(node)
                .with(
                        ResourceType.UPSTREAM,
                        "nodes",
                        upstream -> upstream.toBuilder().pool(pool).build());
    }

    private static TestNode chatting() {
        return TestNode.start((request, connection) -> {
            if (request.target().equals("/chat")) {
                connection.send(SWITCH);
                connection.in().read();
            } else if (request.target().equals("/events")) {
                connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n"
                        + "Transfer-Encoding: chunked\r\n\r\n8\r\ndata: x\n\r\n");
                connection.in().read();
            } else {
                connection.ok("ok");
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {ASK, "GET /events HTTP/1.1\r\nHost: a\r\n\r\n"})
    void whatLastsTakesNoPlaceOfRequests(String ask) throws Exception {
        try (TestNode node = chatting()) {
            gateway().apply(pooled(Pool.builder().connectionsMax(2).build(), node.url()));
            List<RawClient> lasting = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                RawClient client = RawClient.connect(port());
                lasting.add(client);
                client.send(ask);
                // A part of the head shows that the exchange has its place; its content does not matter.
                assertThat(client.in().readNBytes(20)).hasSize(20);
            }
            assertThat(get("/").text()).isEqualTo("ok");
            for (RawClient client : lasting) {
                client.close();
            }
            GatewayHarness.eventually(() -> node.openNow() <= 2);
            assertThat(get("/").text()).isEqualTo("ok");
        }
    }

    @Test
    void tunnelBeyondTheBoundIsToldToComeAgain() throws Exception {
        try (TestNode node = chatting()) {
            gateway().apply(pooled(Pool.builder().tunnelsMax(1).build(), node.url()));
            try (RawClient client = RawClient.connect(port())) {
                client.send(ASK);
                assertThat(client.read().status()).isEqualTo(101);
                RawClient.Answer refused = exchange(ASK);
                assertThat(refused.status()).isEqualTo(503);
                assertThat(refused.field("retry-after")).isEqualTo("1");
                assertThat(get("/").text()).isEqualTo("ok");
            }
            GatewayHarness.eventually(() -> statusOfTunnel() == 101);
        }
    }

    @Test
    void tunnelsAreNoneOfTheRequestsInProgress() throws Exception {
        try (TestNode node = chatting()) {
            gateway()
                    .apply(forwarding(node.url())
                            .with(
                                    ResourceType.UPSTREAM,
                                    "nodes",
                                    upstream -> upstream.toBuilder()
                                            .limits(UpstreamLimits.builder()
                                                    .requestsMax(1)
                                                    .build())
                                            .build()));
            try (RawClient client = RawClient.connect(port())) {
                client.send(ASK);
                assertThat(client.read().status()).isEqualTo(101);
                assertThat(get("/").text()).isEqualTo("ok");
            }
        }
    }

    private int statusOfTunnel() {
        try (RawClient client = RawClient.connect(port())) {
            client.send(ASK);
            return client.read().status();
        } catch (IOException e) {
            return 0;
        }
    }
}
