package io.sigma.dataplane.http2;

import static io.sigma.dataplane.testkit.RawHttp2.fields;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Headers;
import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.RawHttp2;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.Wire;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Encoding and decoding of heads, bodies and trailers in frames. */
final class Http2CodecTest extends EngineContract {

    private static final int FRAME_BYTES_MAX = 16_384;

    @Test
    void trailersOfARequestArrive() throws Exception {
        AtomicReference<List<String>> trailers = new AtomicReference<>();
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        try (TestNode node = TestNode.startHeadsOnly((request, connection) -> {
            trailers.set(Wire.readChunks(connection.in(), body));
            connection.ok("done");
        })) {
            gateway().apply(forwarding(node.url()));
            try (RawHttp2 client = RawHttp2.connect(port())) {
                client.send(
                        RawHttp2.HEADERS,
                        RawHttp2.END_HEADERS,
                        1,
                        fields(":method", "POST", ":scheme", "http", ":path", "/", ":authority", "shop.example.com"));
                client.send(RawHttp2.DATA, 0, 1, "abc".getBytes(StandardCharsets.US_ASCII));
                client.send(
                        RawHttp2.HEADERS,
                        RawHttp2.END_HEADERS | RawHttp2.END_STREAM,
                        1,
                        fields("x-sum", "9", "authorization", "x"));
                assertThat(client.next().type()).isEqualTo(RawHttp2.HEADERS);
                assertThat(client.next().payload()).asString().isEqualTo("done");
            }
            assertThat(body).hasToString("abc");
            assertThat(trailers.get()).containsExactly("x-sum: 9");
        }
    }

    @Test
    void headOfAResponseThatNeedsSeveralFramesArrivesWhole() throws Exception {
        StringBuilder large = new StringBuilder("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n");
        for (int i = 0; i < 6; i++) {
            large.append("X-Large-")
                    .append(i)
                    .append(": ")
                    .repeat('a' + i, 4_000)
                    .append("\r\n");
        }
        try (TestNode node = TestNode.start(
                (request, connection) -> connection.send(large.append("\r\nok").toString()))) {
            gateway().apply(forwarding(node.url()));
            try (RawHttp2 client = RawHttp2.connect(port())) {
                client.send(
                        RawHttp2.HEADERS,
                        RawHttp2.END_HEADERS | RawHttp2.END_STREAM,
                        1,
                        fields(":method", "GET", ":scheme", "http", ":path", "/", ":authority", "shop.example.com"));
                RawHttp2.Frame frame = client.next();
                assertThat(frame.type()).isEqualTo(RawHttp2.HEADERS);
                assertThat(frame.payload()).hasSize(FRAME_BYTES_MAX);
                int priority = (frame.flags() & RawHttp2.PRIORITY) == 0 ? 0 : 5;
                ByteBuf block = Unpooled.buffer().writeBytes(frame.payload()).skipBytes(priority);
                while ((frame.flags() & RawHttp2.END_HEADERS) == 0) {
                    frame = client.next();
                    assertThat(frame.type()).isEqualTo(RawHttp2.CONTINUATION);
                    block.writeBytes(frame.payload());
                }
                Http2Headers head = new DefaultHttp2HeadersDecoder(true, 100_000).decodeHeaders(1, block);
                assertThat(head.status()).hasToString("200");
                assertThat(head.get("x-large-5")).hasToString("f".repeat(4_000));
                assertThat(client.next().payload()).asString().isEqualTo("ok");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 200_000, 900_000})
    void streamsThatRunWhenTheirListenerClosesEndAsTheyWould(int length) throws Exception {
        CountDownLatch asked = new CountDownLatch(2);
        CountDownLatch answered = new CountDownLatch(1);
        try (TestNode node = TestNode.start((request, connection) -> {
            asked.countDown();
            assertThat(answered.await(10, TimeUnit.SECONDS)).isTrue();
            connection.ok("x".repeat(length));
        })) {
            gateway().apply(forwarding(node.url()));
            try (RawHttp2 client = RawHttp2.connect(port())) {
                client.send(RawHttp2.WINDOW_UPDATE, 0, 0, (byte) 0, (byte) 0x40, (byte) 0, (byte) 0);
                for (int stream = 1; stream <= 3; stream += 2) {
                    client.send(
                            RawHttp2.HEADERS,
                            RawHttp2.END_HEADERS | RawHttp2.END_STREAM,
                            stream,
                            fields(
                                    ":method",
                                    "GET",
                                    ":scheme",
                                    "http",
                                    ":path",
                                    "/",
                                    ":authority",
                                    "shop.example.com"));
                    client.send(RawHttp2.WINDOW_UPDATE, 0, stream, (byte) 0, (byte) 0x40, (byte) 0, (byte) 0);
                }
                assertThat(asked.await(10, TimeUnit.SECONDS)).isTrue();
                gateway().apply(Config.forwarding(Config.freePort(), node.url()));
                RawHttp2.Frame first = client.next();
                assertThat(first.type()).isEqualTo(RawHttp2.GOAWAY);
                assertThat(first.error()).isZero();
                answered.countDown();
                assertThat(bytesUntilTheEnd(client)).containsExactly(length, length);
            }
        }
    }

    /** Returns how many bytes of data came on the streams 1 and 3, until the connection was closed. */
    private static List<Integer> bytesUntilTheEnd(RawHttp2 client) throws IOException {
        int[] bytes = new int[2];
        int ended = 0;
        while (true) {
            try {
                RawHttp2.Frame frame = client.next();
                if (frame.type() == RawHttp2.DATA) {
                    bytes[frame.stream() / 2] += frame.payload().length;
                    ended += frame.flags() & RawHttp2.END_STREAM;
                }
            } catch (EOFException e) {
                assertThat(ended).isEqualTo(2);
                return List.of(bytes[0], bytes[1]);
            }
        }
    }

    @Test
    void bodiesOfManyStreamsArriveWholeInBothDirections() throws Exception {
        Vertx vertx = Vertx.vertx();
        try (TestNode node = TestNode.start((request, connection) -> connection.ok(request.text()))) {
            gateway().apply(forwarding(node.url()));
            HttpClientAgent client = GatewayHarness.keep(vertx.createHttpClient(new HttpClientOptions()
                    .setProtocolVersion(HttpVersion.HTTP_2)
                    .setHttp2ClearTextUpgrade(false)));
            List<Future<String>> answers = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
                String sent = body(i);
                answers.add(client.request(HttpMethod.POST, port(), "localhost", "/")
                        .compose(request -> request.send(Buffer.buffer(sent))
                                .compose(response -> response.body().map(Buffer::toString))));
            }
            GatewayHarness.await(Future.all(answers));
            for (int i = 0; i < answers.size(); i++) {
                assertThat(answers.get(i).result()).isEqualTo(body(i));
            }
        } finally {
            GatewayHarness.await(vertx.close());
        }
    }

    /** Around the sizes from which on pieces are passed on instead of copied, and beyond windows and frames. */
    private static String body(int i) {
        int length = new int[] {0, 1, 2_047, 2_048, 2_049, 16_384, 16_385, 65_535, 65_536, 300_000}[i % 10];
        return String.valueOf((char) ('a' + i % 26)).repeat(length);
    }
}
