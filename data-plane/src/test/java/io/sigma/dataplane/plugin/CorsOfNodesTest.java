package io.sigma.dataplane.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.Http2Node;
import io.sigma.dataplane.testkit.PipelineContract;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.model.CorsPlugin;
import io.sigma.model.HeaderEdits;
import io.sigma.model.Plugins;
import io.sigma.snapshot.ResourceType;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A node that speaks of CORS behind a gateway that does: the gateway alone decides. */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class CorsOfNodesTest extends PipelineContract {

    private static final String LISTED = "https://shop.example.com";
    private static final String STRANGER = "https://evil.example";

    private static String answer(TestNode.Received request) {
        return "HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: *\r\nAccess-Control-Allow-Origin: "
                + request.field("origin") + "\r\nAccess-Control-Allow-Credentials: true\r\n"
                + "access-control-EXPOSE-headers: X-Secret\r\nAccess-Control-Allow-Methods: DELETE\r\n"
                + "Access-Control-Allow-Headers: *\r\nAccess-Control-Max-Age: 86400\r\n"
                + "Access-Control-Allow-Private-Network: true\r\nX-Open: 1\r\nContent-Length: 0\r\n\r\n";
    }

    private static Config cors(Config config, CorsPlugin plugin) {
        return config.with(
                ResourceType.ROUTE,
                "any",
                route -> route.toBuilder()
                        .plugins(Plugins.builder().cors(plugin).build())
                        .build());
    }

    private static List<String> said(RawClient.Answer answer) {
        return answer.fields().stream()
                .filter(field -> field.regionMatches(true, 0, "access-control-", 0, 15))
                .map(field -> field.toLowerCase(java.util.Locale.ROOT))
                .sorted()
                .toList();
    }

    @ParameterizedTest
    @EnumSource
    void originThatIsNotListedIsGrantedNothing(Pipeline way) throws Exception {
        CorsPlugin plugin = CorsPlugin.builder().allowOrigins(List.of(LISTED)).build();
        try (TestNode node = TestNode.start((request, connection) -> connection.send(answer(request)))) {
            gateway().apply(cors(through(way, node.url()), plugin));
            for (String method : List.of("GET", "OPTIONS", "HEAD")) {
                RawClient.Answer answer = send(way, method, "/", "Origin", STRANGER);
                assertThat(answer.status()).isEqualTo(200);
                assertThat(answer.field("x-open")).isEqualTo("1");
                assertThat(said(answer)).isEmpty();
                assertThat(said(send(way, method, "/"))).isEmpty();
                assertThat(said(send(way, method, "/", "Origin", LISTED)))
                        .containsExactly("access-control-allow-origin: " + LISTED);
            }
        }
    }

    /** A node, or a browser, might look at another one of them (RFC 6454 §7.3). */
    @ParameterizedTest
    @EnumSource
    void severalOriginsAreGrantedNothing(Pipeline way) throws Exception {
        CorsPlugin plugin = CorsPlugin.builder().allowOrigins(List.of(LISTED)).build();
        try (TestNode node = TestNode.start((request, connection) -> connection.send(answer(request)))) {
            gateway().apply(cors(through(way, node.url()), plugin));
            for (String method : List.of("GET", "OPTIONS")) {
                assertThat(said(send(way, method, "/", "Origin", LISTED, "Origin", STRANGER)))
                        .isEmpty();
                assertThat(said(send(way, method, "/", "Origin", LISTED + " " + STRANGER)))
                        .isEmpty();
                assertThat(said(send(way, method, "/", "Origin", LISTED + ", " + STRANGER)))
                        .isEmpty();
            }
            RawClient.Answer preflight = send(
                    way, "OPTIONS", "/", "Origin", LISTED, "Origin", STRANGER, "Access-Control-Request-Method", "PUT");
            assertThat(preflight.status()).isEqualTo(204);
            assertThat(said(preflight)).isEmpty();
        }
    }

    @Test
    void listedOriginIsGrantedWhatThePluginGrants() throws Exception {
        CorsPlugin plugin = CorsPlugin.builder()
                .allowOrigins(List.of(LISTED))
                .allowCredentials(true)
                .exposeHeaders(List.of("X-Count"))
                .build();
        try (TestNode node = TestNode.start((request, connection) -> connection.send(answer(request)))) {
            gateway().apply(cors(forwarding(node.url()), plugin));
            assertThat(said(send(Pipeline.HTTP1, "GET", "/", "Origin", LISTED)))
                    .containsExactly(
                            "access-control-allow-credentials: true",
                            "access-control-allow-origin: " + LISTED,
                            "access-control-expose-headers: x-count");
        }
    }

    @Test
    void nodeOfHttp2IsNotHeardEither() throws Exception {
        CorsPlugin plugin = CorsPlugin.builder().allowOrigins(List.of(LISTED)).build();
        try (Http2Node node = Http2Node.start(request -> request.response()
                .putHeader("access-control-allow-origin", "*")
                .putHeader("access-control-allow-credentials", "true")
                .end())) {
            Config config = forwarding(node.url())
                    .with(
                            ResourceType.UPSTREAM,
                            "nodes",
                            upstream -> upstream.toBuilder()
                                    .protocol(io.sigma.model.NodeProtocol.HTTP2)
                                    .build());
            gateway().apply(cors(config, plugin));
            assertThat(said(send(Pipeline.HTTP1, "GET", "/", "Origin", STRANGER)))
                    .isEmpty();
        }
    }

    @Test
    void withoutThePluginTheNodeIsHeard() throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> connection.send(answer(request)))) {
            gateway().apply(forwarding(node.url()));
            assertThat(said(send(Pipeline.HTTP1, "GET", "/", "Origin", STRANGER)))
                    .hasSize(8);
            gateway()
                    .apply(cors(
                            forwarding(node.url()),
                            CorsPlugin.builder().enabled(false).build()));
            assertThat(said(send(Pipeline.HTTP1, "GET", "/", "Origin", STRANGER)))
                    .hasSize(8);
        }
    }

    @Test
    void editsOfTheProxyPassAreTheGatewaysOwn() throws Exception {
        CorsPlugin plugin = CorsPlugin.builder().allowOrigins(List.of(LISTED)).build();
        try (TestNode node = TestNode.start((request, connection) -> connection.send(answer(request)))) {
            gateway()
                    .apply(cors(forwarding(node.url()), plugin)
                            .with(
                                    ResourceType.PROXY_PASS,
                                    "pass",
                                    pass -> pass.toBuilder()
                                            .responseHeaders(HeaderEdits.builder()
                                                    .set(Map.of("Access-Control-Allow-Private-Network", "true"))
                                                    .build())
                                            .build()));
            assertThat(said(send(Pipeline.HTTP1, "GET", "/", "Origin", STRANGER)))
                    .containsExactly("access-control-allow-private-network: true");
        }
    }
}
