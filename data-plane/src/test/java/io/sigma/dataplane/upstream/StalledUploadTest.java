package io.sigma.dataplane.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.TestSettings;
import io.sigma.dataplane.testkit.fault.LongPath;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** An upload that its node does not read stops no other upload of the connection. */
final class StalledUploadTest extends EngineContract {

    private static final int STALLED = 8;
    private static final long ROUND_TRIP_MILLIS = 50;
    private static final long FIRST_WINDOW_BYTES = 65_535;
    private static final int PIECE_BYTES = 64 * 1024;
    private static final int MIB = 1024 * 1024;
    private static final Buffer ZEROS = Buffer.buffer(new byte[PIECE_BYTES]);

    /** With as much memory as a gateway has that need not count it. */
    @Override
    protected GatewaySettings settings(Path dataDir) {
        return TestSettings.of(dataDir).loops(2).heldBytesMax(256L << 20).build();
    }

    private static HttpClientAgent oneConnection(Vertx vertx) {
        return GatewayHarness.keep(vertx.createHttpClient(
                new HttpClientOptions().setProtocolVersion(HttpVersion.HTTP_2).setHttp2ClearTextUpgrade(false),
                new PoolOptions().setHttp2MaxSize(1)));
    }

    private static TestNode stalling() {
        return TestNode.startHeadsOnly((request, connection) -> Thread.sleep(60_000));
    }

    private static TestNode reading() {
        return TestNode.start((request, connection) -> connection.ok(String.valueOf(request.body().length)));
    }

    private Config config(TestNode stalling, TestNode reading) {
        return forwarding(reading.url())
                .upstream("stalls", stalling.url())
                .pass("to-stalls", "stalls")
                .route("stalling", "all", "/stall", "to-stalls");
    }

    /**
     * Begins uploads of more than the kernel and the gateway take for the node, so that the rest of each window is used
     * up.
     */
    private static void stall(HttpClientAgent client, int port) {
        for (int i = 0; i < STALLED; i++) {
            HttpClientRequest stalled =
                    GatewayHarness.await(client.request(HttpMethod.POST, port, "localhost", "/stall"));
            stalled.setChunked(true);
            for (int piece = 0; piece < 300; piece++) {
                stalled.write(Buffer.buffer(new byte[PIECE_BYTES]));
            }
        }
    }

    private static Future<String> upload(HttpClientAgent client, int port, Buffer body) {
        return client.request(HttpMethod.POST, port, "localhost", "/")
                .compose(request -> request.send(body).compose(HttpClientResponse::body))
                .map(Buffer::toString);
    }

    @Test
    void uploadsOfOneConnectionDoNotStallEachOther() throws Exception {
        Vertx vertx = Vertx.vertx();
        try (TestNode stalling = stalling();
                TestNode reading = reading()) {
            gateway().apply(config(stalling, reading));
            HttpClientAgent client = oneConnection(vertx);
            stall(client, port());
            Buffer body = Buffer.buffer(new byte[3 * 1024 * 1024]);
            assertThat(GatewayHarness.await(upload(client, port(), body))).isEqualTo(String.valueOf(body.length()));
        } finally {
            GatewayHarness.await(vertx.close());
        }
    }

    /** With the windows that HTTP/2 begins with, all uploads of a connection get 64 KiB a round trip together. */
    @Test
    void uploadsFromFarAwayGetMuchMoreThanTheFirstWindowARoundTrip() throws Exception {
        Vertx vertx = Vertx.vertx();
        try (TestNode stalling = stalling();
                TestNode reading = reading();
                LongPath path = new LongPath(port(), ROUND_TRIP_MILLIS / 2)) {
            gateway().apply(config(stalling, reading));
            HttpClientAgent client = oneConnection(vertx);
            stall(client, path.port());
            // Behind all that the stalled ones could still send.
            GatewayHarness.await(upload(client, path.port(), Buffer.buffer("first")));
            Buffer body = Buffer.buffer(new byte[4 * 1024 * 1024]);
            assertThat(mostUnderWay(client, path, body, 1)).isGreaterThan(2 * FIRST_WINDOW_BYTES);
            assertThat(mostUnderWay(client, path, body, 8)).isGreaterThan(6 * FIRST_WINDOW_BYTES);
        } finally {
            GatewayHarness.await(vertx.close());
        }
    }

    @Test
    void anUploadFromFarAwayGetsWhatItsReaderTakes() throws Exception {
        Vertx vertx = Vertx.vertx();
        try (TestNode reading = reading();
                LongPath path = new LongPath(port(), ROUND_TRIP_MILLIS / 2)) {
            gateway().apply(forwarding(reading.url()));
            HttpClientAgent client = oneConnection(vertx);
            GatewayHarness.await(upload(client, path.port(), Buffer.buffer("first")));
            Buffer body = Buffer.buffer(new byte[64 * MIB]);
            assertThat(mostUnderWay(client, path, body, 1)).isGreaterThan(2L * MIB);
        } finally {
            GatewayHarness.await(vertx.close());
        }
    }

    /** Their windows have grown by then, and what a client was told of cannot be taken back. */
    @Test
    void uploadsThatStallAfterTheirWindowsHaveGrownHoldNoMoreThanIsLent() throws Exception {
        int uploads = 16;
        Vertx vertx = Vertx.vertx();
        CountDownLatch stalled = new CountDownLatch(uploads);
        try (TestNode node = TestNode.startHeadsOnly((request, connection) -> {
                    long left = 8L * MIB;
                    byte[] buffer = new byte[64 * 1024];
                    while (left > 0) {
                        left -= connection.in().read(buffer);
                    }
                    stalled.countDown();
                    Thread.sleep(60_000);
                });
                LongPath path = new LongPath(port(), ROUND_TRIP_MILLIS / 2)) {
            gateway().apply(forwarding(node.url()));
            HttpClientAgent client = oneConnection(vertx);
            for (int i = 0; i < uploads; i++) {
                HttpClientRequest request =
                        GatewayHarness.await(client.request(HttpMethod.POST, path.port(), "localhost", "/"));
                request.setChunked(true);
                for (int piece = 0; piece < 24 * MIB / PIECE_BYTES; piece++) {
                    request.write(ZEROS);
                }
            }
            assertThat(stalled.await(120, TimeUnit.SECONDS)).isTrue();
            // What was under way has come.
            Thread.sleep(20 * ROUND_TRIP_MILLIS);
            double held = gateway().metric("sigma_held_bytes");
            assertThat(held).as("their windows have grown").isGreaterThan(8.0 * MIB);
            // Beside what the window bounds: a part of a frame, what waits for the node, and what each piece costs.
            long lent = 16L * MIB;
            long first = uploads * 256L * 1024;
            assertThat((long) held).isLessThan((lent + first) * 5 / 4);
        } finally {
            GatewayHarness.await(vertx.close());
        }
    }

    /** Returns the most that was under way at a time: not by the clock, which other work on the machine slows. */
    private static long mostUnderWay(HttpClientAgent client, LongPath path, Buffer body, int uploads) {
        path.forgetPeak();
        List<Future<String>> answers = new ArrayList<>();
        for (int i = 0; i < uploads; i++) {
            answers.add(upload(client, path.port(), body));
        }
        for (Future<String> answer : answers) {
            assertThat(GatewayHarness.await(answer)).isEqualTo(String.valueOf(body.length()));
        }
        return path.peak();
    }
}
