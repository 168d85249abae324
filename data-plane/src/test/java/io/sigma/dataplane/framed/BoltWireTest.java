package io.sigma.dataplane.framed;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.dataplane.testkit.BoltFrame;
import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.SocketNode;
import io.sigma.model.Pool;
import io.sigma.model.RpcCondition;
import io.sigma.model.RpcMatch;
import io.sigma.model.ServerLimits;
import io.sigma.model.TextMatch;
import io.sigma.model.Timeouts;
import io.sigma.snapshot.ResourceType;
import java.io.IOException;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The handling of Bolt frames, byte by byte. */
final class BoltWireTest extends BoltContract {

    @Test
    void idsOfClientsComeBack() throws Exception {
        try (SocketNode node = named("a")) {
            gateway().apply(passing(node.url()));
            try (Socket first = connect();
                    Socket second = connect()) {
                for (int id : new int[] {1, 0, -1, Integer.MIN_VALUE, 77}) {
                    assertThat(call(first, BoltFrame.v1().id(id)).id()).isEqualTo(id);
                    assertThat(call(second, BoltFrame.v1().id(id)).id()).isEqualTo(id);
                }
            }
        }
    }

    @Test
    void headerPairsChooseTheNode() throws Exception {
        try (SocketNode exact = named("exact");
                SocketNode prefix = named("prefix");
                SocketNode regex = named("regex");
                SocketNode absent = named("absent");
                SocketNode rest = named("rest")) {
            Config config = passing(rest.url());
            add(config, "exact", exact, condition().value("orders"));
            add(config, "prefix", prefix, condition().prefix("invoices."));
            add(config, "regex", regex, condition().regex("stock-[0-9]+"));
            add(config, "absent", absent, condition().present(false));
            gateway().apply(config);
            try (Socket client = connect()) {
                assertThat(answerTo(client, "orders")).isEqualTo("exact");
                assertThat(answerTo(client, "invoices.eu")).isEqualTo("prefix");
                assertThat(answerTo(client, "stock-12")).isEqualTo("regex");
                assertThat(answerTo(client, "stock-x")).isEqualTo("rest");
                assertThat(new String(call(client, BoltFrame.v1()).content(), UTF_8))
                        .isEqualTo("absent");
            }
        }
    }

    private static RpcCondition.Builder condition() {
        return RpcCondition.builder().name("service");
    }

    private static void add(Config config, String id, SocketNode node, RpcCondition.Builder condition) {
        config.router(router(
                        id,
                        RpcMatch.builder().headers(List.of(condition.build())).build(),
                        "to-" + id))
                .pass("to-" + id, id)
                .upstream(id, node.url());
    }

    private static String answerTo(Socket client, String service) throws IOException {
        return new String(
                call(client, BoltFrame.v1().header("service", service)).content(), UTF_8);
    }

    @Test
    void heartbeatsAreAnsweredByTheGateway() throws Exception {
        gateway().apply(passing(node(Config.freePort())));
        try (Socket client = connect()) {
            Received alive = call(client, BoltFrame.v1().heartbeat().id(5));
            assertThat(alive.type()).isEqualTo(BoltFrame.RESPONSE);
            assertThat(alive.command()).isZero();
            assertThat(alive.id()).isEqualTo(5);
        }
    }

    @Test
    void requestThatNoRouterTakesIsToldSo() throws Exception {
        try (SocketNode node = named("a")) {
            gateway()
                    .apply(new Config()
                            .server(server().build())
                            .router(router(
                                    "orders",
                                    RpcMatch.builder()
                                            .service(TextMatch.builder()
                                                    .prefix("com.other.")
                                                    .build())
                                            .build(),
                                    "pass"))
                            .pass("pass", "nodes")
                            .upstream("nodes", node.url()));
            try (Socket client = connect()) {
                assertThat(call(client, BoltFrame.v1()).status()).isEqualTo(6);
                assertThat(call(client, BoltFrame.v1().className("com.other.X")).status())
                        .isZero();
            }
            assertThat(records(1).getFirst().path("error").asText()).isEqualTo("no_route");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"code", "length", "large", "answer"})
    void invalidFramesCloseTheConnectionAndReachNoNode(String what) throws Exception {
        AtomicInteger arrived = new AtomicInteger();
        try (SocketNode node = SocketNode.start(socket -> {
            Received.read(socket);
            arrived.incrementAndGet();
        })) {
            gateway()
                    .apply(passing(node.url())
                            .server(server().limits(ServerLimits.builder()
                                            .frameBytesMax(1_024)
                                            .build())
                                    .build()));
            byte[] frame = switch (what) {
                case "large" -> BoltFrame.v1().content(new byte[2_000]).bytes();
                case "answer" -> BoltFrame.v1().type(BoltFrame.RESPONSE).bytes();
                default -> BoltFrame.v1().bytes();
            };
            if (what.equals("code")) {
                frame[0] = 'G';
            } else if (what.equals("length")) {
                frame[18] = -1;
            }
            try (Socket client = connect()) {
                client.getOutputStream().write(frame);
                assertThat(isClosed(client)).isTrue();
            }
            JsonNode record = records(1).getFirst();
            assertThat(record.path("error").asText())
                    .isEqualTo(what.equals("large") ? "body_too_large" : "bad_request");
            assertThat(arrived).hasValue(0);
        }
    }

