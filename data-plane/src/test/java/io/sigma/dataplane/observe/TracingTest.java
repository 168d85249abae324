package io.sigma.dataplane.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.PluginContract;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.model.Plugins;
import io.sigma.model.ProxyPass;
import io.sigma.model.TracingPlugin;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class TracingTest extends PluginContract {

    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String PARENT = "00f067aa0ba902b7";

    private Config tracing(TestNode node, TracingPlugin.Builder plugin) {
        return withPlugins(node.url(), Plugins.builder().tracing(plugin.build()));
    }

    @Test
    void traceOfTheClientGoesOnAndTheCollectorIsTold() throws Exception {
        try (TestNode node = TestNode.named("ok");
                TestNode collector = TestNode.start((request, connection) -> connection.ok(""))) {
            gateway()
                    .apply(tracing(
                            node,
                            TracingPlugin.builder().serviceName("the shop").endpoint(collector.url() + "/v1/traces")));
            send("GET", "/a", "traceparent: 00-" + TRACE + "-" + PARENT + "-01\r\ntracestate: vendor=1\r\n");
            TestNode.Received request = node.received().getFirst();
            assertThat(request.all("traceparent")).hasSize(1);
            assertThat(request.field("traceparent"))
                    .startsWith("00-" + TRACE + "-")
                    .endsWith("-01")
                    .doesNotContain(PARENT);
            assertThat(request.field("tracestate")).isEqualTo("vendor=1");
            GatewayHarness.eventually(() -> !collector.received().isEmpty());
            TestNode.Received export = collector.received().getFirst();
            assertThat(export.line()).startsWith("POST /v1/traces ");
            assertThat(export.field("content-type")).isEqualTo("application/x-protobuf");
            String body = new String(export.body(), StandardCharsets.ISO_8859_1);
            assertThat(body).contains("the shop", "GET any", "http.response.status_code", "/a");
            byte[] trace = java.util.HexFormat.of().parseHex(TRACE);
            assertThat(body).contains(new String(trace, StandardCharsets.ISO_8859_1));
        }
    }

    /** Thousands of spans wait while a collector is slow. */
    @Test
    void longTextsOfClientsAreCutInSpans() throws Exception {
        try (TestNode node = TestNode.named("ok");
                TestNode collector = TestNode.start((request, connection) -> connection.ok(""))) {
            gateway().apply(tracing(node, TracingPlugin.builder().endpoint(collector.url() + "/v1/traces")));
            String state = "v=" + "s".repeat(100);
            String path = "/" + "p".repeat(5_000);
            send(
                    "GET",
                    path,
                    "traceparent: 00-" + TRACE + "-" + PARENT + "-01\r\ntracestate: x=" + "l".repeat(200) + ","
                            + String.join(",", state, "a" + state, "b" + state, "c" + state, "d" + state) + "\r\n");
            TestNode.Received request = node.received().getFirst();
            assertThat(request.target()).isEqualTo(path);
            assertThat(request.field("tracestate")).startsWith(state + ",a").endsWith("c" + state);
            GatewayHarness.eventually(() -> !collector.received().isEmpty());
            String body = new String(collector.received().getFirst().body(), StandardCharsets.ISO_8859_1);
            assertThat(body).contains("p".repeat(511)).doesNotContain("p".repeat(512));
        }
    }

    /** The address rules judge the collector, not where it points to. */
    @Test
    void redirectsOfACollectorAreNotFollowed() throws Exception {
        try (TestNode node = TestNode.named("ok");
                TestNode elsewhere = TestNode.named("elsewhere");
                TestNode collector = TestNode.start(
                        (request, connection) -> connection.send("HTTP/1.1 307 Temporary Redirect\r\nLocation: "
                                + elsewhere.url() + "/secret\r\nContent-Length: 0\r\n\r\n"))) {
            gateway().apply(tracing(node, TracingPlugin.builder().endpoint(collector.url() + "/v1/traces")));
            // Batches are sent one after the other: with the second one the first one is over.
            for (int batch = 1; batch <= 2; batch++) {
                int received = batch;
                send("GET", "/a", "");
                GatewayHarness.eventually(() -> collector.received().size() >= received);
            }
            assertThat(elsewhere.received()).isEmpty();
        }
    }

    /** However many plugins there are, and however long their collectors take to answer. */
    @Test
    void collectorsThatDoNotAnswerHoldUpNoChange() throws Exception {
        try (TestNode node = TestNode.named("ok");
                TestNode collector = TestNode.start((request, connection) -> Thread.sleep(60_000))) {
            Config all = new Config().server("web", port()).upstream("nodes", node.url());
            int plugins = 8;
            for (int i = 0; i < plugins; i++) {
                String id = "traced-" + i;
                all.router(id, "web", "h" + i + ".example.com")
                        .route(id, id, "/*", id)
                        .pass(ProxyPass.builder()
                                .id(id)
                                .upstreamId("nodes")
                                .plugins(Plugins.builder()
                                        .tracing(TracingPlugin.builder()
                                                .serviceName(id)
                                                .endpoint(collector.url() + "/v1/traces")
                                                .build())
                                        .build())
                                .build());
            }
            gateway().apply(all);
            for (int i = 0; i < plugins; i++) {
                RawClient.get(port(), "h" + i + ".example.com", "/a");
            }
            GatewayHarness.eventually(() -> collector.received().size() >= plugins);
            // One after the other would take 5 s each, longer than a change may take here.
            gateway().apply(Config.forwarding(port(), node.url()));
        }
    }

    @Test
    void traceBeginsHereWhenTheClientIsNotTrusted() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway()
                    .apply(tracing(
                            node, TracingPlugin.builder().trustIncoming(false).samplesPerMillion(0)));
            send("GET", "/a", "traceparent: 00-" + TRACE + "-" + PARENT + "-01\r\ntracestate: vendor=1\r\n");
            TestNode.Received request = node.received().getFirst();
            assertThat(request.field("traceparent"))
                    // Not sampled. The other bit says that the trace has a random number.
                    .matches("00-[0-9a-f]{32}-[0-9a-f]{16}-0[02]")
                    .doesNotContain(TRACE);
            assertThat(request.field("tracestate")).isNull();
        }
    }
}
