package io.sigma.dataplane.upstream.proxied;

import static io.sigma.dataplane.testkit.GatewayHarness.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.HeaderFront;
import io.sigma.dataplane.testkit.Http2Node;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.RawHttp2;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.model.NodeProtocol;
import io.sigma.model.NodeProxyProtocol;
import io.sigma.model.Pool;
import io.sigma.model.Retry;
import io.sigma.snapshot.ResourceType;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A connection whose header names a client carries requests of that client only. */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class ConnectionsOfClientsTest extends ProxyHeaderContract {

    private static final int STREAMS = 5;

    private Config one(String url, int connectionsMax) {
        return told(
                        edited(
                                forwarding(url),
                                upstream -> upstream.pool(Pool.builder()
                                        .connectionsMax(connectionsMax)
                                        .build())),
                        NodeProxyProtocol.V2)
                .patient("pass");
    }

    @Test
    void connectionIsUsedAgainByTheSameClientAlone() throws Exception {
        try (TestNode node = node();
                HeaderFront front = before(node)) {
            gateway().apply(told(forwarding(front.url()), NodeProxyProtocol.V1));
            try (RawClient first = RawClient.connect(port());
                    RawClient second = RawClient.connect(port())) {
                for (int i = 0; i < 3; i++) {
                    for (RawClient client : List.of(first, second)) {
                        client.send(REQUEST);
                        assertThat(client.read().text()).isEqualTo(own(client));
                    }
                }
                assertThat(front.headers()).hasSize(2);
            }
            eventually(() -> front.openNow() == 0);
        }
    }

    @Test
    void idleConnectionGivesWayToAnotherClient() throws Exception {
        try (TestNode node = node();
                HeaderFront front = before(node)) {
            gateway().apply(one(front.url(), 1));
            try (RawClient first = RawClient.connect(port());
                    RawClient second = RawClient.connect(port());
                    RawClient third = RawClient.connect(port())) {
                for (int i = 0; i < 3; i++) {
                    for (RawClient client : List.of(first, second, third)) {
                        client.send(REQUEST);
                        assertThat(client.read().text()).isEqualTo(own(client));
                    }
                }
                assertThat(front.headers()).hasSize(9);
            }
        }
    }

    /** Clients of one address, of which the first has the only connection. */
    @Test
    void busyConnectionGivesWayWhenItsResponseIsOver() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        try (TestNode node = TestNode.start((request, connection) -> {
                    if (request.target().equals("/slow")) {
                        begun.countDown();
                        goOn.await(10, TimeUnit.SECONDS);
                    }
                    connection.ok("ok");
                });
                HeaderFront front = before(node)) {
            gateway().apply(one(front.url(), 1));
            try (RawClient first = RawClient.connect(port());
                    RawClient second = RawClient.connect(port())) {
                first.send(REQUEST.replace("/ ", "/slow "));
                assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
                second.send(REQUEST);
                goOn.countDown();
                assertThat(first.read().status()).isEqualTo(200);
                assertThat(second.read().status()).isEqualTo(200);
                assertThat(front.headers())
                        .extracting(HeaderFront.Header::source)
                        .containsExactly(own(first), own(second));
            }
        }
    }

    @Test
    void manyClientsShareTheBoundOfANode() throws Exception {
        ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
        try (TestNode node = node();
                HeaderFront front = before(node)) {
            gateway().apply(one(front.url(), 3));
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                threads.add(Thread.ofVirtual().start(() -> {
                    try (RawClient client = RawClient.connect(port())) {
                        for (int request = 0; request < 20; request++) {
                            client.send(REQUEST);
                            String told = client.read().text();
                            if (!told.equals(own(client))) {
                                wrong.add(told + " for " + own(client));
                            }
                        }
                    } catch (Exception e) {
                        wrong.add(e.toString());
                    }
                }));
            }
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(wrong).isEmpty();
        }
    }

    private static void ask(RawHttp2 client, int stream) throws Exception {
        client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS | RawHttp2.END_STREAM, stream, RawHttp2.head());
    }

    private static void answered(RawHttp2 client, int count) throws Exception {
        for (int left = count; left > 0; ) {
            RawHttp2.Frame frame = client.next();
            if (frame.type() == RawHttp2.HEADERS) {
                assertThat(client.status(frame)).isEqualTo("200");
                left--;
            }
        }
    }

    @Test
    void streamsOfOneClientShareItsConnectionsOfHttp1() throws Exception {
        Set<String> told = ConcurrentHashMap.newKeySet();
        try (TestNode node = node();
                HeaderFront front = before(node)) {
            gateway().apply(told(forwarding(front.url()), NodeProxyProtocol.V2));
            try (RawHttp2 first = RawHttp2.connect(port());
                    RawHttp2 second = RawHttp2.connect(port())) {
                for (int round = 0; round < 3; round++) {
                    for (RawHttp2 client : List.of(first, second)) {
                        for (int i = 0; i < STREAMS; i++) {
                            ask(client, 1 + 2 * (round * STREAMS + i));
                        }
                        answered(client, STREAMS);
                    }
                }
                front.headers().forEach(header -> told.add(header.source()));
                assertThat(told).hasSize(2);
                assertThat(front.headers()).hasSizeLessThanOrEqualTo(2 * STREAMS);
            }
        }
    }

    @Test
    void eachClientHasItsConnectionOfHttp2() throws Exception {
        try (Http2Node node = Http2Node.start(request -> request.response().end("ok"));
                HeaderFront front = before(URI.create(node.url()).getPort())) {
            gateway()
                    .apply(edited(
                            forwarding(front.url()),
                            upstream -> upstream.protocol(NodeProtocol.HTTP2).proxyProtocol(NodeProxyProtocol.V2)));
            try (RawHttp2 first = RawHttp2.connect(port());
                    RawHttp2 second = RawHttp2.connect(port())) {
                for (RawHttp2 client : List.of(first, second)) {
                    for (int i = 0; i < STREAMS; i++) {
                        ask(client, 1 + 2 * i);
                    }
                    answered(client, STREAMS);
                }
                assertThat(front.headers()).hasSize(2);
                assertThat(front.headers().get(0).source())
                        .isNotEqualTo(front.headers().get(1).source());
            }
        }
    }

    @Test
    void callOfGrpcIsTriedOverHttp2BehindTheHeader() throws Exception {
        try (Http2Node node = Http2Node.start(request -> request.response()
                        .putHeader("content-type", "application/grpc")
                        .putTrailer("grpc-status", "0")
                        .end());
                HeaderFront front = before(URI.create(node.url()).getPort())) {
            gateway().apply(told(forwarding(front.url()), NodeProxyProtocol.V1));
            try (RawHttp2 client = RawHttp2.connect(port())) {
                client.send(
                        RawHttp2.HEADERS,
                        RawHttp2.END_HEADERS | RawHttp2.END_STREAM,
                        1,
                        RawHttp2.head("content-type", "application/grpc", "te", "trailers"));
                answered(client, 1);
                assertThat(front.headers()).hasSize(1);
                assertThat(node.connections()).hasSize(1);
            }
        }
    }

    @Test
    void nextNodeIsToldToo() throws Exception {
        try (TestNode bad = TestNode.start(
                        (request, connection) -> connection.socket().close());
                HeaderFront first = HeaderFront.before(bad.port());
                TestNode node = node();
                HeaderFront front = before(node)) {
            gateway()
                    .apply(told(forwarding(first.url(), front.url()), NodeProxyProtocol.V2)
                            .with(
                                    ResourceType.PROXY_PASS,
                                    "pass",
                                    pass -> pass.toBuilder()
                                            .retry(Retry.builder()
                                                    .attemptsMax(2)
                                                    .build())
                                            .build()));
            for (int i = 0; i < 2; i++) {
                try (RawClient client = RawClient.connect(port())) {
                    client.send(REQUEST);
                    assertThat(client.read().text()).isEqualTo(own(client));
                }
            }
            assertThat(first.headers()).isNotEmpty();
        }
    }

    @Test
    void tunnelBeginsWithTheHeader() throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> {
                    connection.send("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                            + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n");
                    connection.out().write(connection.in().readNBytes(5));
                    connection.out().flush();
                });
                HeaderFront front = before(node)) {
            gateway().apply(told(forwarding(front.url()), NodeProxyProtocol.V1));
            try (RawClient client = RawClient.connect(port())) {
                client.send("GET /chat HTTP/1.1\r\nHost: a\r\nConnection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n"
                        + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
                assertThat(client.read().status()).isEqualTo(101);
                client.send("hello");
                assertThat(new String(client.in().readNBytes(5), StandardCharsets.US_ASCII))
                        .isEqualTo("hello");
                assertThat(front.last().source()).isEqualTo(own(client));
            }
            eventually(() -> front.openNow() == 0);
        }
    }

    @Test
    void copyOfARequestTellsOfTheSameClient() throws Exception {
        try (TestNode node = TestNode.named("ok");
                TestNode shadow = TestNode.named("thrown away");
                HeaderFront front = before(shadow)) {
            gateway()
                    .apply(forwarding(node.url())
                            .mirrored(front.url())
                            .with(
                                    ResourceType.UPSTREAM,
                                    "shadow",
                                    upstream -> upstream.toBuilder()
                                            .proxyProtocol(NodeProxyProtocol.V2)
                                            .build()));
            try (RawClient client = RawClient.connect(port())) {
                client.send(REQUEST);
                assertThat(client.read().text()).isEqualTo("ok");
                eventually(() -> !front.headers().isEmpty());
                assertThat(front.last().source()).isEqualTo(own(client));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(NodeProxyProtocol.class)
    void headerComesAndGoesUnderLoad(NodeProxyProtocol version) throws Exception {
        ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger toldOf = new AtomicInteger();
        try (TestNode node = node();
                HeaderFront front = before(node)) {
            Config config = forwarding(front.url());
            gateway().apply(config);
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                threads.add(Thread.ofVirtual().start(() -> {
                    try (RawClient client = RawClient.connect(port())) {
                        while (!over.get()) {
                            client.send(REQUEST);
                            RawClient.Answer answer = client.read();
                            boolean own = answer.text().equals(own(client));
                            toldOf.addAndGet(own ? 1 : 0);
                            if (answer.status() != 200 || !(own || answer.text().isEmpty())) {
                                wrong.add(answer.status() + " " + answer.text() + " for " + own(client));
                            }
                        }
                    } catch (Exception e) {
                        wrong.add(e.toString());
                    }
                }));
            }
            for (int i = 0; i < 6; i++) {
                gateway().apply(told(config, version));
                int before = toldOf.get();
                eventually(() -> toldOf.get() > before || !wrong.isEmpty());
                gateway().apply(config);
            }
            gateway().apply(told(config, version));
            over.set(true);
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(wrong).isEmpty();
            eventually(() -> front.openNow() == 0);
        }
    }
}
