package io.sigma.dataplane.observe;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.TestSettings;
import io.sigma.json.Json;
import io.sigma.model.AccessLogPlugin;
import io.sigma.model.Plugins;
import io.sigma.model.ServerLimits;
import io.sigma.snapshot.ResourceType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Errors, access log and metrics. */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class ObservationTest extends EngineContract {

    @Override
    protected GatewaySettings settings(Path dataDir) {
        return TestSettings.of(dataDir)
                .accessLog(log().toString(), 1024)
                .metricSeriesMax(3)
                .build();
    }

    private Path log() {
        return folder.resolve("access.log");
    }

    private List<String> lines() {
        try {
            return Files.readAllLines(log(), StandardCharsets.US_ASCII);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private JsonNode line(int index) {
        GatewayHarness.eventually(() -> lines().size() > index);
        return Json.read(lines().get(index), JsonNode.class);
    }

    private String metrics() throws IOException {
        return RawClient.get(gateway().gateway().telemetryPort(), "localhost", "/metrics")
                .text();
    }

    // --- Errors

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | text/plain; charset=utf-8",
                "*/* | text/plain; charset=utf-8",
                "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8 | text/html; charset=utf-8",
                "application/json | application/problem+json",
                "text/html;q=0.5, application/problem+json | application/problem+json",
                "image/png | text/plain; charset=utf-8"
            })
    void errorIsTheKindThatTheClientPrefers(String accept, String contentType) throws Exception {
        gateway().apply(new Config().server("web", port()));
        RawClient.Answer answer = exchange("GET /<script> HTTP/1.1\r\nHost: a\r\n"
                + (accept.isEmpty() ? "" : "Accept: " + accept + "\r\n") + "\r\n");
        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.field("content-type")).isEqualTo(contentType);
        assertThat(answer.text()).contains("Not Found").doesNotContain("<script>");
        if (contentType.contains("json")) {
            assertThat(Json.read(answer.text(), JsonNode.class).path("status").asInt())
                    .isEqualTo(404);
        }
    }

    // --- Access log

    @Test
    void pathIsLoggedInTheFormInWhichItWasMatched() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            Config config = forwarding(node.url());
            gateway().apply(config);
            get("/a//b/../%63");
            assertThat(line(0).path("path").asText()).isEqualTo("/a/c");
            gateway()
                    .apply(config.with(
                            ResourceType.ROUTER,
                            "all",
                            router -> router.toBuilder().mergeSlashes(false).build()));
            get("/a//b/../%63");
            assertThat(line(1).path("path").asText()).isEqualTo("/a//c");
            assertThat(node.last().target()).isEqualTo("/a//c");
        }
    }

    @Test
    void exchangeIsLoggedOnceWithEverythingThatIsKnownOfIt() throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> connection.ok("hello"))) {
            gateway().apply(forwarding(node.url()));
            exchange("POST /a/../b?q=1 HTTP/1.1\r\nHost: A.example.com\r\nUser-Agent: test/1\r\n"
                    + "Content-Length: 3\r\n\r\nabc");
            JsonNode line = line(0);
            assertThat(line.path("proxyServer").asText()).isEqualTo("web");
            assertThat(line.path("router").asText()).isEqualTo("all");
            assertThat(line.path("route").asText()).isEqualTo("any");
            assertThat(line.path("proxyPass").asText()).isEqualTo("pass");
            assertThat(line.path("upstream").asText()).isEqualTo("nodes");
            assertThat(line.path("node").asText()).isEqualTo(node.url());
            assertThat(line.path("method").asText()).isEqualTo("POST");
            assertThat(line.path("host").asText()).isEqualTo("a.example.com");
            assertThat(line.path("path").asText()).isEqualTo("/b");
            assertThat(line.path("protocol").asText()).isEqualTo("HTTP/1.1");
            assertThat(line.path("status").asInt()).isEqualTo(200);
            assertThat(line.path("bytesIn").asInt()).isEqualTo(3);
            assertThat(line.path("bytesOut").asInt()).isEqualTo(5);
            assertThat(line.path("userAgent").asText()).isEqualTo("test/1");
            assertThat(line.path("remoteAddress").asText()).isEqualTo("127.0.0.1");
            assertThat(line.path("durationMicros").asLong()).isPositive();
            assertThat(line.path("upstreamConnectMicros").asLong()).isPositive();
            assertThat(line.path("upstreamFirstByteMicros").asLong()).isPositive();
            assertThat(line.path("error").isMissingNode()).isTrue();
            assertThat(lines()).hasSize(1);
        }
    }

    @Test
    void exchangesThatFailAreLoggedOnceWithTheReason() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        try (TestNode node = TestNode.start((request, connection) -> {
            asked.countDown();
            done.await(20, TimeUnit.SECONDS);
        })) {
            gateway()
                    .apply(forwarding(node.url())
                            .upstream("dead", "http://127.0.0.1:" + Config.freePort())
                            .pass("dead", "dead")
                            .route("dead", "all", "/dead", "dead"));
            assertThat(get("/dead").status()).isEqualTo(502);
            assertThat(line(0).path("error").asText()).isEqualTo("connect_failed");
            assertThat(exchange("GET /%00 HTTP/1.1\r\nHost: a\r\n\r\n").status())
                    .isEqualTo(400);
            assertThat(line(1).path("error").asText()).isEqualTo("bad_request");
            RawClient leaving = RawClient.connect(port());
            leaving.send("GET /left HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(asked.await(10, TimeUnit.SECONDS)).isTrue();
            leaving.socket().setSoLinger(true, 0);
            leaving.close();
            assertThat(line(2).path("error").asText()).isEqualTo("client_aborted");
            assertThat(line(2).path("status").asInt()).isEqualTo(499);
            done.countDown();
            assertThat(lines()).hasSize(3);
        }
    }

    @Test
    void everyRefusedRequestIsLoggedOnce() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway()
                    .apply(forwarding(node.url())
                            .with(
                                    ResourceType.PROXY_SERVER,
                                    "web",
                                    server -> server.toBuilder()
                                            .limits(ServerLimits.builder()
                                                    .headBytesMax(2048)
                                                    .targetBytesMax(512)
                                                    .bodyBytesMax(10L)
                                                    .headTimeoutMillis(300)
                                                    .bodyBytesPerSecondMin(1000)
                                                    .bodyRatePeriodMillis(300)
                                                    .build())
                                            .build()));
            String te = "Transfer-Encoding: chunked\r\n";
            Map<String, Integer> refused = new LinkedHashMap<>();
            refused.put("GET / HTTP/1.1\r\nHost: a\r\nX: 1\r\n 2\r\n\r\n", 400);
            refused.put("GET /%00 HTTP/1.1\r\nHost: a\r\n\r\n", 400);
            refused.put("POST / HTTP/1.1\r\nHost: a\r\n" + te + "\r\nzz\r\n", 400);
            refused.put("TRACE / HTTP/1.1\r\nHost: a\r\n\r\n", 405);
            refused.put("GET / HTTP/1.1\r\nHost: a\r\nX: ", 408);
            refused.put("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nslow", 408);
            refused.put("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\n\r\n", 413);
            refused.put("POST / HTTP/1.1\r\nHost: a\r\n" + te + "\r\nb\r\n01234567890\r\n", 413);
            refused.put("GET /" + "a".repeat(600) + " HTTP/1.1\r\nHost: a\r\n\r\n", 414);
            refused.put("GET / HTTP/1.1\r\nHost: a\r\nExpect: tea\r\n\r\n", 417);
            refused.put("GET / HTTP/1.1\r\nHost: a\r\nX: " + "a".repeat(4000) + "\r\n\r\n", 431);
            refused.put("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501);
            refused.put("GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505);
            int index = 0;
            for (Map.Entry<String, Integer> request : refused.entrySet()) {
                assertThat(exchange(request.getKey()).status()).isEqualTo(request.getValue());
                JsonNode line = line(index++);
                assertThat(line.path("status").asInt()).as(request.getKey()).isEqualTo(request.getValue());
                assertThat(line.path("error").asText()).as(request.getKey()).isNotEmpty();
            }
            get("/last");
            assertThat(line(index).path("path").asText()).isEqualTo("/last");
            assertThat(lines()).hasSize(refused.size() + 1);
        }
    }

    @Test
    void nothingThatAClientSendsBreaksALine() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(forwarding(node.url()));
            exchange("GET /a%0d%0ab HTTP/1.1\r\nHost: a\r\nUser-Agent: \"\u001b[31m\\\t\u00ff\u0080\r\n\r\n");
            get("/");
            GatewayHarness.eventually(() -> lines().size() == 2);
            for (String line : lines()) {
                assertThat(line.chars()).allMatch(c -> c >= ' ' && c < 0x7f);
                assertThat(Json.read(line, JsonNode.class).path("status").isMissingNode())
                        .isFalse();
            }
        }
    }

    @Test
    void logIsSwitchedOffByThePlugin() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway()
                    .apply(forwarding(node.url())
                            .route("quiet", "all", "/quiet", "pass")
                            .with(
                                    ResourceType.ROUTE,
                                    "quiet",
                                    route -> route.toBuilder()
                                            .plugins(Plugins.builder()
                                                    .accessLog(AccessLogPlugin.builder()
                                                            .enabled(false)
                                                            .build())
                                                    .build())
                                            .build()));
            get("/quiet");
            get("/loud");
            assertThat(line(0).path("path").asText()).isEqualTo("/loud");
            assertThat(lines()).hasSize(1);
        }
    }

    // --- Metrics

    @Test
    void metricsCountByRouteUpstreamAndOutcome() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway()
                    .apply(forwarding(node.url())
                            .upstream("dead", "http://127.0.0.1:" + Config.freePort())
                            .pass("dead", "dead")
                            .route("dead", "all", "/dead", "dead")
                            .with(
                                    ResourceType.ROUTE,
                                    "any",
                                    route -> route.toBuilder().path("/ok/*").build()));
            get("/ok/1");
            get("/ok/2");
            get("/dead");
            get("/nowhere");
            GatewayHarness.eventually(() -> lines().size() == 4);
            assertThat(metrics())
                    .contains("sigma_requests_total{proxy_server=\"web\",route=\"any\",status=\"2xx\"} 2.0")
                    .contains("sigma_requests_total{proxy_server=\"web\",route=\"dead\",status=\"5xx\"} 1.0")
                    .contains("sigma_requests_total{proxy_server=\"web\",route=\"none\",status=\"4xx\"} 1.0")
                    .contains("sigma_upstream_requests_total{outcome=\"answered\",upstream=\"nodes\"} 2.0")
                    .contains("sigma_upstream_requests_total{outcome=\"connect_failed\",upstream=\"dead\"} 1.0")
                    .contains("sigma_request_duration_seconds_bucket{proxy_server=\"web\",le=\"0.25\"}")
                    .contains("sigma_request_duration_seconds_count{proxy_server=\"web\"} 4")
                    .contains("sigma_requests_active{proxy_server=\"web\"} 0.0")
                    .contains("sigma_config_revision 1.0")
                    .contains("sigma_access_log_shed_total 0.0");
        }
    }

    @Test
    void removedRoutesMakeRoomForTheSeriesOfOthers() throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> connection.ok("hi"))) {
            Config config = forwarding(node.url());
            Config many = config.copy();
            for (int i = 0; i < 5; i++) {
                many.route("r" + i, "all", "/r" + i, "pass");
            }
            gateway().apply(many);
            gateway().apply(config);
            gateway().apply(config.copy().route("new", "all", "/new", "pass"));
            assertThat(get("/new").status()).isEqualTo(200);
            assertThat(metrics().lines()).anyMatch(line -> line.contains("route=\"new\""));
        }
    }

    @Test
    void seriesBeyondTheBoundShareOneLabel() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            Config config = forwarding(node.url());
            for (int i = 0; i < 20; i++) {
                config.route("r" + i, "all", "/r" + i, "pass");
            }
            gateway().apply(config);
            for (int i = 0; i < 20; i++) {
                get("/r" + i);
            }
            GatewayHarness.eventually(() -> lines().size() == 20);
            assertThat(metrics().lines().filter(line -> line.startsWith("sigma_requests_total")))
                    .hasSizeLessThanOrEqualTo(5)
                    .anyMatch(line -> line.contains("route=\"other\""));
        }
    }
}
