package io.sigma.dataplane.http1;

import static io.sigma.dataplane.testkit.GatewayHarness.await;
import static io.sigma.dataplane.testkit.GatewayHarness.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.aayushatharva.brotli4j.Brotli4jLoader;
import com.aayushatharva.brotli4j.decoder.DecoderJNI;
import com.github.luben.zstd.ZstdInputStream;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.PluginContract;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.Wire;
import io.sigma.model.BrotliPlugin;
import io.sigma.model.GzipPlugin;
import io.sigma.model.Plugins;
import io.sigma.model.ZstdPlugin;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses that go on for a while, to clients of both versions of HTTP. */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class StreamingTest extends PluginContract {

    private static final String TEXT = "compress me ".repeat(1000);

    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void closeClients() {
        await(vertx.close());
    }

    private static Plugins.Builder codings() {
        return Plugins.builder()
                .gzip(GzipPlugin.builder().build())
                .brotli(BrotliPlugin.builder().build())
                .zstd(ZstdPlugin.builder().build());
    }

    private HttpClientResponse get(HttpVersion version, @Nullable String accepted) {
        HttpClientAgent client = GatewayHarness.keep(vertx.createHttpClient(
                new HttpClientOptions().setProtocolVersion(version).setHttp2ClearTextUpgrade(false)));
        return await(client.request(HttpMethod.GET, port(), "localhost", "/")
                .map(request -> accepted == null ? request : request.putHeader("accept-encoding", accepted))
                .compose(HttpClientRequest::send)
                .map(HttpClientResponse::pause));
    }

    /** What has arrived of a body. */
    private static final class Arrived {

        private final String coding;
        private final Buffer bytes = Buffer.buffer();

        Arrived(HttpClientResponse response) {
            this.coding = String.valueOf(response.getHeader("content-encoding"));
            response.handler(this::add);
            response.resume();
        }

        private synchronized void add(Buffer data) {
            bytes.appendBuffer(data);
        }

        /** Returns what can be read of it so far. */
        synchronized String text() {
            return coding.equals("br") ? brotli() : streamed();
        }

        /** Its stream gives nothing back before the end. */
        private String brotli() {
            Brotli4jLoader.ensureAvailability();
            StringBuilder text = new StringBuilder();
            try {
                DecoderJNI.Wrapper decoder = new DecoderJNI.Wrapper(bytes.length() + 1);
                decoder.getInputBuffer().put(bytes.getBytes());
                decoder.push(bytes.length());
                while (decoder.hasOutput() || decoder.getStatus() == DecoderJNI.Status.NEEDS_MORE_OUTPUT) {
                    text.append(StandardCharsets.UTF_8.decode(decoder.pull()));
                }
                decoder.destroy();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return text.toString();
        }

        private String streamed() {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            try (InputStream in = decoder(new ByteArrayInputStream(bytes.getBytes()))) {
                int next = in.read();
                while (next >= 0) {
                    out.write(next);
                    next = in.read();
                }
            } catch (IOException e) {
                // The rest is still to come.
            }
            return out.toString(StandardCharsets.UTF_8);
        }

        private InputStream decoder(InputStream in) throws IOException {
            return switch (coding) {
                case "gzip" -> new GZIPInputStream(in);
                case "zstd" -> new ZstdInputStream(in).setContinuous(true);
                default -> in;
            };
        }
    }

    // --- Server-Sent Events

    /** A node that sends an event each time that it may. */
    private static TestNode events(Semaphore turns) {
        return TestNode.start((request, connection) -> {
            connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n");
            for (int i = 1; turns.tryAcquire(30, TimeUnit.SECONDS); i++) {
                connection.send("9\r\ndata: " + i + "\n\n\r\n");
            }
        });
    }

    @ParameterizedTest
    @CsvSource({
        "HTTP_1_1, ",
        "HTTP_2, ",
        "HTTP_1_1, gzip",
        "HTTP_2, gzip",
        "HTTP_1_1, br",
        "HTTP_2, br",
        "HTTP_1_1, zstd",
        "HTTP_2, zstd"
    })
    void everyEventArrivesBeforeTheNextIsSent(HttpVersion version, @Nullable String coding) throws Exception {
        Semaphore turns = new Semaphore(0);
        try (TestNode node = events(turns)) {
            gateway().apply(withPlugins(node.url(), codings()));
            // The head arrives before there is an event.
            HttpClientResponse response = get(version, coding);
            assertThat(response.getHeader("content-type")).isEqualTo("text/event-stream");
            assertThat(response.getHeader("content-encoding")).isEqualTo(coding);
            Arrived arrived = new Arrived(response);
            StringBuilder expected = new StringBuilder();
            for (int i = 1; i <= 5; i++) {
                turns.release();
                expected.append("data: ").append(i).append("\n\n");
                eventually(() -> arrived.text().contentEquals(expected));
            }
        }
    }

    // --- Content codings

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "br", "zstd"})
    void everyCodingIsSpokenOverHttp2(String coding) throws Exception {
        try (TestNode node = TestNode.named(TEXT)) {
            gateway().apply(withPlugins(node.url(), codings()));
            HttpClientResponse response = get(HttpVersion.HTTP_2, coding);
            assertThat(response.version()).isEqualTo(HttpVersion.HTTP_2);
            assertThat(response.getHeader("content-encoding")).isEqualTo(coding);
            assertThat(response.getHeader("vary")).isEqualTo("Accept-Encoding");
            Future<Void> end = response.end();
            Arrived arrived = new Arrived(response);
            await(end);
            assertThat(arrived.text()).isEqualTo(TEXT);
            assertThat(arrived.bytes.length()).isLessThan(TEXT.length());
        }
    }

    // --- Trailers

    @Test
    void trailersOfARequestArriveButForThoseThatHaveNoPlaceThere() throws Exception {
        AtomicReference<List<String>> trailers = new AtomicReference<>();
        try (TestNode node = TestNode.startHeadsOnly((request, connection) -> {
            trailers.set(Wire.readChunks(connection.in(), new ByteArrayOutputStream()));
            connection.ok("done");
        })) {
            gateway().apply(forwarding(node.url()));
            RawClient.Answer answer = exchange(
                    "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                            + "3\r\nabc\r\n0\r\nX-Sum: 9\r\nHost: evil\r\nAuthorization: x\r\nContent-Length: 1\r\nx_y: 1\r\n\r\n");
            assertThat(answer.text()).isEqualTo("done");
            assertThat(trailers.get()).containsExactly("X-Sum: 9");
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = HttpVersion.class,
            names = {"HTTP_1_1", "HTTP_2"})
    void trailersOfAChunkedResponseArrive(HttpVersion version) throws Exception {
        try (TestNode node = TestNode.start((request, connection) ->
                connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n"
                        + "Trailer: X-Sum, X-Other\r\n\r\n3\r\nabc\r\n0\r\nX-Sum: 3\r\nX-Other: a\r\n"
                        + "X-Other: b\r\n\r\n"))) {
            gateway().apply(withPlugins(node.url(), codings()));
            for (String accepted : new String[] {null, "gzip"}) {
                HttpClientResponse response = get(version, accepted);
                Future<Void> end = response.end();
                Arrived arrived = new Arrived(response);
                await(end);
                assertThat(arrived.text()).isEqualTo("abc");
                assertThat(response.trailers().get("x-sum")).isEqualTo("3");
                assertThat(response.trailers().getAll("x-other")).containsExactly("a", "b");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = HttpVersion.class,
            names = {"HTTP_1_1", "HTTP_2"})
    void trailersOfAResponseThatHaveNoPlaceThereDoNotArrive(HttpVersion version) throws Exception {
        try (TestNode node = TestNode.start((request, connection) ->
                connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX-Sum: 3\r\n"
                        + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\nConnection: close, x-sum\r\n"
                        + "Keep-Alive: 3\r\nSet-Cookie: a=1\r\nx_y: 1\r\n\r\n"))) {
            gateway().apply(forwarding(node.url()));
            HttpClientResponse response = get(version, null);
            Future<Void> end = response.end();
            Arrived arrived = new Arrived(response);
            await(end);
            assertThat(arrived.text()).isEqualTo("abc");
            assertThat(response.trailers().names())
                    .map(name -> name.toLowerCase(Locale.ROOT))
                    .containsExactlyInAnyOrder("x-sum", "x_y");
        }
    }

    @Test
    void trailersWithoutABodyArrive() throws Exception {
        try (TestNode node = TestNode.start((request, connection) ->
                connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX-Sum: 0\r\n\r\n"))) {
            gateway().apply(forwarding(node.url()));
            assertThat(get("/").trailers()).containsExactly("X-Sum: 0");
            HttpClientResponse response = get(HttpVersion.HTTP_2, null);
            Future<Void> end = response.end();
            response.resume();
            await(end);
            assertThat(response.trailers().get("x-sum")).isEqualTo("0");
        }
    }
}
