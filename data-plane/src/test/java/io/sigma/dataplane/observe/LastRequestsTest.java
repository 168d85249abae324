package io.sigma.dataplane.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.AskingLink;
import io.sigma.dataplane.testkit.BoltFrame;
import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.SocketNode;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.TestSettings;
import io.sigma.identity.ClusterEndpoint;
import io.sigma.json.Json;
import io.sigma.model.AccessLogPlugin;
import io.sigma.model.LastRequest;
import io.sigma.model.Plugins;
import io.sigma.model.Protocol;
import io.sigma.model.ProxyServer;
import io.sigma.model.Router;
import io.sigma.snapshot.RequestFilter;
import io.sigma.snapshot.RequestsAnswer;
import io.sigma.snapshot.RequestsQuestion;
import io.sigma.snapshot.ResourceType;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A gateway's answers about its last requests. */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class LastRequestsTest {

    @TempDir
    private Path folder;

    private final AskingLink link = new AskingLink();
    private final int port = Config.freePort();
    private GatewayHarness gateway;

    @BeforeEach
    void start() {
        gateway = GatewayHarness.start(
                TestSettings.of(folder.resolve("data")).loops(2).build(), link);
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    private static RequestsQuestion question(RequestFilter filter, boolean watch, @Nullable String after) {
        return new RequestsQuestion(UUID.randomUUID().toString(), "edge", filter, watch, after, 200);
    }

    private RequestsAnswer ask(boolean watch, @Nullable String after) throws InterruptedException {
        RequestsQuestion question = question(RequestFilter.ALL, watch, after);
        link.ask(question);
        RequestsAnswer answer = link.answer();
        assertThat(answer.id()).isEqualTo(question.id());
        return answer;
    }

    /**
     * Returns the requests once there are {@code count}. A request is over a moment after its client has the answer.
     */
    private List<LastRequest> last(int count) throws InterruptedException {
        long deadline = System.nanoTime() + 20_000_000_000L;
        while (true) {
            List<LastRequest> items = ask(false, null).items();
            if (items.size() >= count || System.nanoTime() > deadline) {
                assertThat(items).hasSize(count);
                return items;
            }
        }
    }

    @Test
    void aRequestIsToldWithWhatTheAccessLogHasOfIt() throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> connection.ok("hello"))) {
            gateway.apply(Config.forwarding(port, node.url()));
            RawClient.exchange(
                    port,
                    "POST /a/../cart/12?token=secret HTTP/1.1\r\nHost: A.example.com\r\n"
                            + "Authorization: Bearer secret\r\nReferer: http://x/?secret\r\nUser-Agent: secret\r\n"
                            + "Content-Length: 3\r\n\r\nabc");

            LastRequest item = last(1).getFirst();

            assertThat(item.method()).isEqualTo("POST");
            assertThat(item.host()).isEqualToIgnoringCase("a.example.com");
            assertThat(item.path()).isEqualTo("/cart/12");
            assertThat(item.status()).isEqualTo(200);
            assertThat(item.bytesIn()).isEqualTo(3);
            assertThat(item.bytesOut()).isEqualTo(5);
            assertThat(item.attempts()).isEqualTo(1);
            assertThat(item.protocol()).isEqualTo("HTTP/1.1");
            assertThat(item.clientAddress()).isEqualTo("127.0.0.1");
            assertThat(item.proxyServerId()).isEqualTo("web");
            assertThat(item.routerId()).isEqualTo("all");
            assertThat(item.routeId()).isNotNull();
            assertThat(item.node()).startsWith("http://127.0.0.1:");
            assertThat(item.revision()).isEqualTo(1);
            assertThat(item.durationMicros()).isPositive();
            assertThat(item.error()).isNull();
            assertThat(Json.text(item)).doesNotContain("secret");
        }
    }

    @Test
    void aRefusalSaysWhyAndARequestHasTheRevisionThatServedIt() throws Exception {
        gateway.apply(new Config().server("web", port));
        RawClient.get(port, "shop.example.com", "/nowhere");
        LastRequest refused = last(1).getFirst();
        assertThat(refused.status()).isEqualTo(404);
        assertThat(refused.error()).isEqualTo("no_route");
        assertThat(refused.routeId()).isNull();
        assertThat(refused.revision()).isEqualTo(1);

        gateway.apply(Config.forwarding(port, "http://127.0.0.1:" + Config.freePort()));
        RawClient.get(port, "shop.example.com", "/unreachable");
        LastRequest failed = last(2).getFirst();
        assertThat(failed.path()).isEqualTo("/unreachable");
        assertThat(failed.status()).isEqualTo(502);
        assertThat(failed.error()).isEqualTo("connect_failed");
        assertThat(failed.revision()).isEqualTo(2);
    }

    @Test
    void aConnectionOfTcpIsToldWhenItEnds() throws Exception {
        try (SocketNode node = SocketNode.greeting("220 mail")) {
            gateway.apply(new Config()
                    .server(ProxyServer.builder()
                            .id("mail")
                            .host("127.0.0.1")
                            .port(port)
                            .protocol(Protocol.TCP)
                            .build())
                    .router(Router.builder()
                            .id("all")
                            .proxyServerId("mail")
                            .proxyPassId("pass")
                            .build())
                    .pass("pass", "nodes")
                    .upstream("nodes", node.url()));
            try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
                assertThat(client.getInputStream().readAllBytes()).hasSize(8);
            }

            LastRequest item = last(1).getFirst();

            assertThat(item.protocol()).isEqualTo("TCP");
            assertThat(item.proxyServerId()).isEqualTo("mail");
            assertThat(item.upstreamId()).isEqualTo("nodes");
            assertThat(item.bytesOut()).isEqualTo(8);
            assertThat(item.status()).isZero();
            assertThat(item.path()).isEmpty();
            assertThat(item.clientAddress()).isEqualTo("127.0.0.1");
        }
    }

    @Test
    void requestsInFramesAreTold() throws Exception {
        byte[] request = BoltFrame.v1()
                .className("com.example.Request")
                .header("service", "com.example.Orders")
                .id(7)
                .bytes();
        BoltFrame answer = BoltFrame.v1().type(BoltFrame.RESPONSE).className("");
        byte[] received = answer.id(7).bytes();
        // The id that the gateway gives to the first request on a connection.
        byte[] sent = answer.id(1).bytes();
        try (SocketNode node = SocketNode.start(socket -> {
            socket.getInputStream().readNBytes(request.length);
            socket.getOutputStream().write(sent);
            socket.getInputStream().readNBytes(request.length);
        })) {
            gateway.apply(new Config()
                    .server(ProxyServer.builder()
                            .id("rpc")
                            .host("127.0.0.1")
                            .port(port)
                            .protocol(Protocol.BOLT)
                            .build())
                    .router(Router.builder()
                            .id("all")
                            .proxyServerId("rpc")
                            .proxyPassId("pass")
                            .build())
                    .pass("pass", "nodes")
                    .upstream("nodes", node.url()));
            try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
                client.getOutputStream().write(request);
                assertThat(client.getInputStream().readNBytes(received.length)).isEqualTo(received);
                LastRequest item = last(1).getFirst();
                assertThat(item.protocol()).isEqualTo("BOLT/1");
                assertThat(item.path()).isEqualTo("com.example.Orders");
                assertThat(item.host()).isEmpty();
                assertThat(item.proxyServerId()).isEqualTo("rpc");
                assertThat(item.routerId()).isEqualTo("all");
                assertThat(item.proxyPassId()).isEqualTo("pass");
                assertThat(item.upstreamId()).isEqualTo("nodes");
                assertThat(item.node()).isEqualTo(node.url());
                assertThat(item.status()).isEqualTo(200);
                assertThat(item.attempts()).isEqualTo(1);
                assertThat(item.bytesIn()).isEqualTo(request.length);
                assertThat(item.bytesOut()).isEqualTo(received.length);
                assertThat(item.clientAddress()).isEqualTo("127.0.0.1");
                assertThat(item.revision()).isEqualTo(1);
                assertThat(item.error()).isNull();

                client.getOutputStream().write(request);
                assertThat(last(2)).extracting(LastRequest::error).containsExactlyInAnyOrder(null, "upstream_reset");
            }
        }
    }

    @Test
    void aRouteWithoutAccessLogHasNoRequests() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway.apply(Config.forwarding(port, node.url())
                    .with(
                            ResourceType.PROXY_SERVER,
                            "web",
                            server -> server.toBuilder()
                                    .plugins(Plugins.builder()
                                            .accessLog(AccessLogPlugin.builder()
                                                    .enabled(false)
                                                    .build())
                                            .build())
                                    .build()));
            RawClient.get(port, "shop.example.com", "/private");
            gateway.apply(Config.forwarding(port, node.url()));
            RawClient.get(port, "shop.example.com", "/public");

            assertThat(last(1)).extracting(LastRequest::path).containsExactly("/public");
        }
    }

    @Test
    void aWatchGoesOnWhereItWas() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway.apply(Config.forwarding(port, node.url()));
            String next = ask(true, null).next();
            Set<String> seen = new TreeSet<>();
            for (int i = 0; i < 20; i++) {
                RawClient.get(port, "shop.example.com", "/r" + i);
                RequestsAnswer answer = ask(true, next);
                next = answer.next();
                answer.items().forEach(item -> assertThat(seen.add(item.path())).isTrue());
            }
            long deadline = System.nanoTime() + 20_000_000_000L;
            while (seen.size() < 20 && System.nanoTime() < deadline) {
                RequestsAnswer answer = ask(true, next);
                next = answer.next();
                answer.items().forEach(item -> assertThat(seen.add(item.path())).isTrue());
            }
            assertThat(seen).hasSize(20);
        }
    }

    @Test
    void anAnswerFitsAMessage() throws Exception {
        gateway.apply(new Config().server("web", port));
        ask(true, null);
        for (int i = 0; i < 100; i++) {
            RawClient.get(port, "h".repeat(60) + ".example.com", "/" + i + "x".repeat(1_000));
        }
        RequestsAnswer answer = ask(true, null);
        assertThat(Json.bytes(answer)).hasSizeLessThan(ClusterEndpoint.GATEWAY_MESSAGE_BYTES_MAX);
        assertThat(answer.items()).hasSizeBetween(20, 80);
    }

    /** One is on its way and some wait; what is asked beyond is dropped. */
    @Test
    void aControlPlaneThatTakesNoAnswersHoldsUpNothing() throws Exception {
        gateway.apply(new Config().server("web", port));
        link.hold();
        for (int i = 0; i < 1_000; i++) {
            link.ask(question(RequestFilter.ALL, true, null));
        }
        link.answer();
        assertThat(RawClient.get(port, "shop.example.com", "/nowhere").status()).isEqualTo(404);
        assertThat(link.waiting()).isZero();

        link.release();
        GatewayHarness.eventually(() -> link.waiting() == 16);
        List<RequestsAnswer> waited = new ArrayList<>();
        while (link.waiting() > 0) {
            waited.add(link.answer());
        }
        assertThat(waited).hasSize(16);
        assertThat(ask(true, null).items()).isNotEmpty();
    }
}
