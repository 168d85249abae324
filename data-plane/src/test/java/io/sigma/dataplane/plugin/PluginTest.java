package io.sigma.dataplane.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.model.CorsPlugin;
import io.sigma.model.CspDirective;
import io.sigma.model.CspPlugin;
import io.sigma.model.GzipPlugin;
import io.sigma.model.Plugins;
import io.sigma.model.XFramePlugin;
import io.sigma.model.XFrameValue;
import io.sigma.snapshot.ResourceType;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/** Plugins and their levels. */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class PluginTest extends EngineContract {

    private static final String ORIGIN = "Origin: https://shop.example.com\r\n";

    private static Plugins cors(CorsPlugin cors) {
        return Plugins.builder().cors(cors).build();
    }

    private static Plugins xFrame(XFrameValue value) {
        return Plugins.builder()
                .xFrame(XFramePlugin.builder().value(value).build())
                .build();
    }

    private static String request(String method, String target, String fields) {
        return method + " " + target + " HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n";
    }

    @Test
    void mostSpecificLevelWins() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            Config config = forwarding(node.url())
                    .with(
                            ResourceType.PROXY_SERVER,
                            "web",
                            server -> server.toBuilder()
                                    .plugins(xFrame(XFrameValue.DENY))
                                    .build());
            gateway().apply(config);
            assertThat(get("/").field("x-frame-options")).isEqualTo("DENY");
            gateway()
                    .apply(config.with(
                            ResourceType.ROUTER,
                            "all",
                            router -> router.toBuilder()
                                    .plugins(xFrame(XFrameValue.SAMEORIGIN))
                                    .build()));
            assertThat(get("/").field("x-frame-options")).isEqualTo("SAMEORIGIN");
            gateway()
                    .apply(config.with(
                            ResourceType.ROUTE,
                            "any",
                            route -> route.toBuilder()
                                    .plugins(xFrame(XFrameValue.DENY))
                                    .build()));
            assertThat(get("/").field("x-frame-options")).isEqualTo("DENY");
            gateway()
                    .apply(config.with(
                            ResourceType.PROXY_PASS,
                            "pass",
                            pass -> pass.toBuilder()
                                    .plugins(Plugins.builder()
                                            .xFrame(XFramePlugin.builder()
                                                    .enabled(false)
                                                    .build())
                                            .build())
                                    .build()));
            assertThat(get("/").field("x-frame-options")).isNull();
        }
    }

    @Test
    void errorsPassTheFiltersToo() throws Exception {
        gateway()
                .apply(forwarding("http://127.0.0.1:" + Config.freePort())
                        .with(
                                ResourceType.ROUTER,
                                "all",
                                router -> router.toBuilder()
                                        .plugins(Plugins.builder()
                                                .xFrame(XFramePlugin.builder().build())
                                                .csp(CspPlugin.builder()
                                                        .directives(List.of(
                                                                CspDirective.builder()
                                                                        .name("default-src")
                                                                        .value("'self'")
                                                                        .build(),
                                                                CspDirective.builder()
                                                                        .name("upgrade-insecure-requests")
                                                                        .build()))
                                                        .build())
                                                .cors(CorsPlugin.builder().build())
                                                .build())
                                        .build()));
        RawClient.Answer answer = exchange(request("GET", "/", ORIGIN));
        assertThat(answer.status()).isEqualTo(502);
        assertThat(answer.field("x-frame-options")).isEqualTo("SAMEORIGIN");
        assertThat(answer.field("content-security-policy")).isEqualTo("default-src 'self'; upgrade-insecure-requests");
        assertThat(answer.field("access-control-allow-origin")).isEqualTo("*");
    }

    @Test
    void fieldsThatTheNodeSetsAreKept() throws Exception {
        try (TestNode node = TestNode.start((request, connection) ->
                connection.send("HTTP/1.1 200 OK\r\nX-Frame-Options: ALLOW-FROM x\r\nContent-Length: 0\r\n\r\n"))) {
            gateway()
                    .apply(forwarding(node.url())
                            .with(
                                    ResourceType.ROUTE,
                                    "any",
                                    route -> route.toBuilder()
                                            .plugins(xFrame(XFrameValue.DENY))
                                            .build()));
            assertThat(get("/").all("x-frame-options")).containsExactly("ALLOW-FROM x");
        }
    }

    private Config shop(String node) {
        return forwarding(node)
                .with(
                        ResourceType.ROUTE,
                        "any",
                        route -> route.toBuilder()
                                .methods(List.of("GET", "POST"))
                                .plugins(cors(CorsPlugin.builder()
                                        .allowOrigins(List.of("https://shop.example.com"))
                                        .allowMethods(List.of("GET", "POST"))
                                        .allowHeaders(List.of("X-A", "X-B"))
                                        .exposeHeaders(List.of("X-Count"))
                                        .allowCredentials(true)
                                        .maxAgeSeconds(600)
                                        .build()))
                                .build());
    }

    @Test
    void preflightIsAnsweredWhereTheRequestWouldBe() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(shop(node.url()));
            RawClient.Answer answer = exchange(request(
                    "OPTIONS",
                    "/x",
                    ORIGIN + "Access-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: X-A\r\n"));
            assertThat(answer.status()).isEqualTo(204);
            assertThat(answer.field("access-control-allow-origin")).isEqualTo("https://shop.example.com");
            assertThat(answer.field("access-control-allow-methods")).isEqualTo("GET, POST");
            assertThat(answer.field("access-control-allow-headers")).isEqualTo("X-A, X-B");
            assertThat(answer.field("access-control-allow-credentials")).isEqualTo("true");
            assertThat(answer.field("access-control-max-age")).isEqualTo("600");
            assertThat(answer.all("vary")).contains("Origin");
            assertThat(node.received()).isEmpty();
        }
    }

    @Test
    void preflightOfAnotherOriginIsGrantedNothing() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(shop(node.url()));
            RawClient.Answer answer = exchange(request(
                    "OPTIONS", "/x", "Origin: https://evil.example\r\nAccess-Control-Request-Method: POST\r\n"));
            assertThat(answer.fields())
                    .noneMatch(field -> field.toLowerCase(java.util.Locale.ROOT).startsWith("access-control-allow"));
            assertThat(node.received()).isEmpty();
        }
    }

    @Test
    void preflightIsGrantedWhatIsAskedForWhereNothingIsListed() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway()
                    .apply(forwarding(node.url())
                            .with(
                                    ResourceType.ROUTE,
                                    "any",
                                    route -> route.toBuilder()
                                            .plugins(cors(CorsPlugin.builder().build()))
                                            .build()));
            RawClient.Answer answer = exchange(request(
                    "OPTIONS",
                    "/x",
                    ORIGIN + "Access-Control-Request-Method: PATCH\r\nAccess-Control-Request-Headers: x-a, x-b\r\n"));
            assertThat(answer.status()).isEqualTo(204);
            assertThat(answer.field("access-control-allow-origin")).isEqualTo("*");
            assertThat(answer.field("access-control-allow-methods")).isEqualTo("PATCH");
            assertThat(answer.field("access-control-allow-headers")).isEqualTo("x-a, x-b");
            assertThat(answer.field("access-control-allow-credentials")).isNull();
            assertThat(answer.all("vary"))
                    .containsExactly("Access-Control-Request-Method", "Access-Control-Request-Headers");
            assertThat(node.received()).isEmpty();
        }
    }

    @Test
    void policyMayBeReportedOnlyAndThatOfTheNodeIsKept() throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> connection.send("HTTP/1.1 200 OK\r\n"
                + (request.target().equals("/own") ? "Content-Security-Policy-Report-Only: default-src x\r\n" : "")
                + "Content-Length: 0\r\n\r\n"))) {
            gateway()
                    .apply(forwarding(node.url())
                            .with(
                                    ResourceType.ROUTE,
                                    "any",
                                    route -> route.toBuilder()
                                            .plugins(Plugins.builder()
                                                    .csp(CspPlugin.builder()
                                                            .reportOnly(true)
                                                            .directives(List.of(CspDirective.builder()
                                                                    .name("default-src")
                                                                    .value("'none'")
                                                                    .build()))
                                                            .build())
                                                    .build())
                                            .build()));
            RawClient.Answer answer = get("/");
            assertThat(answer.field("content-security-policy-report-only")).isEqualTo("default-src 'none'");
            assertThat(answer.field("content-security-policy")).isNull();
            assertThat(get("/own").all("content-security-policy-report-only")).containsExactly("default-src x");
        }
    }

    @Test
    void optionsThatIsNoPreflightIsMatchedAsItIs() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(shop(node.url()));
            assertThat(exchange(request("OPTIONS", "/x", "")).status()).isEqualTo(405);
        }
    }

    @Test
    void actualResponseCarriesTheOriginAndVaries() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(shop(node.url()));
            RawClient.Answer answer = exchange(request("GET", "/x", ORIGIN));
            assertThat(answer.field("access-control-allow-origin")).isEqualTo("https://shop.example.com");
            assertThat(answer.field("access-control-expose-headers")).isEqualTo("X-Count");
            assertThat(answer.all("vary")).containsExactly("Origin");
            assertThat(get("/x").all("vary")).containsExactly("Origin");
            assertThat(get("/x").field("access-control-allow-origin")).isNull();
        }
    }

    @Test
    void responsesAreCompressedForThoseWhoAcceptItAndOnlyOnce() throws Exception {
        String text = "compress me ".repeat(1000);
        try (TestNode node = TestNode.start((request, connection) -> {
            switch (request.target()) {
                case "/encoded" ->
                    connection.send("HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: 3\r\n\r\nabc");
                case "/fixed" ->
                    connection.send("HTTP/1.1 200 OK\r\nCache-Control: no-transform\r\nContent-Length: 3\r\n\r\nabc");
                default -> connection.ok(text);
            }
        })) {
            gateway()
                    .apply(forwarding(node.url())
                            .with(
                                    ResourceType.PROXY_SERVER,
                                    "web",
                                    server -> server.toBuilder()
                                            .plugins(Plugins.builder()
                                                    .gzip(GzipPlugin.builder()
                                                            .level(9)
                                                            .build())
                                                    .build())
                                            .build()));
            RawClient.Answer answer = exchange(request("GET", "/", "Accept-Encoding: gzip\r\n"));
            assertThat(answer.field("content-encoding")).isEqualTo("gzip");
            assertThat(answer.all("vary")).containsExactly("Accept-Encoding");
            assertThat(answer.body().length).isLessThan(1000);
            assertThat(new String(
                            new GZIPInputStream(new ByteArrayInputStream(answer.body())).readAllBytes(),
                            StandardCharsets.UTF_8))
                    .isEqualTo(text);
            assertThat(get("/").text()).isEqualTo(text);
            RawClient.Answer encoded = exchange(request("GET", "/encoded", "Accept-Encoding: gzip\r\n"));
            assertThat(encoded.field("content-encoding")).isEqualTo("br");
            assertThat(encoded.text()).isEqualTo("abc");
            assertThat(exchange(request("GET", "/fixed", "Accept-Encoding: gzip\r\n"))
                            .text())
                    .isEqualTo("abc");
        }
    }
}
