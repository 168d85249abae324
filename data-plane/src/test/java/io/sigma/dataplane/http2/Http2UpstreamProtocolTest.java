package io.sigma.dataplane.http2;

import static io.sigma.dataplane.testkit.GatewayHarness.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.Http2Node;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.TestTls;
import io.sigma.model.ClientTls;
import io.sigma.model.Retry;
import io.sigma.model.RetryCondition;
import io.sigma.snapshot.ResourceType;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The choice and reuse of HTTP/2 connections to nodes. */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class Http2UpstreamProtocolTest extends Http2UpstreamContract {

    private static final String WEB_SOCKET =
            "GET /chat HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                    + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n";

    @Test
    void requestsShareConnections() throws Exception {
        try (Http2Node node = Http2Node.start(request -> request.response().end(request.version() + request.path()))) {
            gateway().apply(http2(node));
            List<Future<String>> answers = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                answers.add(text("/" + i));
            }
            for (int i = 0; i < 200; i++) {
                assertThat(await(answers.get(i))).isEqualTo("HTTP_2/" + i);
            }
            assertThat(get("/one").text()).isEqualTo("HTTP_2/one");
            // One for each event loop, a second one only where the first was full.
            assertThat(node.connections()).hasSizeBetween(1, 4);
        }
    }

    /** An attempt on HTTP/1.1, which has no place for the field, takes nothing from those that follow. */
    @Test
    void trailersAreAskedForBehindANodeOfHttp1() throws Exception {
        TestTls tls = TestTls.create("node");
        AtomicInteger refusals = new AtomicInteger();
        try (Http2Node node = Http2Node.startTls(
                        tls, folder, null, request -> request.response().end(String.valueOf(request.getHeader("te"))));
                TestNode old = TestNode.startTls(tls.context(), (request, connection) -> {
                    refusals.incrementAndGet();
                    assertThat(request.field("te")).isNull();
                    connection.send("HTTP/1.1 503 x\r\nContent-Length: 0\r\n\r\n");
                })) {
            gateway()
                    .apply(forwarding(node.url(), "https://127.0.0.1:" + old.port())
                            .nodeTls("nodes", ClientTls.builder().verify(false).build())
                            .with(
                                    ResourceType.PROXY_PASS,
                                    "pass",
                                    pass -> pass.toBuilder()
                                            .retry(Retry.builder()
                                                    .conditions(List.of(RetryCondition.STATUS))
                                                    .build())
                                            .build())
                            .patient("pass"));
            for (int i = 0; i < 4; i++) {
                Buffer body = await(request(HttpMethod.GET, "/")
                        .compose(request ->
                                request.putHeader("te", "trailers").send().compose(HttpClientResponse::body)));
                assertThat(body.toString()).isEqualTo("trailers");
            }
            assertThat(refusals.get()).isPositive();
        }
    }

    @Test
    void refusedStreamIsTriedAgain() {
        AtomicInteger tries = new AtomicInteger();
        try (Http2Node node = Http2Node.start(request -> {
            if (tries.incrementAndGet() < 3) {
                request.response().reset(7);
            } else {
                request.response().end("third");
            }
        })) {
            gateway().apply(http2(node));
            Buffer body = await(request(HttpMethod.DELETE, "/")
                    .compose(request -> request.send().compose(HttpClientResponse::body)));
            assertThat(body.toString()).isEqualTo("third");
        }
    }

    @Test
    void nodeThatGoesAwayLosesNoRequest() {
        AtomicInteger answered = new AtomicInteger();
        try (Http2Node node = Http2Node.start(request -> {
            if (answered.incrementAndGet() % 10 == 0) {
                request.connection().shutdown(5, TimeUnit.SECONDS);
            }
            request.response().end("ok");
        })) {
            gateway().apply(http2(node));
            for (int round = 0; round < 10; round++) {
                List<Future<String>> answers = new ArrayList<>();
                for (int i = 0; i < 20; i++) {
                    answers.add(text("/"));
                }
                answers.forEach(answer -> assertThat(await(answer)).isEqualTo("ok"));
            }
            assertThat(node.connections()).hasSizeGreaterThan(2);
        }
    }

    @Test
    void noMoreStreamsAreOpenedThanTheNodeAllows() {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        try (Http2Node node = Http2Node.start(3, request -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            Vertx.currentContext().owner().setTimer(5, ignored -> {
                running.decrementAndGet();
                request.response().end("ok");
            });
        })) {
            gateway()
                    .apply(http2(
                            node, pool -> pool.toBuilder().connectionsMax(1).build()));
            List<Future<String>> answers = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                answers.add(text("/"));
            }
            answers.forEach(answer -> assertThat(await(answer)).isEqualTo("ok"));
            assertThat(most.get()).isBetween(2, 3);
            assertThat(node.connections().size()).isLessThanOrEqualTo(2);
        }
    }

    @Test
    void protocolOnTlsIsWhatTheNodePicks() throws Exception {
        TestTls tls = TestTls.create("node");
        ClientTls trusting = trusting(tls);
        for (HttpVersion version : List.of(HttpVersion.HTTP_2, HttpVersion.HTTP_1_1)) {
            try (Http2Node node = Http2Node.startTls(
                    tls,
                    folder,
                    version,
                    request -> request.response().end(request.version().toString()))) {
                gateway()
                        .apply(forwarding(node.url())
                                .with(
                                        ResourceType.UPSTREAM,
                                        "nodes",
                                        upstream -> upstream.toBuilder()
                                                .tls(trusting)
                                                .build()));
                assertThat(get("/").text()).isEqualTo(version.toString());
            }
        }
    }

    /** HTTP/2 has no such switch (RFC 9113 §8.6), and a node that has the choice takes HTTP/2. */
    @Test
    void webSocketGetsAConnectionOfItsOwnFromANodeThatPicksHttp2() throws Exception {
        TestTls tls = TestTls.create("node");
        ClientTls trusting = trusting(tls);
        try (Http2Node node = Http2Node.startTls(tls, folder, null, request -> {
            if (request.path().equals("/chat")) {
                request.toWebSocket()
                        .onSuccess(socket -> socket.textMessageHandler(text -> socket.writeTextMessage(text + "!")));
            } else {
                request.response().end(request.version().toString());
            }
        })) {
            gateway()
                    .apply(forwarding(node.url())
                            .with(
                                    ResourceType.UPSTREAM,
                                    "nodes",
                                    upstream ->
                                            upstream.toBuilder().tls(trusting).build()));
            assertThat(get("/").text()).isEqualTo("HTTP_2");
            for (int i = 0; i < 3; i++) {
                try (RawClient client = RawClient.connect(port())) {
                    client.send(WEB_SOCKET);
                    assertThat(client.read().status()).isEqualTo(101);
                    // One frame of text, masked with zeros (RFC 6455 §5.2).
                    client.out().write(new byte[] {(byte) 0x81, (byte) 0x82, 0, 0, 0, 0, 'h', 'i'});
                    client.out().flush();
                    assertThat(client.in().readNBytes(5)).containsExactly(0x81, 3, 'h', 'i', '!');
                }
            }
            assertThat(get("/").text()).isEqualTo("HTTP_2");
        }
    }

    @Test
    void webSocketToNodesOfHttp2AloneIsNotImplemented() throws Exception {
        try (Http2Node node = Http2Node.start(request -> request.response().end("no"))) {
            gateway().apply(http2(node));
            RawClient.Answer answer = exchange(WEB_SOCKET);
            assertThat(answer.status()).isEqualTo(501);
            // The node has said that it does not connect streams (RFC 8441 §3). It notes its connection on a thread of
            // its
            // own.
            GatewayHarness.eventually(() -> node.connections().size() == 1);
        }
    }

    @Test
    void nodeOnTlsThatMustSpeakHttp2AndDoesNotIsNotUsed() throws Exception {
        TestTls tls = TestTls.create("node");
        try (Http2Node node = Http2Node.startTls(
                tls, folder, HttpVersion.HTTP_1_1, request -> request.response().end("http/1"))) {
            gateway()
                    .apply(http2(node)
                            .with(
                                    ResourceType.UPSTREAM,
                                    "nodes",
                                    upstream -> upstream.toBuilder()
                                            .tls(ClientTls.builder()
                                                    .verify(false)
                                                    .build())
                                            .build())
                            .patient("pass"));
            assertThat(get("/").status()).isEqualTo(502);
        }
    }

    private ClientTls trusting(TestTls tls) throws Exception {
        return ClientTls.builder()
                .caPath(tls.writeCertificate(folder.resolve("ca.pem")).toString())
                .build();
    }
}
