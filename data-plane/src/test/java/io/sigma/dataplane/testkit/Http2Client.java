package io.sigma.dataplane.testkit;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import org.jspecify.annotations.Nullable;

/** HTTP/2 without TLS and without an upgrade. */
public final class Http2Client {

    public record Answer(int status, String body) {}

    private Http2Client() {}

    /**
     * @param fields names and values
     */
    public static Answer exchange(int port, String method, String target, @Nullable String body, String... fields) {
        Vertx vertx = Vertx.vertx();
        try {
            HttpClientAgent client = GatewayHarness.keep(vertx.createHttpClient(new HttpClientOptions()
                    .setProtocolVersion(HttpVersion.HTTP_2)
                    .setHttp2ClearTextUpgrade(false)));
            return GatewayHarness.await(client.request(HttpMethod.valueOf(method), port, "localhost", target)
                    .map(request -> {
                        for (int i = 0; i < fields.length; i += 2) {
                            request.putHeader(fields[i], fields[i + 1]);
                        }
                        return request;
                    })
                    // Within: who asks for the body from another thread may come after it, and waits for ever.
                    .compose(request -> (body == null ? request.send() : request.send(Buffer.buffer(body)))
                            .compose(response -> response.body()
                                    .map(received -> new Answer(response.statusCode(), received.toString())))));
        } finally {
            GatewayHarness.await(vertx.close());
        }
    }
}
