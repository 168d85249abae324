package io.sigma.dataplane.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.PacedNode;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.model.Pool;
import io.sigma.snapshot.ResourceType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Three times what a node can do. {@code -Dsigma.test.overload=10} has it all ten times as fast, and
 * {@code -Dsigma.test.seconds=30} for longer; what came of it is printed.
 */
final class OverloadTest extends EngineContract {

    private static final int SCALE = Integer.getInteger("sigma.test.overload", 1);
    private static final int SECONDS = Integer.getInteger("sigma.test.seconds", 4);
    /** Of the node, a second. */
    private static final int PEAK = 100 * SCALE;

    private static final int CONNECTIONS = 25 * SCALE;
    /** Of a connection over HTTP/2. */
    private static final int STREAMS = 5;

    private static final int TRIES_MAX = 5;

    /** The outcome of a request. */
    private record Result(int status, String retryAfter, long millis, long begunMillis) {}

    private static final int GAVE_UP = 0;

    /** Lets the node have so many requests at a time as {@link #CONNECTIONS} says. */
    private Config bounded(PacedNode node, boolean overHttp2) {
        Pool pool = overHttp2
                ? Pool.builder()
                        .connectionsMax(CONNECTIONS / STREAMS)
                        .streamsMax(STREAMS)
                        .build()
                : Pool.builder().connectionsMax(CONNECTIONS).build();
        Config config = forwarding(node.url());
        return (overHttp2 ? config.overHttp2() : config)
                .with(
                        ResourceType.UPSTREAM,
                        "nodes",
                        upstream -> upstream.toBuilder().pool(pool).build());
    }

    private Result ask(int patienceMillis, long start) {
        long begun = System.nanoTime();
        long since = (begun - start) / 1_000_000;
        try (RawClient client = RawClient.connect(port())) {
            client.socket().setSoTimeout(patienceMillis);
            client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
            RawClient.Answer answer = client.read();
            long millis = (System.nanoTime() - begun) / 1_000_000;
            return millis > patienceMillis
                    ? new Result(GAVE_UP, "", millis, since)
                    : new Result(answer.status(), String.valueOf(answer.field("retry-after")), millis, since);
        } catch (IOException e) {
            return new Result(GAVE_UP, "", (System.nanoTime() - begun) / 1_000_000, since);
        }
    }

    /** Offers {@code rate} requests a second, whatever becomes of those before. */
    private List<Result> offer(int rate, int seconds, int patienceMillis) throws Exception {
        List<Future<Result>> asked = new ArrayList<>();
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            long start = System.nanoTime();
            for (int i = 0; i < rate * seconds; i++) {
                long due = start + i * 1_000_000_000L / rate;
                while (due - System.nanoTime() > 0) {
                    TimeUnit.NANOSECONDS.sleep(Math.min(1_000_000, due - System.nanoTime()));
                }
                asked.add(clients.submit(() -> ask(patienceMillis, start)));
            }
        }
        List<Result> results = new ArrayList<>();
        for (Future<Result> each : asked) {
            results.add(each.get(30, TimeUnit.SECONDS));
        }
        return results;
    }

    private static List<Long> sorted(List<Result> results, int status) {
        return results.stream()
                .filter(result -> result.status == status)
                .map(Result::millis)
                .sorted()
                .toList();
    }

    private static long at(List<Long> sorted, double part) {
        return sorted.isEmpty() ? 0 : sorted.get((int) ((sorted.size() - 1) * part));
    }

    private static void print(String what, List<Result> results, PacedNode node) {
        List<Long> good = sorted(results, 200);
        List<Long> shed = sorted(results, 503);
        System.out.printf(
                "%s: of %d: %d answered (p50 %d ms, p99 %d ms), %d shed (p50 %d ms, p99 %d ms), %d gave up, the node got %d, %d at a time%n",
                what,
                results.size(),
                good.size(),
                at(good, 0.5),
                at(good, 0.99),
                shed.size(),
                at(shed, 0.5),
                at(shed, 0.99),
                results.stream().filter(result -> result.status == GAVE_UP).count(),
                node.begun(),
                node.insideMax());
    }

    @ParameterizedTest
    @CsvSource({"1000, false", "2000, false", "10000, false", "1000, true", "2000, true"})
    void whatTheNodeCanDoIsDoneAndTheRestIsToldAtOnceToComeAgain(int patienceMillis, boolean overHttp2)
            throws Exception {
        try (PacedNode node = new PacedNode(overHttp2, 10, 100 / SCALE)) {
            gateway().apply(bounded(node, overHttp2));
            int good = 0;
            // A machine that is busy with something else may keep the node from working.
            for (int i = 0; i < TRIES_MAX && good < PEAK * SECONDS / 2; i++) {
                List<Result> results = offer(3 * PEAK, SECONDS, patienceMillis);
                print("clients that wait " + patienceMillis + " ms", results, node);
                good = sorted(results, 200).size();
                assertThat(results.stream().filter(result -> result.status != 200 && result.status != GAVE_UP))
                        .allMatch(result -> result.status == 503 && result.retryAfter.equals("1"));
                assertThat(node.insideMax()).isLessThanOrEqualTo(CONNECTIONS);
            }
            assertThat(good).isGreaterThan(PEAK * SECONDS / 2 - 1);
            // It comes back as soon as less is asked of it.
            GatewayHarness.eventually(() -> ask(5_000, System.nanoTime()).status == 200);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void clientsThatGiveUpLetNoOthersIn(boolean overHttp2) throws Exception {
        try (PacedNode node = new PacedNode(overHttp2, 10, 100 / SCALE)) {
            gateway().apply(bounded(node, overHttp2));
            List<Result> results = offer(3 * PEAK, SECONDS, 40);
            print("clients that wait 40 ms", results, node);
            // A stream on a connection whose node has said nothing yet is reset at once, and does not keep its place.
            assertThat(node.insideMax()).isLessThanOrEqualTo(overHttp2 ? 2 * CONNECTIONS : CONNECTIONS);
            assertThat(node.begun()).isLessThan(2 * PEAK * SECONDS);
        }
    }

    @Test
    void requestThatNobodyWaitsForKeepsItsPlaceUntilTheNodeHasAnswered() throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        try (TestNode node = TestNode.start((request, connection) -> {
            if (request.target().equals("/slow")) {
                answer.await(20, TimeUnit.SECONDS);
            }
            connection.ok("ok");
        })) {
            Pool pool = Pool.builder().connectionsMax(1).build();
            gateway()
                    .apply(forwarding(node.url())
                            .with(
                                    ResourceType.UPSTREAM,
                                    "nodes",
                                    upstream -> upstream.toBuilder().pool(pool).build())
                            .patient("pass"));
            try (RawClient client = RawClient.connect(port())) {
                client.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n");
                GatewayHarness.eventually(() -> node.received().size() == 1);
            }
            try (RawClient next = RawClient.connect(port())) {
                next.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                TimeUnit.MILLISECONDS.sleep(200);
                assertThat(node.received()).hasSize(1);
                answer.countDown();
                assertThat(next.read().status()).isEqualTo(200);
            }
        }
    }
}
