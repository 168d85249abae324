package io.sigma.dataplane.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.PluginContract;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.model.Plugins;
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
