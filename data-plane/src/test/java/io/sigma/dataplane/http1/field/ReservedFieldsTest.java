package io.sigma.dataplane.http1.field;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.RawHttp2;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.TestTls;
import io.sigma.dataplane.testkit.TlsContract;
import io.sigma.dataplane.testkit.Wire;
import io.sigma.model.ClientAuth;
import io.sigma.model.Consumer;
import io.sigma.model.ConsumerKey;
import io.sigma.model.KeyAuthPlugin;
import io.sigma.model.Plugins;
import io.sigma.model.Route;
import io.sigma.model.RouteCondition;
import io.sigma.model.ServerTls;
import io.sigma.snapshot.ResourceType;
import io.sigma.value.Sha256;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fields that tell a node who the client is: it has them from the gateway alone, whatever runs on the route. */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class ReservedFieldsTest extends TlsContract {

    private static final String FORGED = "X-Consumer-Id: admin\r\n";
    private static final String SWITCH =
            "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";

    private static void assertClean(TestNode.Received request) {
        assertThat(request.fields().toString().toLowerCase(Locale.ROOT))
                .doesNotContain("consumer")
                .doesNotContain("admin");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                FORGED,
                "x-CONSUMER-id: admin\r\n",
                "X-Consumer-Id: admin\r\nX-Other: 1\r\nX-Consumer-Id: admin\r\n",
                "X_Consumer_Id: admin\r\n",
                "X-Consumer_Id: admin\r\n",
                "X-Consumer-Id: admin\r\nConnection: keep-alive, x-consumer-id\r\n",
                "X-Consumer-Id: admin\r\nConnection: X-Other\r\nX-Other: admin\r\n"
            })
    void consumerOfAClientReachesNoNode(String fields) throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            Config config = forwarding(node.url());
            gateway().apply(config);
            assertThat(exchange("GET / HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n")
                            .status())
                    .isEqualTo(200);
            assertClean(node.last());
            gateway()
                    .apply(config.with(
                            ResourceType.PROXY_SERVER,
                            "web",
                            server -> server.toBuilder()
                                    .trustedProxies(List.of("127.0.0.0/8"))
                                    .build()));
            assertThat(exchange("GET /trusted HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n")
                            .status())
                    .isEqualTo(200);
            assertThat(node.last().target()).isEqualTo("/trusted");
            assertClean(node.last());
        }
    }

    @Test
    void consumerOfAClientMeetsNoCondition() throws Exception {
        try (TestNode node = TestNode.named("ok");
                TestNode trusting = TestNode.named("trusting")) {
            gateway()
                    .apply(forwarding(node.url())
                            .upstream("trusting", trusting.url())
                            .pass("trusting", "trusting")
                            .route(Route.builder()
                                    .id("known")
                                    .routerId("all")
                                    .path("/*")
                                    .priority(1)
                                    .headers(List.of(RouteCondition.builder()
                                            .name("X-Consumer-Id")
                                            .present(true)
                                            .build()))
                                    .proxyPassId("trusting")
                                    .build()));
            assertThat(exchange("GET / HTTP/1.1\r\nHost: a\r\n" + FORGED + "\r\n")
                            .text())
                    .isEqualTo("ok");
        }
    }

    @Test
    void gatewayTellsTheConsumerThoughConnectionNamesTheField() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway()
                    .apply(forwarding(node.url())
                            .consumer(Consumer.builder()
                                    .id("app")
                                    .apiKeys(List.of(ConsumerKey.builder()
                                            .sha256(Sha256.hex("key"))
                                            .build()))
                                    .build())
                            .with(
                                    ResourceType.ROUTE,
                                    "any",
                                    route -> route.toBuilder()
                                            .plugins(Plugins.builder()
                                                    .keyAuth(KeyAuthPlugin.builder()
                                                            .build())
                                                    .build())
                                            .build()));
            assertThat(exchange("GET / HTTP/1.1\r\nHost: a\r\nX-Api-Key: key\r\nConnection: X-Consumer-Id\r\n" + FORGED
                                    + "\r\n")
                            .status())
                    .isEqualTo(200);
            assertThat(node.last().all("x-consumer-id")).containsExactly("app");
        }
    }

    @Test
    void upgradeCarriesNoneEither() throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> connection.send(SWITCH))) {
            gateway().apply(forwarding(node.url()));
            assertThat(exchange("GET /chat HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                                    + FORGED + "\r\n")
                            .status())
                    .isEqualTo(101);
            assertClean(node.last());
        }
    }

    @Test
    void mirrorHearsOfNoneEither() throws Exception {
        BlockingQueue<TestNode.Received> copies = new LinkedBlockingQueue<>();
        try (TestNode node = TestNode.named("ok");
                TestNode shadow = TestNode.start((request, connection) -> {
                    connection.ok("copied");
                    copies.add(request);
                })) {
            gateway().apply(forwarding(node.url()).mirrored(shadow.url()));
            assertThat(exchange("GET / HTTP/1.1\r\nHost: a\r\n" + FORGED + "\r\n")
                            .status())
                    .isEqualTo(200);
            TestNode.Received copy = copies.poll(10, TimeUnit.SECONDS);
            assertThat(copy).isNotNull();
            assertClean(copy);
        }
    }

    @Test
    void headsAndTrailersOfHttp2CarryNone() throws Exception {
        AtomicReference<List<String>> trailers = new AtomicReference<>();
        try (TestNode node = TestNode.startHeadsOnly((request, connection) -> {
            trailers.set(Wire.readChunks(connection.in(), new ByteArrayOutputStream()));
            connection.ok("done");
        })) {
            gateway().apply(forwarding(node.url()));
            try (RawHttp2 client = RawHttp2.connect(port())) {
                client.send(
                        RawHttp2.HEADERS,
                        RawHttp2.END_HEADERS,
                        1,
                        RawHttp2.fields(
                                ":method",
                                "POST",
                                ":scheme",
                                "http",
                                ":path",
                                "/",
                                ":authority",
                                "shop.example.com",
                                "x-consumer-id",
                                "admin",
                                "x_consumer_id",
                                "admin"));
                client.send(
                        RawHttp2.HEADERS,
                        RawHttp2.END_HEADERS | RawHttp2.END_STREAM,
                        1,
                        RawHttp2.fields("x-sum", "9", "x-consumer-id", "admin", "x_consumer_id", "admin"));
                assertThat(client.next().type()).isEqualTo(RawHttp2.HEADERS);
            }
            assertClean(node.last());
            assertThat(trailers.get()).containsExactly("x-sum: 9");
        }
    }

    @Test
    void subjectOfACertificateComesFromNoOtherListenerAndConnectionDoesNotHideIt() throws Exception {
        TestTls known = TestTls.create("known client");
        int plain = Config.freePort();
        try (TestNode node = TestNode.named("ok")) {
            Config config = forwarding(node.url())
                    .certificate(TestTls.create("shop", "shop.example.com").resource("b-shop"))
                    .server("plain", plain)
                    .router("plain", "plain")
                    .route("plain", "plain", "/*", "pass");
            String forged = "GET / HTTP/1.1\r\nHost: shop.example.com\r\nX-Client-Subject: CN=admin\r\n\r\n";
            gateway().apply(config);
            assertThat(RawClient.exchange(plain, forged).status()).isEqualTo(200);
            assertThat(node.last().field("x-client-subject")).isEqualTo("CN=admin");
            gateway()
                    .apply(config.encrypted(
                            "web",
                            ServerTls.builder()
                                    .clientAuth(ClientAuth.OPTIONAL)
                                    .clientCa(known.resource("x").chain())
                                    .clientSubjectHeader("X-Client-Subject")
                                    .build()));
            assertThat(RawClient.exchange(plain, forged).status()).isEqualTo(200);
            assertThat(node.last().field("x-client-subject")).isNull();
            try (RawClient client = new RawClient(connect(client(known), "shop.example.com"))) {
                client.send(GET.replace("\r\n\r\n", "\r\nConnection: X-Client-Subject\r\n\r\n"));
                assertThat(client.read().status()).isEqualTo(200);
                assertThat(node.last().all("x-client-subject")).containsExactly("CN=known client");
            }
        }
    }
}
