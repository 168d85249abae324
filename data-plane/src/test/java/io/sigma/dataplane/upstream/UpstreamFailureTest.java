package io.sigma.dataplane.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.model.Pool;
import io.sigma.model.Timeouts;
import io.sigma.snapshot.ResourceType;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes that are dead, slow, wrong or full. */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class UpstreamFailureTest extends EngineContract {

    private static final int MANY = 40;

    private Config slow(String node, int responseMillis, Pool pool) {
        return pooled(node, pool)
                .with(
                        ResourceType.PROXY_PASS,
                        "pass",
                        pass -> pass.toBuilder()
                                .timeouts(Timeouts.builder()
                                        .connectMillis(1000)
                                        .responseMillis(responseMillis)
                                        .idleMillis(500)
                                        .build())
                                .build());
    }

    private Config pooled(String node, Pool pool) {
        return forwarding(node)
                .with(
                        ResourceType.UPSTREAM,
                        "nodes",
                        upstream -> upstream.toBuilder().pool(pool).build());
    }

    private static Pool pool(int connections, int queue) {
        return Pool.builder().connectionsMax(connections).queueMax(queue).build();
    }

    @Test
    void deadNodeIsPassedOverForAnyMethod() throws Exception {
        String dead = "http://127.0.0.1:" + Config.freePort();
        try (TestNode alive = TestNode.start((request, connection) -> connection.ok(request.text()))) {
            gateway().apply(forwarding(dead, alive.url()));
            try (RawClient client = RawClient.connect(port())) {
                for (int i = 0; i < 20; i++) {
                    client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi");
                    RawClient.Answer answer = client.read();
                    assertThat(answer.status()).isEqualTo(200);
                    assertThat(answer.text()).isEqualTo("hi");
                }
            }
        }
    }

    @Test
    void noNodeAliveIsABadGatewayWithABody() throws Exception {
        gateway().apply(forwarding("http://127.0.0.1:" + Config.freePort(), "http://127.0.0.1:" + Config.freePort()));
        RawClient.Answer answer = get("/");
        assertThat(answer.status()).isEqualTo(502);
        assertThat(answer.body()).isNotEmpty();
        assertThat(answer.text()).doesNotContain("127.0.0.1").doesNotContain("Exception");
    }

    @Test
    void nodeThatDoesNotAnswerInTimeIsAGatewayTimeout() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        try (TestNode node = TestNode.start((request, connection) -> done.await(20, TimeUnit.SECONDS))) {
            gateway().apply(slow(node.url(), 300, pool(10, 10)));
            assertThat(get("/").status()).isEqualTo(504);
            GatewayHarness.eventually(() -> node.openNow() <= 1);
            done.countDown();
        }
    }

    @Test
    void connectionThatIsNotAcceptedInTimeIsAGatewayTimeout() throws Exception {
        // Nobody accepts, and the queue of the kernel is full.
        try (ServerSocket deaf = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            List<Socket> fillers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                Socket filler = new Socket();
                fillers.add(filler);
                Thread.ofVirtual().start(() -> {
                    try {
                        filler.connect(deaf.getLocalSocketAddress(), 10_000);
                    } catch (IOException e) {
                        // The queue is full, which is what it is for.
                    }
                });
            }
            gateway().apply(slow("http://127.0.0.1:" + deaf.getLocalPort(), 300, pool(10, 10)));
            GatewayHarness.eventually(() -> statusOf("/") == 504);
            for (Socket filler : fillers) {
                filler.close();
            }
        }
    }

    @Test
    void pauseWithinABodyAbortsTheResponse() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        try (TestNode node = TestNode.start((request, connection) -> {
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n");
            done.await(20, TimeUnit.SECONDS);
        })) {
            gateway().apply(slow(node.url(), 5000, pool(10, 10)));
            assertThatThrownBy(() -> get("/")).isInstanceOfAny(EOFException.class, java.net.SocketException.class);
            done.countDown();
        }
    }

    @Test
    void idleConnectionThatTheNodeClosedIsReplaced() throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> {
            connection.ok("ok");
            if (request.target().equals("/last")) {
                connection.socket().close();
            }
        })) {
            gateway().apply(forwarding(node.url()));
            for (int i = 0; i < 20; i++) {
                assertThat(get("/last").status()).isEqualTo(200);
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("badResponses")
    void badResponseIsABadGateway(String name, String response) throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> {
            connection.send(response);
            connection.socket().shutdownOutput();
        })) {
            gateway().apply(slow(node.url(), 2000, pool(10, 10)));
            assertThat(get("/").status()).as(name).isEqualTo(502);
        }
    }

    static Stream<Arguments> badResponses() {
        return Stream.of(
                Arguments.of("nothing", ""),
                Arguments.of("half a head", "HTTP/1.1 200 OK\r\nContent-Le"),
                Arguments.of("no HTTP", "SSH-2.0-OpenSSH_9.2\r\n\r\n"),
                Arguments.of("bad length", "HTTP/1.1 200 OK\r\nContent-Length: +3\r\n\r\nabc"),
                Arguments.of("two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc"),
                Arguments.of(
                        "TE with CL",
                        "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"),
                Arguments.of("head over its limit", "HTTP/1.1 200 OK\r\nX: " + "a".repeat(100_000) + "\r\n\r\n"),
                Arguments.of("switching unasked", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"));
    }

    @Test
    void requestThatMayNotWaitIsToldToComeAgain() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        try (TestNode node = TestNode.start((request, connection) -> {
            done.await(20, TimeUnit.SECONDS);
            connection.ok("ok");
        })) {
            gateway().apply(slow(node.url(), 20_000, pool(1, 0)));
            RawClient first = RawClient.connect(port());
            first.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            GatewayHarness.eventually(() -> node.openNow() == 1);
            RawClient.Answer answer = get("/");
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.field("retry-after")).isEqualTo("1");
            done.countDown();
            assertThat(first.read().status()).isEqualTo(200);
            first.close();
        }
    }

    @Test
    void burstOfRequestsWaitsForTheNode() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        try (TestNode node = TestNode.start((request, connection) -> {
            done.await(20, TimeUnit.SECONDS);
            connection.ok("ok");
        })) {
            gateway()
                    .apply(pooled(node.url(), Pool.builder().connectionsMax(1).build())
                            .patient("pass"));
            List<RawClient> clients = new ArrayList<>();
            for (int i = 0; i < 1_500; i++) {
                clients.add(RawClient.connect(port()));
                clients.getLast().send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            }
            done.countDown();
            for (RawClient client : clients) {
                assertThat(client.read().status()).isEqualTo(200);
                client.close();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 5})
    void poolUsesNoMoreConnectionsThanAllowedOverAllLoops(int connectionsMax) throws Exception {
        AtomicInteger busy = new AtomicInteger();
        AtomicInteger busyMax = new AtomicInteger();
        try (TestNode node = TestNode.start((request, connection) -> {
                    busyMax.accumulateAndGet(busy.incrementAndGet(), Math::max);
                    Thread.sleep(20);
                    busy.decrementAndGet();
                    connection.ok("ok");
                });
                ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            gateway()
                    .apply(slow(node.url(), 20_000, pool(connectionsMax, 1000)))
                    .apply(pooled(node.url(), pool(connectionsMax, 1000)).patient("pass"));
            List<Future<Integer>> answers = new ArrayList<>();
            for (int i = 0; i < MANY; i++) {
                answers.add(clients.submit(() -> get("/").status()));
            }
            for (Future<Integer> answer : answers) {
                assertThat(answer.get(30, TimeUnit.SECONDS)).isEqualTo(200);
            }
            assertThat(busyMax.get()).isEqualTo(connectionsMax);
        }
    }

    @Test
    void requestBeyondTheQueueIsUnavailable() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        try (TestNode node = TestNode.start((request, connection) -> {
                    release.await(20, TimeUnit.SECONDS);
                    connection.ok("ok");
                });
                ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            gateway().apply(pooled(node.url(), pool(2, 3)).patient("pass"));
            List<Future<Integer>> answers = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                answers.add(clients.submit(() -> get("/").status()));
            }
            GatewayHarness.eventually(
                    () -> answers.stream().filter(Future::isDone).count() == 15);
            release.countDown();
            List<Integer> statuses = new ArrayList<>();
            for (Future<Integer> answer : answers) {
                statuses.add(answer.get(30, TimeUnit.SECONDS));
            }
            assertThat(statuses).filteredOn(status -> status == 503).hasSize(15);
            assertThat(statuses).filteredOn(status -> status == 200).hasSize(5);
        }
    }

    @Test
    void clientsThatGoAwayLeaveNothingBehind() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        try (TestNode node = TestNode.startHeadsOnly((request, connection) -> {
            if (!request.target().equals("/free")) {
                release.await(20, TimeUnit.SECONDS);
            }
            connection.ok("ok");
        })) {
            // A connection whose request left before it was open waits for another one, but not for long.
            gateway()
                    .apply(slow(
                            node.url(),
                            20_000,
                            Pool.builder()
                                    .connectionsMax(5)
                                    .queueMax(1000)
                                    .idleTimeoutMillis(1000)
                                    .build()));
            List<RawClient> leaving = new ArrayList<>();
            for (int i = 0; i < MANY; i++) {
                RawClient client = RawClient.connect(port());
                client.send("POST /stuck HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\nhalf of it");
                leaving.add(client);
            }
            GatewayHarness.eventually(() -> node.openNow() >= 1);
            for (RawClient client : leaving) {
                client.socket().setSoLinger(true, 0);
                client.close();
            }
            GatewayHarness.eventually(() -> statusOf("/free") == 200);
            release.countDown();
            GatewayHarness.eventually(() -> node.openNow() == 0);
            for (int i = 0; i < 10; i++) {
                assertThat(get("/free").status()).isEqualTo(200);
            }
        }
    }

    @Test
    void slowShortBodiesHoldNoConnectionToANode() throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> connection.ok("ok"))) {
            gateway().apply(slow(node.url(), 20_000, pool(2, 10)));
            List<RawClient> slow = new ArrayList<>();
            for (int i = 0; i < MANY; i++) {
                RawClient client = RawClient.connect(port());
                client.send("POST /slow HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nx");
                slow.add(client);
            }
            for (int i = 0; i < 10; i++) {
                assertThat(get("/").status()).isEqualTo(200);
            }
            assertThat(node.received()).allMatch(request -> request.target().equals("/"));
            for (RawClient client : slow) {
                client.close();
            }
        }
    }

    private int statusOf(String target) {
        try {
            return get(target).status();
        } catch (Exception e) {
            return -1;
        }
    }
}
