package io.sigma.dataplane.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.PluginContract;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.RawHttp2;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.json.Json;
import io.sigma.model.FaultAbort;
import io.sigma.model.FaultDelay;
import io.sigma.model.FaultInjectionPlugin;
import io.sigma.model.Plugins;
import io.sigma.model.ServerLimits;
import io.sigma.snapshot.ResourceType;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class FaultInjectionTest extends PluginContract {

    private Config fault(TestNode node, FaultInjectionPlugin.Builder plugin) {
        return withPlugins(node.url(), Plugins.builder().faultInjection(plugin.build()));
    }

    @Test
    void everyRequestIsAborted() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway()
                    .apply(fault(
                            node,
                            FaultInjectionPlugin.builder()
                                    .abort(FaultAbort.builder().status(503).build())));
            assertThat(get("/").status()).isEqualTo(503);
            assertThat(get("/").text()).isEqualTo("Fault injected.\n");
            assertThat(node.received()).isEmpty();
        }
    }

    @Test
    void aShareOfTheRequestsIsAborted() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway()
                    .apply(fault(
                            node,
                            FaultInjectionPlugin.builder()
                                    .abort(FaultAbort.builder()
                                            .status(500)
                                            .percentage(50)
                                            .build())));
            int aborted = 0;
            int requests = 200;
            for (int i = 0; i < requests; i++) {
                aborted += get("/").status() == 500 ? 1 : 0;
            }
            // Twelve standard deviations.
            assertThat(aborted).isBetween(15, 185);
            assertThat(node.received()).hasSize(requests - aborted);
        }
    }

    @Test
    void requestThatFailsWhenItGoesOnIsAnswered() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            JsonNode failing = Json.read("{\"how\":\"request\"}", JsonNode.class);
            gateway()
                    .apply(withPlugins(
                            node.url(),
                            Plugins.builder()
                                    .faultInjection(FaultInjectionPlugin.builder()
                                            .delay(FaultDelay.builder()
                                                    .millis(10)
                                                    .build())
                                            .build())
                                    .extensions(Map.of("failing", failing))));
            assertThat(get("/").status()).isEqualTo(500);
            assertThat(get("/").status()).isEqualTo(500);
            assertThat(node.received()).isEmpty();
        }
    }

    @Test
    void requestIsDelayedAndThenGoesOn() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway()
                    .apply(fault(
                            node,
                            FaultInjectionPlugin.builder()
                                    .delay(FaultDelay.builder().millis(150).build())));
            long start = System.nanoTime();
            assertThat(get("/").text()).isEqualTo("ok");
            assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(150_000_000L);
        }
    }

    @Test
    void nothingHappensAtNoPercent() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway()
                    .apply(fault(
                            node,
                            FaultInjectionPlugin.builder()
                                    .abort(FaultAbort.builder()
                                            .status(503)
                                            .percentage(0)
                                            .build())));
            assertThat(get("/").status()).isEqualTo(200);
        }
    }

    @Test
    void clientThatLeavesDuringTheDelayIsForgotten() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway()
                    .apply(fault(
                            node,
                            FaultInjectionPlugin.builder()
                                    .delay(FaultDelay.builder().millis(200).build())));
            try (RawClient client = RawClient.connect(port())) {
                client.send("GET /left HTTP/1.1\r\nHost: a\r\n\r\n");
                TimeUnit.MILLISECONDS.sleep(50);
                client.reset();
            }
            assertThat(get("/stayed").text()).isEqualTo("ok");
            assertThat(node.received()).extracting(TestNode.Received::target).containsExactly("/stayed");
        }
    }

    /** The answer waits for its reader, so the request is not over when the delay is. */
    @Test
    void requestThatIsAnsweredDuringItsDelayGoesNowhere() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            Config delayed = fault(
                            node,
                            FaultInjectionPlugin.builder()
                                    .delay(FaultDelay.builder().millis(300).build()))
                    .with(
                            ResourceType.PROXY_SERVER,
                            "web",
                            server -> server.toBuilder()
                                    .limits(ServerLimits.builder()
                                            .bodyBytesMax(1_000L)
                                            .build())
                                    .build());
            gateway().apply(delayed);
            try (RawHttp2 client = RawHttp2.connect(port())) {
                // SETTINGS_INITIAL_WINDOW_SIZE is 0.
                client.send(RawHttp2.SETTINGS, 0, 0, (byte) 0, (byte) 4, (byte) 0, (byte) 0, (byte) 0, (byte) 0);
                client.send(
                        RawHttp2.HEADERS,
                        RawHttp2.END_HEADERS,
                        1,
                        RawHttp2.fields(":method", "POST", ":scheme", "http", ":path", "/", ":authority", "a"));
                client.send(RawHttp2.DATA, 0, 1, new byte[2_000]);
                assertThat(client.status(client.next())).isEqualTo("413");
                Thread.sleep(900);
                assertThat(node.received()).isEmpty();
                assertThat(node.accepted()).isZero();
            }
        }
    }
}
