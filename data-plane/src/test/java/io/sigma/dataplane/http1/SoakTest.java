package io.sigma.dataplane.http1;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.model.Node;
import io.sigma.model.Retry;
import io.sigma.model.Route;
import io.sigma.model.Upstream;
import io.sigma.snapshot.ResourceType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * Promises that hold under load, for the time of {@code -Dsigma.soakSeconds=60}. The default is short, so that the
 * tests can be run often.
 */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class SoakTest extends EngineContract {

    private static final int SECONDS = Integer.getInteger("sigma.soakSeconds", 3);
    private static final int CLIENTS = 8;
    private static final int NODES = 3;
    private static final long FLAP_MILLIS = 500;
    private static final long CHANGE_MILLIS = 50;
    private static final long STREAM_MILLIS = 20;

    /** What the clients saw. */
    private static final class Tally {
        private final AtomicLong answered = new AtomicLong();
        private final Map<String, Integer> failures = new ConcurrentHashMap<>();

        private void count(int status) {
            answered.incrementAndGet();
            if (status != 200) {
                failures.merge("status " + status, 1, Integer::sum);
            }
        }

        private void failed(IOException e) {
            failures.merge(String.valueOf(e), 1, Integer::sum);
        }
    }

    /** Sends requests on a connection of its own until told to stop, and opens a new one when the gateway closed it. */
    private void client(AtomicBoolean over, Tally tally, Request request) {
        while (!over.get()) {
            try (RawClient client = RawClient.connect(port())) {
                while (!over.get()) {
                    client.send(request.next());
                    RawClient.Answer answer = client.read();
                    tally.count(answer.status());
                    if ("close".equals(answer.field("connection"))) {
                        break;
                    }
                }
            } catch (IOException e) {
                tally.failed(e);
            }
        }
    }

    @FunctionalInterface
    private interface Request {
        String next();
    }

    @Test
    void flappingNodeFailsNoGetAndRepeatsNoPost() throws Exception {
        Map<String, Integer> posts = new ConcurrentHashMap<>();
        TestNode.Script script = (request, connection) -> {
            if (request.line().startsWith("POST ")) {
                posts.merge(request.target(), 1, Integer::sum);
            }
            connection.ok("ok");
        };
        List<TestNode> nodes = new ArrayList<>();
        for (int i = 0; i < NODES; i++) {
            nodes.add(TestNode.startOn(0, script));
        }
        gateway()
                .apply(forwarding(nodes.stream().map(TestNode::url).toArray(String[]::new))
                        .with(
                                ResourceType.PROXY_PASS,
                                "pass",
                                pass -> pass.toBuilder()
                                        .retry(Retry.builder()
                                                .attemptsMax(NODES)
                                                .build())
                                        .build()));
        AtomicBoolean over = new AtomicBoolean();
        Tally gets = new Tally();
        Tally sent = new Tally();
        AtomicInteger ids = new AtomicInteger();
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                running.add(clients.submit(() -> client(over, gets, () -> "GET / HTTP/1.1\r\nHost: a\r\n\r\n")));
            }
            running.add(clients.submit(() -> client(
                    over,
                    sent,
                    () -> "POST /" + ids.incrementAndGet() + " HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi")));
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
            for (int turn = 0; System.nanoTime() < end; turn++) {
                int flapping = turn / 2 % NODES;
                TestNode node = nodes.get(flapping);
                if (turn % 2 == 0) {
                    node.close();
                } else {
                    nodes.set(flapping, TestNode.startOn(node.port(), script));
                }
                TimeUnit.MILLISECONDS.sleep(FLAP_MILLIS);
            }
            over.set(true);
            for (Future<?> client : running) {
                client.get(60, TimeUnit.SECONDS);
            }
        }
        nodes.forEach(TestNode::close);
        double retries = metric("sigma_upstream_retries_total");
        System.out.printf(
                "%d GETs, %d POSTs, %.0f retries; failures of GETs %s, of POSTs %s%n",
                gets.answered.get(), sent.answered.get(), retries, gets.failures, sent.failures);
        assertThat(gets.answered.get()).isGreaterThan(20);
        assertThat(gets.failures).isEmpty();
        assertThat(posts.values()).isNotEmpty().containsOnly(1);
        assertThat(retries).isPositive().isLessThanOrEqualTo(0.2 * (gets.answered.get() + sent.answered.get()));
    }

    @Test
    void changesFailNothingAndLeaveTunnelsAndStreamsAlone() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        try (TestNode node = TestNode.start((request, connection) -> {
                    if (request.target().equals("/stream")) {
                        stream(connection, over);
                    } else if (request.target().equals("/tunnel")) {
                        echo(connection);
                    } else {
                        connection.ok("ok");
                    }
                });
                ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            Config base = forwarding(node.url())
                    .pass("other", "others")
                    .upstream("others", node.url())
                    .route("load", "all", "/load/*", "other");
            gateway().apply(base);
            Tally tally = new Tally();
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                running.add(clients.submit(() -> client(over, tally, () -> "GET /load/1 HTTP/1.1\r\nHost: a\r\n\r\n")));
            }
            Future<Integer> events = clients.submit(() -> readStream(over));
            Future<Integer> echoes = clients.submit(() -> useTunnel(over));
            int changes = (int) (TimeUnit.SECONDS.toMillis(SECONDS) / CHANGE_MILLIS);
            long start = System.nanoTime();
            for (int number = 1; number <= changes; number++) {
                gateway().apply(changed(base.copy(), node.url(), number));
                // By the clock: what a change takes is part of its turn.
                long due = start + TimeUnit.MILLISECONDS.toNanos(number * CHANGE_MILLIS);
                TimeUnit.NANOSECONDS.sleep(Math.max(0, due - System.nanoTime()));
            }
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
            over.set(true);
            for (Future<?> client : running) {
                client.get(60, TimeUnit.SECONDS);
            }
            System.out.printf(
                    "%d changes in %d ms, %d requests, %d events, %d echoes; failures %s%n",
                    changes,
                    millis,
                    tally.answered.get(),
                    events.get(60, TimeUnit.SECONDS),
                    echoes.get(),
                    tally.failures);
            assertThat(millis).as("%d changes at 20 a second", changes).isLessThan(SECONDS * 1250L + 1000);
            assertThat(tally.answered.get()).isGreaterThan(20);
            assertThat(tally.failures).isEmpty();
            assertThat(events.get()).isGreaterThan(10);
            assertThat(echoes.get()).isGreaterThan(10);
        }
    }

    /** Changes routes and the upstream of the load, another one each time. */
    private static Config changed(Config config, String url, int number) {
        Config next = config.route(Route.builder()
                .id("new")
                .routerId("all")
                .path("/new/" + number)
                .proxyPassId("other")
                .build());
        return number % 2 == 0
                ? next
                : next.upstream(Upstream.builder()
                        .id("others")
                        .nodes(List.of(
                                Node.builder().url(url).build(),
                                Node.builder().url(url + "/load").build()))
                        .build());
    }

    private static void stream(TestNode.Connection connection, AtomicBoolean over) throws Exception {
        connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n");
        while (!over.get()) {
            connection.send("9\r\ndata: 1\n\n\r\n");
            TimeUnit.MILLISECONDS.sleep(STREAM_MILLIS);
        }
        connection.send("0\r\n\r\n");
    }

    private static void echo(TestNode.Connection connection) throws IOException {
        connection.send("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n");
        int octet = connection.in().read();
        while (octet >= 0) {
            connection.out().write(octet);
            connection.out().flush();
            octet = connection.in().read();
        }
    }

    /** Returns how many events came before the end, which must be in order. */
    private int readStream(AtomicBoolean over) throws IOException {
        try (RawClient client = RawClient.connect(port())) {
            client.send("GET /stream HTTP/1.1\r\nHost: a\r\n\r\n");
            String text = client.read().text();
            assertThat(over.get()).isTrue();
            return text.split("\n\n", -1).length - 1;
        }
    }

    /** Returns how many octets came back. */
    private int useTunnel(AtomicBoolean over) throws Exception {
        try (RawClient client = RawClient.connect(port())) {
            client.send("GET /tunnel HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n");
            assertThat(client.read().status()).isEqualTo(101);
            int echoes = 0;
            while (!over.get()) {
                client.send("x");
                assertThat(client.in().read()).isEqualTo('x');
                echoes++;
                TimeUnit.MILLISECONDS.sleep(STREAM_MILLIS);
            }
            return echoes;
        }
    }

    private double metric(String name) throws IOException {
        return RawClient.get(gateway().gateway().telemetryPort(), "localhost", "/metrics")
                .text()
                .lines()
                .filter(line -> line.startsWith(name))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }
}
