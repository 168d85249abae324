package io.sigma.dataplane;

import static io.sigma.dataplane.testkit.GatewayHarness.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.dataplane.engine.uring.TunedIoUring;
import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.dataplane.takeover.HandOver;
import io.sigma.dataplane.takeover.HandOverServer;
import io.sigma.dataplane.takeover.Serving;
import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.DatagramNode;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestDns;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.TestSettings;
import io.sigma.json.Json;
import io.sigma.model.NodeDiscovery;
import io.sigma.model.Plugins;
import io.sigma.model.Protocol;
import io.sigma.model.ProxyServer;
import io.sigma.model.RateLimitPlugin;
import io.sigma.model.Route;
import io.sigma.model.Router;
import io.sigma.model.Upstream;
import io.sigma.snapshot.Snapshot;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.dns.AddressResolverOptions;
import io.vertx.core.transport.Transport;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** A gateway takes the place of another one; here both are in one process. */
final class GatewayTakeoverTest {

    private static final String GET = "GET /x HTTP/1.1\r\nHost: localhost\r\n\r\n";

    @TempDir
    Path folder;

    private final List<Vertx> made = new ArrayList<>();
    private final int port = Config.freePort();
    private final CountDownLatch left = new CountDownLatch(1);
    private @Nullable TestNode node;
    private @Nullable HandOverServer server;
    private @Nullable HandOverServer next;
    private GatewaySettings settings = GatewaySettings.embedded(Path.of("unused"));

    @BeforeEach
    void startNode() {
        assumeTrue(TunedIoUring.ifAvailable() != null);
        settings = GatewaySettings.embedded(folder);
        node = TestNode.named("hello");
    }

    @AfterEach
    void close() throws Exception {
        if (server != null) {
            server.close();
        }
        if (next != null) {
            next.close();
        }
        made.forEach(vertx -> await(vertx.close()));
        if (node != null) {
            node.close();
        }
    }

    private Vertx vertx(int loops) {
        return vertx(loops, new AddressResolverOptions());
    }

    private Vertx vertx(int loops, AddressResolverOptions names) {
        Transport transport = Objects.requireNonNull(TunedIoUring.ifAvailable());
        Vertx vertx = Vertx.builder()
                .withTransport(transport)
                .with(new VertxOptions().setEventLoopPoolSize(loops).setAddressResolverOptions(names))
                .build();
        made.add(vertx);
        return vertx;
    }

    private Config config() {
        return Config.forwarding(port, Objects.requireNonNull(node).url())
                .route(Route.builder()
                        .id("any")
                        .routerId("all")
                        .path("/*")
                        .proxyPassId("pass")
                        .plugins(Plugins.builder()
                                .rateLimit(RateLimitPlugin.builder()
                                        .requests(3)
                                        .periodSeconds(3600)
                                        .build())
                                .build())
                        .build());
    }

    private Gateway startFirst(Config config) throws IOException {
        return startFirst(config, vertx(2));
    }

    private Gateway startFirst(Config config, Vertx vertx) throws IOException {
        Gateway first = await(Gateway.start(vertx, settings));
        await(first.snapshotTarget().apply(Snapshot.of(7, config.state())));
        server = HandOverServer.open(folder, first.handOver(settings), "first", false, left::countDown);
        return first;
    }

    /** Takes over, and listens for the next one, as the process of a gateway does. */
    private Gateway successor(Vertx vertx) {
        Gateway second = await(Gateway.takeOver(vertx, settings, null));
        next = HandOverServer.open(folder, second.handOver(settings), "second", true, () -> {});
        return second;
    }