    @Test
    void timeOfTheFrameIsKept() throws Exception {
        try (SocketNode node =
                SocketNode.start(socket -> socket.getInputStream().readAllBytes())) {
            gateway().apply(passing(node.url()));
            try (Socket client = connect()) {
                assertThat(call(client, BoltFrame.v1().timeoutMillis(150)).status())
                        .isEqualTo(7);
            }
            assertThat(records(1).getFirst().path("error").asText()).isEqualTo("total_timeout");
            gateway()
                    .apply(passing(node.url())
                            .with(
                                    ResourceType.PROXY_PASS,
                                    "pass",
                                    pass -> pass.toBuilder()
                                            .timeouts(Timeouts.builder()
                                                    .responseMillis(150)
                                                    .build())
                                            .build()));
            try (Socket client = connect()) {
                assertThat(call(client, BoltFrame.v1().timeoutMillis(0)).status())
                        .isEqualTo(7);
            }
            assertThat(records(2).getLast().path("error").asText()).isEqualTo("response_timeout");
        }
    }

    @Test
    void lateAnswerReachesNobodyElse() throws Exception {
        CountDownLatch late = new CountDownLatch(1);
        try (SocketNode node = SocketNode.start(socket -> {
            Received first = Received.read(socket);
            Received second = Received.read(socket);
            socket.getOutputStream().write(answer(first, "late".getBytes(UTF_8)).bytes());
            socket.getOutputStream()
                    .write(answer(second, "in time".getBytes(UTF_8)).bytes());
            late.await(10, TimeUnit.SECONDS);
        })) {
            gateway().apply(passing(node.url()));
            try (Socket client = connect()) {
                assertThat(call(client, BoltFrame.v1().id(3).timeoutMillis(100)).status())
                        .isEqualTo(7);
                Received answer = call(client, BoltFrame.v1().id(3).timeoutMillis(10_000));
                assertThat(new String(answer.content(), UTF_8)).isEqualTo("in time");
            }
            late.countDown();
        }
    }

    @Test
    void clientWithManyRequestsIsNotReadAnyMore() throws Exception {
        AtomicInteger arrived = new AtomicInteger();
        CountDownLatch go = new CountDownLatch(1);
        try (SocketNode node = SocketNode.start(socket -> {
            for (int i = 0; i < 100; i++) {
                Received request = Received.read(socket);
                arrived.incrementAndGet();
                if (i == 9) {
                    go.await(10, TimeUnit.SECONDS);
                    for (int id = 1; id < 10; id++) {
                        socket.getOutputStream()
                                .write(BoltFrame.v1()
                                        .type(BoltFrame.RESPONSE)
                                        .id(id)
                                        .bytes());
                    }
                }
                if (i >= 9) {
                    socket.getOutputStream().write(answer(request, new byte[1]).bytes());
                }
            }
        })) {
            gateway()
                    .apply(passing(node.url())
                            .server(server().limits(
                                            ServerLimits.builder().callsMax(10).build())
                                    .build()));
            try (Socket client = connect()) {
                byte[] frame = BoltFrame.v1().bytes();
                for (int i = 0; i < 100; i++) {
                    client.getOutputStream().write(frame);
                }
                GatewayHarness.eventually(() -> arrived.get() == 10);
                TimeUnit.MILLISECONDS.sleep(200);
                assertThat(arrived).hasValue(10);
                go.countDown();
                for (int i = 0; i < 100; i++) {
                    assertThat(Received.read(client).status()).isZero();
                }
            }
        }
    }

