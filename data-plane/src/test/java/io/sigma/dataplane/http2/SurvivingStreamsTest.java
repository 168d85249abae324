package io.sigma.dataplane.http2;

import static io.sigma.dataplane.testkit.GatewayHarness.await;
import static io.sigma.dataplane.testkit.GatewayHarness.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.model.Node;
import io.sigma.model.Plugins;
import io.sigma.model.Pool;
import io.sigma.model.RequestIdPlugin;
import io.sigma.model.Timeouts;
import io.sigma.snapshot.ResourceType;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Open streams survive changes of the configuration, also of their own route and upstream. */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class SurvivingStreamsTest extends EngineContract {

    private static final String UPGRADE =
            "GET /chat HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";

    /** What is done to a configuration; it is given another node. */
    @FunctionalInterface
    interface Change extends BiFunction<Config, String, Config> {}

    static Stream<Arguments> changes() {
        return Stream.of(
                arguments("another route", (Change) (config, other) -> config.route("more", "all", "/more", "pass")),
                arguments("another upstream", (Change) (config, other) -> config.pass("other", "others")
                        .upstream("others", other)
                        .route("more", "all", "/more", "other")),
                arguments("another listener", (Change) (config, other) -> config.server("more", Config.freePort())),
                arguments("the path of its route", (Change) (config, other) -> config.with(
                        ResourceType.ROUTE,
                        "any",
                        route -> route.toBuilder().path("/elsewhere").build())),
                arguments("the plugins of its route", (Change) (config, other) -> config.with(
                        ResourceType.ROUTE,
                        "any",
                        route -> route.toBuilder()
                                .plugins(Plugins.builder()
                                        .requestId(RequestIdPlugin.builder().build())
                                        .build())
                                .build())),
                arguments("its route is gone", (Change) (config, other) -> config.without(ResourceType.ROUTE, "any")),
                arguments("its router is disabled", (Change) (config, other) -> config.with(
                        ResourceType.ROUTER,
                        "all",
                        router -> router.toBuilder().enabled(false).build())),
                arguments("the timeouts of its proxy pass", (Change) (config, other) -> config.with(
                        ResourceType.PROXY_PASS,
                        "pass",
                        pass -> pass.toBuilder()
                                .timeouts(Timeouts.builder().idleMillis(1_000).build())
                                .build())),
                arguments("the upstream of its proxy pass", (Change)
                        (config, other) -> config.upstream("others", other).pass("pass", "others")),
                arguments("its upstream is gone", (Change) (config, other) -> config.upstream("others", other)
                        .pass("pass", "others")
                        .without(ResourceType.UPSTREAM, "nodes")),
                arguments("the nodes of its upstream", (Change) (config, other) -> config.upstream("nodes", other)),
                arguments("the pool of its upstream", (Change)
                        (config, other) -> config.pooled(Pool.builder().connectionsMax(3))),
                arguments("its node is down", (Change) (config, other) -> config.with(
                        ResourceType.UPSTREAM,
                        "nodes",
                        upstream -> upstream.toBuilder()
                                .nodes(List.of(
                                        Node.builder()
                                                .url(upstream.nodes().getFirst().url())
                                                .down(true)
                                                .build(),
                                        Node.builder().url(other).build()))
                                .build())));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("changes")
    void tunnelStaysOpen(String what, Change change) throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> {
                    connection.send(
                            "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
                    connection.in().transferTo(connection.out());
                });
                TestNode other = TestNode.named("other")) {
            Config config = forwarding(node.url());
            gateway().apply(config);
            try (RawClient client = RawClient.connect(port())) {
                client.send(UPGRADE);
                assertThat(client.read().status()).isEqualTo(101);
                echo(client, "before");
                gateway().apply(change.apply(config.copy(), other.url()));
                echo(client, "after");
                // A third revision finds nothing any more that the second one kept.
                gateway().apply(Config.forwarding(port(), other.url()));
                echo(client, "long after");
                assertThat(get("/").text()).isEqualTo("other");
            }
        }
    }

    private static void echo(RawClient client, String text) throws Exception {
        client.send(text);
        assertThat(new String(client.in().readNBytes(text.length()), StandardCharsets.UTF_8))
                .isEqualTo(text);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("changes")
    void eventsGoOn(String what, Change change) throws Exception {
        Map<String, Semaphore> turns = Map.of("/1", new Semaphore(0), "/2", new Semaphore(0));
        Vertx vertx = Vertx.vertx();
        try (TestNode node = TestNode.start((request, connection) -> {
                    connection.send(
                            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n");
                    while (turn(turns, request.target()).tryAcquire(30, TimeUnit.SECONDS)) {
                        connection.send("1\r\n.\r\n");
                    }
                });
                TestNode other = TestNode.named("other")) {
            Config config = forwarding(node.url());
            gateway().apply(config);
            AtomicReference<String> one = listen(vertx, HttpVersion.HTTP_1_1, "/1");
            AtomicReference<String> two = listen(vertx, HttpVersion.HTTP_2, "/2");
            turns.values().forEach(Semaphore::release);
            eventually(() -> one.get().equals(".") && two.get().equals("."));
            gateway().apply(change.apply(config.copy(), other.url()));
            gateway().apply(Config.forwarding(port(), other.url()));
            turns.values().forEach(Semaphore::release);
            eventually(() -> one.get().equals("..") && two.get().equals(".."));
        } finally {
            await(vertx.close());
        }
    }

    private static Semaphore turn(Map<String, Semaphore> turns, String target) {
        return Objects.requireNonNull(turns.get(target));
    }

    private AtomicReference<String> listen(Vertx vertx, HttpVersion version, String target) {
        AtomicReference<String> heard = new AtomicReference<>("");
        await(GatewayHarness.keep(vertx.createHttpClient(
                        new HttpClientOptions().setProtocolVersion(version).setHttp2ClearTextUpgrade(false)))
                .request(HttpMethod.GET, port(), "localhost", target)
                .compose(HttpClientRequest::send)
                .map(response -> {
                    response.handler((Buffer data) -> heard.accumulateAndGet(data.toString(), String::concat));
                    return response;
                }));
        return heard;
    }
}
