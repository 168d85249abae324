package io.sigma.dataplane.http2;

import static io.sigma.dataplane.testkit.GatewayHarness.await;
import static io.sigma.dataplane.testkit.GatewayHarness.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.Http2Node;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.RawHttp2;
import io.sigma.dataplane.testkit.TestSettings;
import io.sigma.model.NodeProtocol;
import io.sigma.snapshot.ResourceType;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.StreamResetException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Nodes that speak HTTP/2: streams, trailers, resets, windows and the end of connections. */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class Http2UpstreamTest extends Http2UpstreamContract {

    private static final int WINDOWS_BYTES_MAX = 16 * 1024 * 1024;

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

    private static void pour(HttpClientRequest request, AtomicLong written) {
        Buffer block = Buffer.buffer(new byte[16 * 1024]);
        while (!request.writeQueueFull()) {
            request.write(block);
            written.addAndGet(block.length());
        }
    }
}
