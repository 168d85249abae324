package io.sigma.dataplane.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.Http2Node;
import io.sigma.dataplane.testkit.PipelineContract;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.TestTls;
import io.sigma.identity.Pem;
import io.sigma.model.ClientTls;
import io.sigma.model.HealthCheck;
import io.sigma.model.NodeProtocol;
import io.sigma.snapshot.ResourceType;
import io.vertx.core.http.HttpVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Nodes whose names have an underscore, as those of containers (RFC 3986 §3.2.2: a registered name). */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class UnderscoredHostTest extends PipelineContract {

    @ParameterizedTest
    @EnumSource
    void nodeIsReachedByItsName(Pipeline way) throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(through(way, "http://My_Node:" + node.port() + "/base"));
            assertThat(send(way, "GET", "/a").text()).isEqualTo("ok");
            assertThat(node.last().target()).isEqualTo("/base/a");
            gateway()
                    .apply(through(way, "http://my_node:" + node.port())
                            .with(
                                    ResourceType.PROXY_PASS,
                                    "pass",
                                    pass -> pass.toBuilder().preserveHost(false).build()));
            send(way, "GET", "/a");
            assertThat(node.last().field("host")).isEqualTo("my_node:" + node.port());
        }
    }

    /**
     * No authority certifies a name with an underscore, and the JDK compares none, so {@code serverName} says another
     * one.
     */
    @Test
    void nodeIsReachedOnTls() throws Exception {
        TestTls tls = TestTls.create("my_node", "localhost");
        try (Http2Node http2 = Http2Node.startTls(
                        tls,
                        folder,
                        HttpVersion.HTTP_2,
                        request -> request.response().end("h2"));
                TestNode http1 = TestNode.startTls(tls.context(), (request, connection) -> connection.ok("h1"))) {
            String port = http2.url().substring(http2.url().lastIndexOf(':') + 1);
            gateway().apply(encrypted("https://my_node:" + port, NodeProtocol.AUTO, tls));
            assertThat(send(Pipeline.HTTP1, "GET", "/").text()).isEqualTo("h2");
            gateway().apply(encrypted("https://my_node:" + http1.port(), NodeProtocol.HTTP1, tls));
            assertThat(send(Pipeline.HTTP1, "GET", "/").text()).isEqualTo("h1");
        }
    }

    private Config encrypted(String url, NodeProtocol protocol, TestTls tls) {
        return forwarding(url)
                .with(
                        ResourceType.UPSTREAM,
                        "nodes",
                        upstream -> upstream.toBuilder()
                                .protocol(protocol)
                                .tls(ClientTls.builder()
                                        .ca(Pem.of(tls.certificate()))
                                        .serverName("localhost")
                                        .build())
                                .build());
    }

    @Test
    void nodeIsCheckedByItsName() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway()
                    .apply(forwarding("http://my_node:" + node.port())
                            .with(
                                    ResourceType.UPSTREAM,
                                    "nodes",
                                    upstream -> upstream.toBuilder()
                                            .healthCheck(HealthCheck.builder()
                                                    .path("/up")
                                                    .intervalMillis(100)
                                                    .build())
                                            .build()));
            GatewayHarness.eventually(() -> node.received().stream()
                    .anyMatch(request -> request.target().equals("/up")
                            && ("my_node:" + node.port()).equals(request.field("host"))));
            assertThat(send(Pipeline.HTTP1, "GET", "/").text()).isEqualTo("ok");
        }
    }
}