    @Test
    void clientThatDoesNotReadIsEnded() throws Exception {
        byte[] large = new byte[256 * 1024];
        try (SocketNode node = SocketNode.start(socket -> {
            while (true) {
                socket.getOutputStream()
                        .write(answer(Received.read(socket), large).bytes());
            }
        })) {
            gateway()
                    .apply(passing(node.url())
                            .server(server().limits(ServerLimits.builder()
                                            .idleTimeoutMillis(1_000)
                                            .callsMax(20)
                                            .build())
                                    .build()));
            try (Socket slow = connect();
                    Socket other = connect()) {
                for (int i = 0; i < 200; i++) {
                    slow.getOutputStream().write(BoltFrame.v1().bytes());
                }
                // Others on the same connection to the node do not wait for it.
                for (int i = 0; i < 5; i++) {
                    assertThat(call(other, BoltFrame.v1()).content()).hasSize(large.length);
                }
                GatewayHarness.eventually(() -> gateway().metric("sigma_held_bytes") == 0);
            }
        }
    }

    /** 240 bytes a second, over the idle time. */
    @Test
    void frameThatDripsEndsTheConnection() throws Exception {
        try (SocketNode node = named("a")) {
            gateway()
                    .apply(passing(node.url())
                            .server(server().limits(ServerLimits.builder()
                                            .idleTimeoutMillis(1_000)
                                            .build())
                                    .build()));
            byte[] frame = BoltFrame.v1().content(new byte[4_096]).bytes();
            try (Socket slow = connect()) {
                Thread dripping = Thread.ofVirtual().start(() -> {
                    try {
                        for (byte octet : frame) {
                            slow.getOutputStream().write(octet);
                            Thread.sleep(50);
                        }
                    } catch (IOException | InterruptedException e) {
                        // The gateway has ended it.
                    }
                });
                slow.setSoTimeout(30_000);
                assertThat(slow.getInputStream().read()).isEqualTo(-1);
                dripping.interrupt();
            }
            try (Socket quick = connect()) {
                for (int i = 0; i < 3; i++) {
                    quick.getOutputStream().write(frame, 0, 100);
                    Thread.sleep(500);
                    quick.getOutputStream().write(frame, 100, frame.length - 100);
                    assertThat(Received.read(quick).status()).isZero();
                }
            }
        }
    }

    @Test
    void fullQueueIsBusy() throws Exception {
        try (SocketNode node =
                SocketNode.start(socket -> socket.getInputStream().readAllBytes())) {
            gateway()
                    .apply(passing(node.url())
                            .pooled(Pool.builder()
                                    .connectionsMax(1)
                                    .streamsMax(1)
                                    .queueMax(0)));
            try (Socket client = connect()) {
                client.getOutputStream().write(BoltFrame.v1().id(1).bytes());
                Received busy = call(client, BoltFrame.v1().id(2));
                assertThat(busy.id()).isEqualTo(2);
                assertThat(busy.status()).isEqualTo(4);
            }
        }
    }

    @Test
    void nextNodeIsTriedWhileNothingWasSent() throws Exception {
        try (SocketNode node = named("a")) {
            gateway().apply(passing(node(Config.freePort()), node.url()));
            try (Socket client = connect()) {
                for (int i = 0; i < 10; i++) {
                    assertThat(call(client, BoltFrame.v1()).status()).isZero();
                }
            }
        }
    }

    @Test
    void nodeThatBreaksOffIsACommunicationError() throws Exception {
        try (SocketNode node = SocketNode.start(Received::read)) {
            gateway().apply(passing(node.url()));
            try (Socket client = connect()) {
                assertThat(call(client, BoltFrame.v1()).status()).isEqualTo(5);
            }
            assertThat(records(1).getFirst().path("error").asText()).isEqualTo("upstream_reset");
        }
    }

    @Test
    void routerCountsItsRequests() throws Exception {
        try (SocketNode node = named("a")) {
            gateway().apply(passing(node.url()));
            try (Socket client = connect()) {
                call(client, BoltFrame.v1());
                call(client, BoltFrame.v1());
            }
            GatewayHarness.eventually(() ->
                    gateway().metric("sigma_requests_total{proxy_server=\"in\",route=\"all\",status=\"2xx\"}") == 2);
        }
    }
}
