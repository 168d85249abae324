package io.sigma.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import io.sigma.dataplane.Gateway;
import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.json.Json;
import io.sigma.model.Node;
import io.sigma.model.Plugins;
import io.sigma.model.ProxyPass;
import io.sigma.model.ProxyServer;
import io.sigma.model.Route;
import io.sigma.model.Router;
import io.sigma.model.Upstream;
import io.sigma.snapshot.ConfigState;
import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.ResourceType;
import io.sigma.snapshot.Snapshot;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MaintenancePluginTest {

    @TempDir
    Path folder;

    private Vertx vertx;
    private HttpServer node;
    private Gateway gateway;

    @BeforeEach
    void start() throws Exception {
        vertx = Vertx.vertx();
        node = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        node.createContext("/", exchange -> {
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        node.start();
        gateway = await(Gateway.start(vertx, GatewaySettings.embedded(folder)));
    }

    @AfterEach
    void stop() throws Exception {
        await(gateway.close());
        await(vertx.close());
        node.stop(0);
    }

    @Test
    void onlyWhoLooksAfterItComesThrough() throws Exception {
        int port = freePort();
        await(gateway.snapshotTarget()
                .apply(snapshot(port, "{\"retryAfterSeconds\":300,\"passHeader\":\"X-Maintainer\"}")));
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/"));
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> kept = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
            assertThat(kept.statusCode()).isEqualTo(503);
            assertThat(kept.headers().firstValue("Retry-After")).hasValue("300");
            HttpResponse<String> passed =
                    client.send(request.header("X-Maintainer", "me").build(), HttpResponse.BodyHandlers.ofString());
            assertThat(passed.statusCode()).isEqualTo(204);
        }
    }

    @Test
    void configurationThatIsNotRightIsRefused() throws Exception {
        int port = freePort();
        assertThatThrownBy(() -> await(gateway.snapshotTarget().apply(snapshot(port, "{\"retryAfterSeconds\":0}"))))
                .hasMessageContaining("/routes/any/plugins/extensions/maintenance/retryAfterSeconds: 0 (expected: 1..");
        assertThatThrownBy(() -> await(gateway.snapshotTarget().apply(snapshot(port, "{\"retryAfter\":1}"))))
                .hasMessageContaining("retryAfter");
    }

    @Test
    void schemaKnowsEachSettingAndNothingElse() throws Exception {
        JsonNode schema;
        try (InputStream in = Objects.requireNonNull(
                MaintenancePlugin.class.getResourceAsStream("/META-INF/sigma/plugins/maintenance.schema.json"))) {
            schema = Json.mapper().readTree(in);
        }
        List<String> settings = Arrays.stream(MaintenancePlugin.Settings.class.getRecordComponents())
                .map(RecordComponent::getName)
                .toList();
        assertThat(schema.path("properties").fieldNames()).toIterable().containsExactlyInAnyOrderElementsOf(settings);
        assertThat(schema.path("additionalProperties").booleanValue()).isFalse();
    }

    private Snapshot snapshot(int port, String configuration) {
        Plugins plugins = Plugins.builder()
                .extensions(Map.of("maintenance", Json.read(configuration, JsonNode.class)))
                .build();
        return Snapshot.of(
                1,
                ConfigState.empty()
                        .with(List.of(
                                change(
                                        ResourceType.PROXY_SERVER,
                                        ProxyServer.builder()
                                                .id("web")
                                                .host("127.0.0.1")
                                                .port(port)
                                                .build()),
                                change(
                                        ResourceType.ROUTER,
                                        Router.builder()
                                                .id("all")
                                                .proxyServerId("web")
                                                .build()),
                                change(
                                        ResourceType.ROUTE,
                                        Route.builder()
                                                .id("any")
                                                .routerId("all")
                                                .path("/*")
                                                .proxyPassId("pass")
                                                .plugins(plugins)
                                                .build()),
                                change(
                                        ResourceType.PROXY_PASS,
                                        ProxyPass.builder()
                                                .id("pass")
                                                .upstreamId("nodes")
                                                .build()),
                                change(
                                        ResourceType.UPSTREAM,
                                        Upstream.builder()
                                                .id("nodes")
                                                .nodes(List.of(Node.builder()
                                                        .url("http://127.0.0.1:"
                                                                + node.getAddress()
                                                                        .getPort())
                                                        .build()))
                                                .build()))));
    }

    private static <T> EntityChange change(ResourceType<T> type, T resource) {
        return new EntityChange(type.kind(), type.id(resource), resource);
    }

    private static int freePort() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.await(30, TimeUnit.SECONDS);
    }
}
