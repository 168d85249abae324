package io.sigma.dataplane.http2;

import static io.sigma.dataplane.testkit.GatewayHarness.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.Http2Node;
import io.sigma.snapshot.ResourceType;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients of gRPC are told the gateway's failures as statuses of gRPC, in a response that is over with its head. */
final class GrpcErrorTest extends EngineContract {

    private static final String UNAVAILABLE = "14";
    private static final String UNIMPLEMENTED = "12";
    private static final String DEADLINE_EXCEEDED = "4";

    private HttpClientResponse call(String contentType, String timeout) {
        Vertx vertx = Vertx.vertx();
        try {
            HttpClientAgent client = GatewayHarness.keep(vertx.createHttpClient(new HttpClientOptions()
                    .setProtocolVersion(HttpVersion.HTTP_2)
                    .setHttp2ClearTextUpgrade(false)));
            HttpClientResponse answer = await(client.request(HttpMethod.POST, port(), "localhost", "/shop.Cart/Add")
                    .compose(request -> request.putHeader("content-type", contentType)
                            .putHeader("te", "trailers")
                            .putHeader("grpc-timeout", timeout)
                            .send(Buffer.buffer(new byte[5]))
                            .compose(response -> response.body().map(body -> {
                                assertThat(body.length()).isZero();
                                return response;
                            }))));
            await(client.close());
            return answer;
        } finally {
            await(vertx.close());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/grpc", "application/grpc+proto", "application/grpc; charset=utf-8"})
    void unreachableNodeIsUnavailable(String contentType) {
        gateway().apply(forwarding("http://127.0.0.1:" + Config.freePort()));
        HttpClientResponse response = call(contentType, "20S");
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.getHeader("content-type")).isEqualTo("application/grpc");
        assertThat(response.getHeader("grpc-status")).isEqualTo(UNAVAILABLE);
        assertThat(response.getHeader("grpc-message")).isEqualTo("No node of the upstream could be reached.");
    }

    @Test
    void unknownPathIsUnimplemented() {
        gateway()
                .apply(forwarding("http://127.0.0.1:1")
                        .with(
                                ResourceType.ROUTE,
                                "any",
                                route -> route.toBuilder().path("/other").build()));
        assertThat(call("application/grpc", "20S").getHeader("grpc-status")).isEqualTo(UNIMPLEMENTED);
    }

    @Test
    void deadlineOfTheCallIsKept() {
        try (Http2Node node =
                Http2Node.start(request -> assertThat(request.getHeader("te")).isEqualTo("trailers"))) {
            gateway().apply(forwarding(node.url()).overHttp2());
            assertThat(call("application/grpc", "200m").getHeader("grpc-status"))
                    .isEqualTo(DEADLINE_EXCEEDED);
        }
    }
}
