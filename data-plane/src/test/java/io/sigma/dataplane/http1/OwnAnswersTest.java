package io.sigma.dataplane.http1;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.PipelineContract;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.model.Consumer;
import io.sigma.model.ConsumerKey;
import io.sigma.model.KeyAuthPlugin;
import io.sigma.model.MockResponsePlugin;
import io.sigma.model.Plugins;
import io.sigma.model.ProxyPass;
import io.sigma.model.Redirect;
import io.sigma.model.Route;
import io.sigma.model.ServerLimits;
import io.sigma.model.StaticFiles;
import io.sigma.snapshot.ResourceType;
import io.sigma.value.Sha256;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The rules of RFC 9110 for origin servers, in answers of the gateway's own. */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class OwnAnswersTest extends PipelineContract {

    private static final String DATE = "[A-Z][a-z]{2}, \\d{2} [A-Z][a-z]{2} \\d{4} \\d{2}:\\d{2}:\\d{2} GMT";

    private Config answering(Pipeline way) throws Exception {
        Path root = Files.createDirectories(folder.resolve("data/files/site"));
        Files.writeString(root.resolve("a.txt"), "0123456789");
        return through(way, "http://127.0.0.1:1")
                .route(Route.builder()
                        .id("made")
                        .routerId("all")
                        .path("/made")
                        .proxyPassId("pass")
                        .plugins(Plugins.builder()
                                .mockResponse(MockResponsePlugin.builder()
                                        .body("0123456789")
                                        .build())
                                .build())
                        .build())
                .route("away", "all", "/away", "away")
                .pass(ProxyPass.builder()
                        .id("away")
                        .redirect(
                                Redirect.builder().status(307).location("/made").build())
                        .build())
                .route("files", "all", "/files/*", "files")
                .pass(ProxyPass.builder()
                        .id("files")
                        .stripPrefix("/files")
                        .staticFiles(
                                StaticFiles.builder().rootPath(root.toString()).build())
                        .build());
    }

    @ParameterizedTest
    @EnumSource
    void eachHasADateAndHeadTheLengthOfGet(Pipeline way) throws Exception {
        gateway().apply(answering(way));
        Map<String, Integer> statuses = new LinkedHashMap<>();
        statuses.put("/made", 200);
        statuses.put("/files/a.txt", 200);
        statuses.put("/away", 307);
        statuses.put("/files/none", 404);
        statuses.put("/%zz", 400);
        statuses.put("/node", 502);
        for (Map.Entry<String, Integer> entry : statuses.entrySet()) {
            RawClient.Answer get = send(way, "GET", entry.getKey());
            RawClient.Answer head = send(way, "HEAD", entry.getKey());
            for (RawClient.Answer answer : List.of(get, head)) {
                assertThat(answer.status()).as(entry.getKey()).isEqualTo(entry.getValue());
                assertThat(answer.all("date"))
                        .as(entry.getKey())
                        .singleElement()
                        .satisfies(date -> assertThat(date).matches(DATE));
                assertThat(answer.all("content-length"))
                        .as(entry.getKey())
                        .containsExactly(String.valueOf(get.body().length));
            }
            assertThat(head.body()).isEmpty();
        }
        assertThat(send(way, "TRACE", "/made").field("date")).matches(DATE);
        RawClient.Answer unchanged = send(way, "GET", "/files/a.txt", "If-None-Match", "*");
        assertThat(unchanged.status()).isEqualTo(304);
        assertThat(unchanged.field("date")).matches(DATE);
        assertThat(unchanged.all("content-length")).isEmpty();
    }

    @Test
    void soHaveThoseOfMetricsAndHealth() throws Exception {
        for (String target : List.of("/metrics", "/health/live", "/none")) {
            RawClient.Answer answer = RawClient.get(gateway().gateway().telemetryPort(), "localhost", target);
            assertThat(answer.field("date")).as(target).matches(DATE);
        }
    }

    /** RFC 9110 §2.3: what the gateway sends a client to, it takes. */
    @ParameterizedTest
    @EnumSource(names = {"HTTP1", "HTTP2"})
    void redirectOfTheLongestTargetCanBeFollowed(Pipeline way) throws Exception {
        gateway()
                .apply(forwarding("http://127.0.0.1:1")
                        .with(
                                ResourceType.PROXY_SERVER,
                                "web",
                                server -> server.toBuilder()
                                        .limits(ServerLimits.builder()
                                                .targetBytesMax(512)
                                                .build())
                                        .build())
                        .pass(ProxyPass.builder()
                                .id("pass")
                                .redirect(Redirect.builder()
                                        .status(308)
                                        .location("https://$host$request_uri")
                                        .build())
                                .build()));
        String longest = "/" + "a".repeat(500) + "?bcdefghijk";
        assertThat(longest).hasSize(512);
        for (String target : List.of("/a", longest)) {
            String location = String.valueOf(send(way, "GET", target).field("location"));
            assertThat(location).isEqualTo("https://shop.example.com" + target);
            assertThat(send(way, "GET", location.substring(24)).status()).isEqualTo(308);
        }
    }

    /** RFC 9110 §3.3: whoever was on the connection before. */
    @Test
    void requestsOfOneConnectionAreAuthenticatedOneByOne() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway()
                    .apply(forwarding(node.url())
                            .with(
                                    ResourceType.ROUTE,
                                    "any",
                                    route -> route.toBuilder()
                                            .plugins(Plugins.builder()
                                                    .keyAuth(KeyAuthPlugin.builder()
                                                            .build())
                                                    .build())
                                            .build())
                            .consumer(Consumer.builder()
                                    .id("app")
                                    .apiKeys(List.of(ConsumerKey.builder()
                                            .sha256(Sha256.hex("key of the app"))
                                            .build()))
                                    .build()));
            try (RawClient client = RawClient.connect(port())) {
                for (int i = 0; i < 2; i++) {
                    client.send("GET / HTTP/1.1\r\nHost: a\r\nX-Api-Key: key of the app\r\n\r\n");
                    assertThat(client.read().status()).isEqualTo(200);
                    client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                    assertThat(client.read().status()).isEqualTo(401);
                }
            }
            assertThat(node.received()).hasSize(2);
        }
    }
}
