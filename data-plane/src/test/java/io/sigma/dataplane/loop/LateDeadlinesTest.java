package io.sigma.dataplane.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.TestSettings;
import io.sigma.model.Retry;
import io.sigma.model.ServerLimits;
import io.sigma.model.Timeouts;
import io.sigma.snapshot.ResourceType;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** Bytes that arrived before an event loop noticed a deadline count, however late the loop is. */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class LateDeadlinesTest extends EngineContract {

    private static final int FIRST_MILLIS = 1_000;
    private static final int LAST_MILLIS = 30_000;
    private static final String REQUEST = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String HEAD = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n";

    /** What a peer does while the loops are busy. */
    private interface Late {
        void happen() throws Exception;
    }

    /** One try: it fails to say anything where the machine is so slow that the deadline passed before. */
    private interface Try {
        /** @return false where the deadline may have passed before the loops were busy */
        boolean ends(int millis) throws Exception;
    }

    @Override
    protected GatewaySettings settings(Path dataDir) {
        return TestSettings.of(dataDir).loops(1).build();
    }

    private void untilInTime(Try attempt) throws Exception {
        int millis = FIRST_MILLIS;
        while (!attempt.ends(millis)) {
            millis *= 2;
            assertThat(millis).isLessThan(LAST_MILLIS);
        }
    }

    /**
     * Has {@code late} happen while the loops are busy, and a deadline pass that began at {@code since} at the earliest
     * and now at the latest.
     *
     * @return whether the loops were busy before it passed
     */
    private boolean isBusyPast(int millis, long since, Late late) throws Exception {
        boolean[] inTime = new boolean[1];
        gateway().whileLoopsAreBusy(() -> {
            long now = System.nanoTime();
            inTime[0] = now - since < millis * 1_000_000L;
            late.happen();
            Thread.sleep(millis + 20);
        });
        return inTime[0];
    }

    private RawClient connect(Config config) throws Exception {
        gateway().apply(config);
        return RawClient.connect(port());
    }

    /** Returns when the loop has read what was sent before. */
    private void awaitLoop() throws Exception {
        assertThat(exchange("OPTIONS * HTTP/1.1\r\nHost: a\r\nMax-Forwards: 0\r\n\r\n")
                        .status())
                .isEqualTo(204);
    }

    private Config timed(String node, Timeouts.Builder timeouts) {
        return forwarding(node)
                .with(
                        ResourceType.PROXY_PASS,
                        "pass",
                        pass -> pass.toBuilder().timeouts(timeouts.build()).build());
    }

    private Config limited(String node, ServerLimits.Builder limits) {
        return forwarding(node)
                .with(
                        ResourceType.PROXY_SERVER,
                        "web",
                        server -> server.toBuilder().limits(limits.build()).build());
    }

    /** A node that sends {@code first} at once, and the rest of its response when it is told. */
    private void lateResponse(String first, String rest, IntFunction<Timeouts.Builder> timeouts) throws Exception {
        untilInTime(millis -> {
            CountDownLatch go = new CountDownLatch(1);
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch sent = new CountDownLatch(1);
            try (TestNode node = TestNode.start((request, connection) -> {
                        connection.send(first);
                        begun.countDown();
                        go.await();
                        connection.send(rest);
                        sent.countDown();
                    });
                    RawClient client = connect(timed(node.url(), timeouts.apply(millis)))) {
                long since = System.nanoTime();
                client.send(REQUEST);
                begun.await();
                if (!first.isEmpty()) {
                    client.in().mark(1);
                    assertThat(client.in().read()).isNotNegative();
                    client.in().reset();
                }
                boolean inTime = isBusyPast(millis, since, () -> {
                    go.countDown();
                    sent.await();
                });
                if (inTime) {
                    assertThat(client.read().text()).isEqualTo("done");
                }
                return inTime;
            }
        });
    }

    @Test
    void responseThatHasArrivedWins() throws Exception {
        lateResponse("", HEAD + "done", millis -> Timeouts.builder().responseMillis(millis));
    }

    @Test
    void responseThatHasArrivedWinsOverTheTimeOfTheWholeRequest() throws Exception {
        lateResponse("", HEAD + "done", millis -> Timeouts.builder().totalMillis(millis));
    }

    @Test
    void bodyThatHasArrivedWins() throws Exception {
        lateResponse(HEAD, "done", millis -> Timeouts.builder().idleMillis(millis));
    }

    @Test
    void connectionThatIsOpenWins() throws Exception {
        untilInTime(millis -> {
            List<Socket> fillers = new ArrayList<>();
            try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                    RawClient client = connect(timed(
                                    "http://127.0.0.1:" + full.getLocalPort(),
                                    Timeouts.builder().connectMillis(millis))
                            .with(
                                    ResourceType.PROXY_PASS,
                                    "pass",
                                    pass -> pass.toBuilder()
                                            .retry(Retry.builder()
                                                    .attemptsMax(1)
                                                    .build())
                                            .build()))) {
                fill(full, fillers);
                long since = System.nanoTime();
                client.send(REQUEST);
                awaitLoop();
                boolean inTime = isBusyPast(millis, since, () -> {
                    accept(full, fillers.size());
                    Socket last = full.accept();
                    fillers.add(last);
                });
                if (inTime) {
                    Socket last = fillers.getLast();
                    TestNode.Connection connection =
                            new TestNode.Connection(last, last.getInputStream(), last.getOutputStream());
                    assertThat(last.getInputStream().readNBytes(5)).asString().isEqualTo("GET /");
                    connection.ok("done");
                    assertThat(client.read().text()).isEqualTo("done");
                }
                return inTime;
            } finally {
                for (Socket filler : fillers) {
                    filler.close();
                }
            }
        });
    }

    /** Takes all places of those who wait to be accepted: the kernel answers nobody who connects next. */
    private static void fill(ServerSocket node, List<Socket> fillers) throws Exception {
        while (true) {
            Socket filler = new Socket();
            try {
                filler.connect(new InetSocketAddress(node.getInetAddress(), node.getLocalPort()), 200);
                fillers.add(filler);
            } catch (SocketTimeoutException e) {
                filler.close();
                return;
            }
        }
    }

    private static void accept(ServerSocket node, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            node.accept().close();
        }
    }

    @Test
    void headOfARequestThatHasArrivedWins() throws Exception {
        untilInTime(millis -> {
            try (TestNode node = TestNode.named("done");
                    RawClient client =
                            connect(limited(node.url(), ServerLimits.builder().headTimeoutMillis(millis)))) {
                long since = System.nanoTime();
                client.send("GET / HTTP/1.1\r\n");
                awaitLoop();
                boolean inTime = isBusyPast(millis, since, () -> client.send("Host: a\r\n\r\n"));
                if (inTime) {
                    assertThat(client.read().text()).isEqualTo("done");
                }
                return inTime;
            }
        });
    }

    @Test
    void requestThatHasArrivedOnAConnectionAtRestWins() throws Exception {
        untilInTime(millis -> {
            try (TestNode node = TestNode.named("done");
                    RawClient client =
                            connect(limited(node.url(), ServerLimits.builder().idleTimeoutMillis(millis)))) {
                long since = System.nanoTime();
                client.send(REQUEST);
                assertThat(client.read().text()).isEqualTo("done");
                boolean inTime = isBusyPast(millis, since, () -> client.send(REQUEST));
                if (inTime) {
                    assertThat(client.read().text()).isEqualTo("done");
                }
                return inTime;
            }
        });
    }
}
