package io.sigma.dataplane.http2;

import static io.sigma.dataplane.testkit.GatewayHarness.await;

import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.Http2Node;
import io.sigma.dataplane.testkit.TestSettings;
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
import io.vertx.core.http.HttpVersion;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A client and a node that both speak HTTP/2 to the gateway. */
abstract class Http2UpstreamContract extends EngineContract {

    Vertx vertx;

    HttpClientAgent client;

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

    Config http2(Http2Node node) {
        return http2(node, UnaryOperator.identity());
    }

    Config http2(Http2Node node, UnaryOperator<Pool> pool) {
        return forwarding(node.url())
                .with(
                        ResourceType.UPSTREAM,
                        "nodes",
                        upstream -> upstream.toBuilder()
                                .protocol(NodeProtocol.HTTP2)
                                .pool(pool.apply(upstream.pool()))
                                .build());
    }

    Future<HttpClientRequest> request(HttpMethod method, String target) {
        return client.request(method, port(), "localhost", target);
    }

    Future<String> text(String target) {
        return request(HttpMethod.GET, target)
                .compose(request -> request.send().compose(HttpClientResponse::body))
                .map(Buffer::toString);
    }
}
