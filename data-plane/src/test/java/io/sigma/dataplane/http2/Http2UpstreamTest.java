package io.sigma.dataplane.http2;

import static io.sigma.dataplane.testkit.GatewayHarness.await;
import static io.sigma.dataplane.testkit.GatewayHarness.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.Http2Node;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.RawHttp2;
import io.sigma.dataplane.testkit.TestSettings;
import io.sigma.dataplane.testkit.TestTls;
import io.sigma.model.ClientTls;
import io.sigma.model.NodeProtocol;
import io.sigma.model.Pool;
import io.sigma.snapshot.ResourceType;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.StreamResetException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Nodes that speak HTTP/2: streams, trailers, resets, windows and the end of connections. */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class Http2UpstreamTest extends EngineContract {

    private static final String WEB_SOCKET =
            "GET /chat HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                    + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n";

    private static final int WINDOWS_BYTES_MAX = 16 * 1024 * 1024;

    private Vertx vertx;
    private HttpClientAgent client;

    /** Without a disk on which responses wait, so that it is the windows that hold a node back. */
    @Override
    protected GatewaySettings settings(Path dataDir) {
        return TestSettings.of(dataDir).loops(2).spoolBytesMax(0).build();
    }

    @BeforeEach
    void startClient() {
        vertx = Vertx.vertx();
        client = vertx.createHttpClient(
                new HttpClientOptions().setProtocolVersion(HttpVersion.HTTP_2).setHttp2ClearTextUpgrade(false));
    }

    @AfterEach
    void stopClient() {
        await(vertx.close());
    }

    private Config http2(Http2Node node) {
        return http2(node, UnaryOperator.identity());
    }

    private Config http2(Http2Node node, UnaryOperator<Pool> pool) {
        return forwarding(node.url())
                .with(
                        ResourceType.UPSTREAM,
                        "nodes",
                        upstream -> upstream.toBuilder()
                                .protocol(NodeProtocol.HTTP2)
                                .pool(pool.apply(upstream.pool()))
                                .build());
    }

    private Future<HttpClientRequest> request(HttpMethod method, String target) {
        return client.request(method, port(), "localhost", target);
    }

    private Future<String> text(String target) {
        return request(HttpMethod.GET, target)
                .compose(request -> request.send().compose(HttpClientResponse::body))
                .map(Buffer::toString);
    }

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

    @Test
    void authorityCookiesAndBodyArriveAsTheClientSentThem() {
        try (Http2Node node = Http2Node.start(request -> request.body()
                .onSuccess(body -> request.response()
                        .end(request.authority() + " " + request.getHeader("cookie") + " " + request.getHeader("te")
                                + " " + body)))) {
            gateway().apply(http2(node));
            Buffer body = await(request(HttpMethod.POST, "/")
                    .compose(request -> request.putHeader("cookie", (Iterable<String>) List.of("a=1", "b=2"))
                            .putHeader("te", "trailers")
                            .send("body")
                            .compose(HttpClientResponse::body)));
            assertThat(body.toString()).isEqualTo("localhost:" + port() + " a=1; b=2 trailers body");
        }
    }

    @Test
    void trailersOfTheNodeArrive() throws Exception {
        try (Http2Node node = Http2Node.start(request -> {
            request.response().setChunked(true).write("data");
            request.response()
                    .putTrailer("x-sum", "42")
                    .putTrailer("content-length", "7")
                    .putTrailer("set-cookie", "a=1")
                    .end();
        })) {
            gateway().apply(http2(node));
            HttpClientResponse response = await(request(HttpMethod.GET, "/")
                    .compose(HttpClientRequest::send)
                    .compose(answer -> answer.end().map(answer)));
            assertThat(response.trailers().get("x-sum")).isEqualTo("42");
            assertThat(response.trailers().size()).isEqualTo(1);
            assertThat(get("/").trailers()).containsExactly("x-sum: 42");
        }
    }

    @Test
    void bodiesWithoutALengthStreamInBothDirections() {
        try (Http2Node node = Http2Node.start(request -> {
            request.response().writeHead();
            request.handler(request.response()::write);
            request.endHandler(ignored -> request.response().end());
        })) {
            gateway().apply(http2(node));
            HttpClientRequest request = await(request(HttpMethod.POST, "/"));
            request.setChunked(true);
            AtomicReference<String> heard = new AtomicReference<>("");
            request.sendHead();
            HttpClientResponse response = await(request.response());
            response.handler(data -> heard.accumulateAndGet(data.toString(), String::concat));
            Future<Void> ended = response.end();
            for (String word : List.of("one", "two", "three")) {
                String before = heard.get();
                request.write(word);
                eventually(() -> heard.get().equals(before + word));
            }
            request.end();
            await(ended);
        }
    }

    @Test
    void resetOfTheClientReachesTheNodeAndItsConnectionIsKept() throws Exception {
        CompletableFuture<Throwable> heard = new CompletableFuture<>();
        try (Http2Node node = Http2Node.start(request -> {
            if (request.path().equals("/slow")) {
                request.response().exceptionHandler(heard::complete);
                request.response().setChunked(true).write("begun");
            } else {
                request.response().end("ok");
            }
        })) {
            gateway()
                    .apply(http2(
                            node, pool -> pool.toBuilder().connectionsMax(1).build()));
            HttpClientRequest request = await(request(HttpMethod.GET, "/slow"));
            await(request.send());
            request.reset(8);
            assertThat(heard.get(20, TimeUnit.SECONDS))
                    .isInstanceOfSatisfying(
                            StreamResetException.class,
                            reset -> assertThat(reset.getCode()).isEqualTo(8));
            assertThat(await(text("/"))).isEqualTo("ok");
            assertThat(node.connections()).hasSize(1);
        }
    }

    @Test
    void resetOfTheNodeReachesTheClientWithItsCode() {
        try (Http2Node node = Http2Node.start(request -> {
            request.response().setChunked(true).write("begun");
            request.response().reset(11);
        })) {
            gateway().apply(http2(node));
            Future<Buffer> answer = request(HttpMethod.GET, "/")
                    .compose(request -> request.send().compose(HttpClientResponse::body));
            assertThatThrownBy(() -> await(answer))
                    .isInstanceOfSatisfying(
                            StreamResetException.class,
                            reset -> assertThat(reset.getCode()).isEqualTo(11));
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
    void clientThatDoesNotReadHoldsTheNodeBack() {
        AtomicLong written = new AtomicLong();
        try (Http2Node node = Http2Node.start(request -> {
            pour(request.response().setChunked(true), written);
            request.response().drainHandler(ignored -> pour(request.response(), written));
        })) {
            gateway().apply(http2(node));
            HttpClientResponse response = await(request(HttpMethod.GET, "/")
                    .compose(HttpClientRequest::send)
                    .map(HttpClientResponse::pause));
            AtomicLong read = new AtomicLong();
            response.handler(data -> read.addAndGet(data.length()));
            stalls(written);
            assertThat(written.get()).isLessThan(WINDOWS_BYTES_MAX);
            response.resume();
            eventually(() -> read.get() > 2L * WINDOWS_BYTES_MAX);
            response.request().reset();
        }
    }

    @Test
    void clientsThatDoNotReadKeepNothingFromOthersOnTheConnection() throws Exception {
        byte[] large = new byte[2 * 1024 * 1024];
        GatewaySettings settings = TestSettings.of(folder.resolve("without-disk"))
                .loops(1)
                .spoolBytesMax(0)
                .build();
        try (Http2Node node = Http2Node.start(request -> request.response()
                        .end(request.path().equals("/large") ? Buffer.buffer(large) : Buffer.buffer("small")));
                GatewayHarness one = GatewayHarness.start(settings)) {
            int port = Config.freePort();
            one.apply(Config.forwarding(port, node.url())
                    .patient("pass")
                    .with(
                            ResourceType.UPSTREAM,
                            "nodes",
                            upstream -> upstream.toBuilder()
                                    .protocol(NodeProtocol.HTTP2)
                                    .pool(upstream.pool().toBuilder()
                                            .connectionsMax(1)
                                            .build())
                                    .build()));
            List<RawHttp2> stalled = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
                RawHttp2 slow = RawHttp2.connect(port);
                stalled.add(slow);
                slow.send(RawHttp2.SETTINGS, 0, 0, (byte) 0, (byte) 4, (byte) 0, (byte) 0, (byte) 0, (byte) 0);
                slow.send(
                        RawHttp2.HEADERS,
                        RawHttp2.END_HEADERS | RawHttp2.END_STREAM,
                        1,
                        RawHttp2.fields(
                                ":method", "GET", ":scheme", "http", ":path", "/large", ":authority", "a.example"));
            }
            for (RawHttp2 slow : stalled) {
                assertThat(slow.next().type()).isEqualTo(RawHttp2.HEADERS);
            }
            assertThat(RawClient.get(port, "a.example", "/small").text()).isEqualTo("small");
            assertThat(node.connections()).hasSize(1);
            for (RawHttp2 slow : stalled) {
                slow.close();
            }
        }
    }

    private static void pour(HttpServerResponse response, AtomicLong written) {
        Buffer block = Buffer.buffer(new byte[16 * 1024]);
        while (!response.closed() && !response.writeQueueFull()) {
            if (response.write(block).failed()) {
                // The stream is reset: it takes everything, and passes nothing on.
                return;
            }
            written.addAndGet(block.length());
        }
    }

    @Test
    void nodeThatDoesNotReadHoldsTheClientBack() {
        AtomicReference<io.vertx.core.http.HttpServerRequest> received = new AtomicReference<>();
        AtomicLong read = new AtomicLong();
        try (Http2Node node = Http2Node.start(request -> {
            request.handler(data -> read.addAndGet(data.length()));
            request.pause();
            received.set(request);
        })) {
            gateway().apply(http2(node));
            HttpClientRequest request = await(request(HttpMethod.POST, "/"));
            request.setChunked(true);
            AtomicLong written = new AtomicLong();
            request.drainHandler(ignored -> pour(request, written));
            vertx.runOnContext(ignored -> pour(request, written));
            eventually(() -> received.get() != null);
            stalls(written);
            assertThat(written.get()).isLessThan(WINDOWS_BYTES_MAX);
            received.get().resume();
            eventually(() -> read.get() > 2L * WINDOWS_BYTES_MAX);
            request.reset();
        }
    }

    private static void pour(HttpClientRequest request, AtomicLong written) {
        Buffer block = Buffer.buffer(new byte[16 * 1024]);
        while (!request.writeQueueFull()) {
            request.write(block);
            written.addAndGet(block.length());
        }
    }

    /** Waits until nothing more has been written for a while. */
    private static void stalls(AtomicLong written) {
        AtomicLong last = new AtomicLong(-1);
        AtomicLong since = new AtomicLong(System.nanoTime());
        eventually(() -> {
            long now = written.get();
            if (now != last.getAndSet(now) || now == 0) {
                since.set(System.nanoTime());
            }
            return System.nanoTime() - since.get() > 300_000_000L;
        });
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
            // The node has said that it does not connect streams (RFC 8441 §3).
            assertThat(node.connections()).hasSize(1);
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