    @Test
    void connectionsEndWithTheirNextResponseAndCountsGoOn() throws Exception {
        Gateway first = startFirst(config());
        Gateway second;
        try (RawClient waits = RawClient.connect(port)) {
            waits.send(GET);
            assertThat(waits.read().text()).isEqualTo("hello");
            second = successor(vertx(3));
            assertThat(left.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(second.snapshotTarget().current().revision()).isEqualTo(7);

            // That of the first one, which told the client nothing yet.
            waits.send(GET);
            RawClient.Answer last = waits.read();
            assertThat(last.status()).isEqualTo(200);
            assertThat(last.field("connection")).isEqualTo("close");
            assertThat(waits.isClosedByPeer()).isTrue();
        }
        await(first.close());
        assertThat(RawClient.get(port, "localhost", "/x").status()).isEqualTo(200);
        assertThat(RawClient.get(port, "localhost", "/x").status()).isEqualTo(200);
        // One was counted by the first gateway; its last one came after the hand-over.
        assertThat(RawClient.get(port, "localhost", "/x").status()).isEqualTo(429);
        await(second.close());
    }

    @Test
    void discoveredNodesAreServedWhileTheNameServiceIsAway() throws Exception {
        try (TestDns dns = new TestDns()) {
            dns.set("shop.test", TestDns.Entry.address("127.0.0.1", 1));
            Config config = config().upstream(Upstream.builder()
                    .id("nodes")
                    .nodes(List.of())
                    .discovery(NodeDiscovery.builder()
                            .type("DNS")
                            .url("http://shop.test:"
                                    + Objects.requireNonNull(node).port())
                            .servers(List.of(dns.address()))
                            .timeoutMillis(300)
                            .build())
                    .build());
            Gateway first = startFirst(config);
            assertThat(RawClient.get(port, "localhost", "/x").status()).isEqualTo(200);
            dns.silence(true);
            Gateway second = successor(vertx(2));
            await(first.close());
            assertThat(RawClient.get(port, "localhost", "/x").text()).isEqualTo("hello");
            await(second.close());
        }
    }

    @Test
    void namesOfNodesHaveAddressesWhileTheNameServiceIsAway() throws Exception {
        try (TestDns dns = new TestDns()) {
            dns.set("shop.test", TestDns.Entry.address("127.0.0.1", 1));
            AddressResolverOptions names = new AddressResolverOptions().setServers(List.of(dns.address()));
            Config config = config().upstream(
                            "nodes",
                            "http://shop.test:" + Objects.requireNonNull(node).port());
            Gateway first = startFirst(config, vertx(2, names));
            assertThat(RawClient.get(port, "localhost", "/x").status()).isEqualTo(200);
            dns.silence(true);
            Gateway second = successor(vertx(2, names));
            await(first.close());
            assertThat(RawClient.get(port, "localhost", "/x").text()).isEqualTo("hello");
            await(second.close());
        }
    }

    /** A machine that has much else to do would else have no time for it, and the new process would begin cold. */
    @Test
    void warmUpMayTakeLongerWhileAnotherProcessServes() throws Exception {
        Gateway first = startFirst(config());
        List<String> said = new CopyOnWriteArrayList<>();
        AppenderBase<ILoggingEvent> log = new AppenderBase<>() {
            @Override
            protected void append(ILoggingEvent event) {
                String text = event.getFormattedMessage();
                if (!text.contains("ends during the traffic")) {
                    said.add(text);
                }
            }
        };
        log.start();
        Logger logger = (Logger) LoggerFactory.getLogger("io.sigma.dataplane.GatewayWarmUp");
        logger.addAppender(log);
        try {
            // More requests than there is time for.
            GatewaySettings warm =
                    TestSettings.of(folder).warmUp(400, 1_000_000).build();
            Gateway second = await(Gateway.takeOver(vertx(2), warm, null));
            await(first.close());
            GatewayHarness.eventually(() -> !said.isEmpty());
            Matcher warmed = Pattern.compile("Warmed up with \\d+ requests in (\\d+) ms.*")
                    .matcher(said.getFirst());
            assertThat(warmed.matches()).as(said.getFirst()).isTrue();
            assertThat(Integer.parseInt(warmed.group(1))).isGreaterThanOrEqualTo(20 * 400);
            await(second.close());
        } finally {
            logger.detachAppender(log);
        }
    }

    /** Sessions end, and no datagram is lost: what was asked before is answered, and the rest begins new sessions. */
    @Test
    void datagramsPassWithoutALoss() throws Exception {
        try (DatagramNode answers = DatagramNode.answering(datagram -> List.of(datagram));
                DatagramSocket client =
                        new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            client.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            client.setSoTimeout(10_000);
            Gateway first = startFirst(new Config()
                    .server(ProxyServer.builder()
                            .id("in")
                            .host("127.0.0.1")
                            .port(port)
                            .protocol(Protocol.UDP)
                            .build())
                    .router(Router.builder()
                            .id("all")
                            .proxyServerId("in")
                            .proxyPassId("pass")
                            .build())
                    .pass("pass", "nodes")
                    .upstream("nodes", answers.url()));
            ask(client, "before");
            int session = answers.senders().getFirst();
            Gateway second = successor(vertx(1));
            assertThat(left.await(10, TimeUnit.SECONDS)).isTrue();
            for (int i = 0; i < 20; i++) {
                ask(client, "after " + i);
            }
            answers.send(session, "late");
            assertThat(receive(client)).isEqualTo("late");
            assertThat(answers.senders().getLast()).isNotEqualTo(session);
            await(first.close());
            ask(client, "alone");
            await(second.close());
        }
    }

    private static void ask(DatagramSocket client, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        client.send(new DatagramPacket(bytes, bytes.length));
        assertThat(receive(client)).isEqualTo(text);
    }

    private static String receive(DatagramSocket client) throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[64], 64);
        client.receive(packet);
        return new String(packet.getData(), 0, packet.getLength(), StandardCharsets.US_ASCII);
    }

    @Test
    void gatewayThatCannotServeTheSameGivesUpAndTheFirstOneGoesOn() throws Exception {
        Gateway first = startFirst(config());
        GatewaySettings elsewhere = settings;
        Vertx nio = Vertx.vertx();
        made.add(nio);
        assertThat(Gateway.takeOver(nio, elsewhere, null).otherwiseEmpty().await(30, TimeUnit.SECONDS))
                .isNull();
        assertThat(RawClient.get(port, "localhost", "/x").status()).isEqualTo(200);
        assertThat(left.getCount()).isOne();
        await(first.close());
    }

    @Test
    void stateThatAnotherBuildWroteIsLeftOut() throws Exception {
        Gateway first = await(Gateway.start(vertx(2), settings));
        await(first.snapshotTarget().apply(Snapshot.of(7, config().state())));
        HandOver real = first.handOver(settings);
        HandOver later = new HandOver() {
            @Override
            public @Nullable String refusal() {
                return real.refusal();
            }

            @Override
            public @Nullable Serving serving() {
                return real.serving();
            }

            @Override
            public Map<String, List<Integer>> sockets(int loops) {
                return real.sockets(loops);
            }

            @Override
            public JsonNode state() {
                return Json.tree(Map.of(
                        "nodes", List.of(Map.of("checked", "A_STATE_OF_TOMORROW"), 3),
                        "counts", Map.of("rateLimit /routes/any", Map.of("a", "b", "address:x", 5)),
                        "tickets", "none",
                        "names", List.of(Map.of("name", "shop.test", "address", "nowhere")),
                        "discovered", List.of(Map.of("upstream", "nodes", "settings", Map.of("of", "tomorrow"))),
                        "more", List.of()));
            }

            @Override
            public void leave() {
                real.leave();
            }
        };
        server = HandOverServer.open(folder, later, "later", false, left::countDown);
        Gateway second = successor(vertx(2));
        assertThat(left.await(10, TimeUnit.SECONDS)).isTrue();
        await(first.close());
        assertThat(RawClient.get(port, "localhost", "/x").status()).isEqualTo(200);
        await(second.close());
    }

    @Test
    void addressOfOneLoopIsServedByMany() throws Exception {
        Gateway first = await(Gateway.start(vertx(1), settings));
        await(first.snapshotTarget()
                .apply(Snapshot.of(
                        7,
                        Config.forwarding(port, Objects.requireNonNull(node).url())
                                .state())));
        server = HandOverServer.open(folder, first.handOver(settings), "first", false, left::countDown);
        Gateway second = successor(vertx(3));
        await(first.close());
        for (int i = 0; i < 50; i++) {
            assertThat(RawClient.get(port, "localhost", "/x").status()).isEqualTo(200);
        }
        // What listens can be changed afterwards as ever.
        int other = Config.freePort();
        await(second.snapshotTarget()
                .apply(Snapshot.of(
                        8,
                        Config.forwarding(other, Objects.requireNonNull(node).url())
                                .state())));
        assertThat(RawClient.get(other, "localhost", "/x").status()).isEqualTo(200);
        await(second.close());
    }
}
