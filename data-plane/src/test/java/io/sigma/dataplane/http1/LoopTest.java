package io.sigma.dataplane.http1;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.PipelineContract;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.model.ClientTls;
import io.sigma.model.ForwardedHeaders;
import io.sigma.model.NodeProtocol;
import io.sigma.snapshot.ResourceType;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Requests that come back to the gateway that sent them (RFC 8586). */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class LoopTest extends PipelineContract {

    private static Config unforwarded(Config config) {
        return config.with(
                ResourceType.ROUTER,
                "all",
                router -> router.toBuilder()
                        .forwardedHeaders(ForwardedHeaders.NONE)
                        .build());
    }

    @ParameterizedTest
    @EnumSource
    void listenerThatIsItsOwnNodeAnswers508(Pipeline way) throws Exception {
        String url = (way.tls ? "https" : "http") + "://127.0.0.1:" + port();
        for (NodeProtocol protocol : new NodeProtocol[] {NodeProtocol.HTTP1, NodeProtocol.AUTO}) {
            gateway()
                    .apply(unforwarded(through(way, url))
                            .with(
                                    ResourceType.UPSTREAM,
                                    "nodes",
                                    upstream -> upstream.toBuilder()
                                            .protocol(protocol)
                                            .tls(ClientTls.builder()
                                                    .verify(false)
                                                    .build())
                                            .build()));
            RawClient.Answer answer = send(way, "GET", "/");
            assertThat(answer.status()).isEqualTo(508);
            assertThat(send(way, "POST", "/a").status()).isEqualTo(508);
        }
    }

    /** Whoever sends on what it got leads there, too, and is asked twice only. */
    @Test
    void loopThroughAnotherProxyEnds() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        try (TestNode proxy = TestNode.start((request, connection) -> {
            asked.incrementAndGet();
            RawClient.Answer answer = exchange(
                    "GET /x" + request.target() + " HTTP/1.1\r\n" + String.join("\r\n", request.fields()) + "\r\n\r\n");
            connection.send("HTTP/1.1 " + answer.status() + " x\r\nContent-Length: 0\r\n\r\n");
        })) {
            gateway().apply(forwarding(proxy.url()));
            assertThat(exchange("GET / HTTP/1.1\r\nHost: a\r\n\r\n").status()).isEqualTo(508);
            assertThat(asked).hasValue(2);
            assertThat(exchange("GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
                            .status())
                    .isEqualTo(508);
        }
    }

    @Test
    void gatewayBehindAnotherRouteOfItsOwnIsNoLoop() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway()
                    .apply(forwarding("http://127.0.0.1:" + port())
                            .route("inner", "all", "/inner/*", "inner")
                            .pass("inner", "inner")
                            .upstream("inner", node.url())
                            .with(
                                    ResourceType.PROXY_PASS,
                                    "pass",
                                    pass -> pass.toBuilder().addPrefix("/inner").build()));
            assertThat(exchange("GET /a HTTP/1.1\r\nHost: a\r\n\r\n").text()).isEqualTo("ok");
            assertThat(node.last().target()).isEqualTo("/inner/a");
            assertThat(node.last().all("cdn-loop")).hasSize(1);
            assertThat(node.last().field("cdn-loop")).matches("sigma-\\w+, sigma-\\w+");
        }
    }

    @Test
    void marksOfOthersAreKeptAndCountForNothing() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(forwarding(node.url()));
            exchange(
                    "GET / HTTP/1.1\r\nHost: a\r\nCDN-Loop: foo.example; v=1\r\nCDN-Loop: sigma-1, sigma-1, sigma-1\r\n\r\n");
            assertThat(node.last().field("cdn-loop")).startsWith("foo.example; v=1, sigma-1, sigma-1, sigma-1, sigma-");
        }
    }

    @Test
    void connectionCannotTakeTheMarkAway() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(forwarding(node.url()));
            exchange("GET / HTTP/1.1\r\nHost: a\r\nConnection: CDN-Loop\r\nCDN-Loop: foo\r\n\r\n");
            assertThat(node.last().field("cdn-loop")).matches("sigma-\\w+");
        }
    }
}
