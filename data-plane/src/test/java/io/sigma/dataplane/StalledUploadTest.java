package io.sigma.dataplane;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import org.junit.jupiter.api.Test;

/** One upload that its node does not take stops no other upload of the connection. */
final class StalledUploadTest extends EngineContract {

    @Test
    void uploadsOfOneConnectionDoNotStallEachOther() throws Exception {
        Vertx vertx = Vertx.vertx();
        try (TestNode stalling = TestNode.startHeadsOnly((request, connection) -> Thread.sleep(60_000));
                TestNode reading =
                        TestNode.start((request, connection) -> connection.ok(String.valueOf(request.body().length)))) {
            gateway()
                    .apply(forwarding(reading.url())
                            .upstream("stalls", stalling.url())
                            .pass("to-stalls", "stalls")
                            .route("stalling", "all", "/stall", "to-stalls"));
            HttpClientAgent client = GatewayHarness.keep(vertx.createHttpClient(
                    new HttpClientOptions()
                            .setProtocolVersion(HttpVersion.HTTP_2)
                            .setHttp2ClearTextUpgrade(false),
                    new PoolOptions().setHttp2MaxSize(1)));
            for (int i = 0; i < 8; i++) {
                HttpClientRequest stalled =
                        GatewayHarness.await(client.request(HttpMethod.POST, port(), "localhost", "/stall"));
                stalled.setChunked(true);
                // More than the kernel and the gateway take for the node, so that the rest of its window is used up.
                for (int piece = 0; piece < 300; piece++) {
                    stalled.write(Buffer.buffer(new byte[64 * 1024]));
                }
            }
            Buffer body = Buffer.buffer(new byte[3 * 1024 * 1024]);
            String length = GatewayHarness.await(client.request(HttpMethod.POST, port(), "localhost", "/")
                    .compose(request -> request.send(body).compose(HttpClientResponse::body))
                    .map(Buffer::toString));
            assertThat(length).isEqualTo(String.valueOf(body.length()));
        } finally {
            GatewayHarness.await(vertx.close());
        }
    }
}
