package io.sigma.dataplane.http1.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.model.Pool;
import io.sigma.model.ProxyPass;
import io.sigma.model.Retry;
import io.sigma.model.Upstream;
import io.sigma.snapshot.ResourceType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Connections that a node closes while they wait for a request, or that have waited or lived for long enough. Requests
 * are tried once.
 */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class ClosedConnectionsTest extends EngineContract {

    private static final int CLIENTS = 16;
    private static final int REQUESTS = 150;
    /** After so long without a request the node closes a connection; clients wait for about as long between theirs. */
    private static final int IDLE_MILLIS = 4;

    private Config once(Pool pool, String... nodes) {
        return forwarding(nodes)
                .with(
                        ResourceType.UPSTREAM,
                        "nodes",
                        (Upstream upstream) -> upstream.toBuilder().pool(pool).build())
                .with(
                        ResourceType.PROXY_PASS,
                        "pass",
                        (ProxyPass pass) -> pass.toBuilder()
                                .retry(Retry.builder().attemptsMax(1).build())
                                .build());
    }

    private static TestNode impatient() {
        return TestNode.start((request, connection) -> {
            connection.socket().setSoTimeout(IDLE_MILLIS);
            connection.ok(request.text() + ".");
        });
    }

    private static String request(String method) {
        return method + " / HTTP/1.1\r\nHost: a\r\n"
                + (method.equals("PUT") ? "Content-Length: 4\r\n\r\nbody" : "\r\n");
    }

    private static void pause() {
        LockSupport.parkNanos(
                TimeUnit.MICROSECONDS.toNanos(ThreadLocalRandom.current().nextInt(IDLE_MILLIS * 2_000)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "PUT", "DELETE"})
    void nodeThatClosesIdleConnectionsUnderLoadCostsNoRequest(String method) throws Exception {
        try (TestNode node = impatient();
                ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            gateway().apply(once(Pool.builder().build(), node.url()));
            List<Future<List<String>>> failures = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                failures.add(clients.submit(() -> {
                    List<String> failed = new ArrayList<>();
                    try (RawClient client = RawClient.connect(port())) {
                        for (int n = 0; n < REQUESTS; n++) {
                            client.send(request(method));
                            RawClient.Answer answer = client.read();
                            if (!answer.text().equals(method.equals("PUT") ? "body." : ".")) {
                                failed.add(answer.status() + " " + answer.text());
                            }
                            pause();
                        }
                    }
                    return failed;
                }));
            }
            for (Future<List<String>> failed : failures) {
                assertThat(failed.get(60, TimeUnit.SECONDS)).isEmpty();
            }
            assertThat(node.accepted()).isGreaterThan(CLIENTS);
        }
    }

    /** The first use of a connection is as much of a race as a later one when it has waited for it. */
    @Test
    void connectionThatWasReadyAndIsClosedCostsNoRequest() throws Exception {
        try (TestNode node = impatient()) {
            gateway().apply(once(Pool.builder().idleMin(2).build(), node.url()));
            for (int i = 0; i < 200; i++) {
                node.closeConnections();
                assertThat(get("/").status()).isEqualTo(200);
            }
        }
    }

    @Test
    void connectionWhoseEndHasArrivedCostsNoRequestThatMustNotBeRepeated() throws Exception {
        try (TestNode node = TestNode.named("ok");
                RawClient client = RawClient.connect(awaitPort(node))) {
            for (int i = 0; i < 200; i++) {
                client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi");
                assertThat(client.read().status()).isEqualTo(200);
                node.closeConnections();
                GatewayHarness.eventually(() -> !isEstablished(node.port()));
            }
            assertThat(node.received()).hasSize(200);
        }
    }

    /** Returns whether the kernel knows a connection to {@code port} whose other side has not closed it. */
    private static boolean isEstablished(int port) {
        String peer = ":%04X".formatted(port);
        return Stream.of("/proc/net/tcp", "/proc/net/tcp6")
                .map(Path::of)
                .filter(Files::exists)
                .anyMatch(table -> {
                    try (Stream<String> sockets = Files.lines(table)) {
                        return sockets.map(line -> line.strip().split("\\s+", -1))
                                .anyMatch(socket -> socket[2].endsWith(peer) && socket[3].equals("01"));
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
    }

    private int awaitPort(TestNode node) {
        gateway().apply(once(Pool.builder().build(), node.url()));
        return port();
    }

    /** RFC 9110 §9.2.2: nobody knows whether the node has acted on it. */
    @Test
    void requestThatMustNotBeRepeatedIsSentOnce() throws Exception {
        AtomicInteger posts = new AtomicInteger();
        try (TestNode node = TestNode.start((request, connection) -> {
            if (request.method().equals("POST")) {
                posts.incrementAndGet();
                connection.socket().close();
            } else {
                connection.ok("ok");
            }
        })) {
            gateway().apply(once(Pool.builder().build(), node.url()));
            try (RawClient client = RawClient.connect(port())) {
                client.send(request("GET"));
                assertThat(client.read().status()).isEqualTo(200);
                client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi");
                assertThat(client.read().status()).isEqualTo(502);
            }
            assertThat(posts).hasValue(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD", "OPTIONS", "PUT", "DELETE"})
    void requestThatMayBeRepeatedIsSentOnANewConnection(String method) throws Exception {
        AtomicInteger tries = new AtomicInteger();
        try (TestNode node = TestNode.start((request, connection) -> {
            boolean first = request.target().equals("/first");
            if (!first && tries.incrementAndGet() == 1) {
                connection.socket().close();
            } else {
                connection.ok(request.method().equals("HEAD") ? "" : request.text());
            }
        })) {
            // There is one place only, which the new connection needs.
            gateway().apply(once(Pool.builder().connectionsMax(1).queueMax(0).build(), node.url()));
            try (RawClient client = RawClient.connect(port())) {
                client.send("GET /first HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(client.read().status()).isEqualTo(200);
                client.send(request(method));
                RawClient.Answer answer = client.read(method.equals("HEAD"));
                assertThat(answer.status()).isEqualTo(200);
                assertThat(answer.text()).isEqualTo(method.equals("PUT") ? "body" : "");
            }
            assertThat(tries).hasValue(2);
            assertThat(node.accepted()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @CsvSource({"timeout=0, 2", "'max=5, Timeout=0', 2", "timeout=600, 1", "timeout=x, 1", "max=1, 1"})
    void connectionIsNotUsedOnceItsNodeIsAboutToCloseIt(String word, int connections) throws Exception {
        try (TestNode node = TestNode.start((request, connection) ->
                connection.send("HTTP/1.1 200 OK\r\nKeep-Alive: " + word + "\r\nContent-Length: 0\r\n\r\n"))) {
            gateway().apply(once(Pool.builder().build(), node.url()));
            try (RawClient client = RawClient.connect(port())) {
                for (int i = 0; i < 2; i++) {
                    client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi");
                    RawClient.Answer answer = client.read();
                    assertThat(answer.status()).isEqualTo(200);
                    assertThat(answer.field("keep-alive")).isNull();
                }
            }
            assertThat(node.accepted()).isEqualTo(connections);
        }
    }

    /** As servers end idle connections; the request may be under way (RFC 9110 §15.5.9). */
    private static TestNode timingOut(AtomicInteger tries, int timeouts) {
        return TestNode.start((request, connection) -> {
            if (request.target().equals("/first") || tries.incrementAndGet() > timeouts) {
                connection.ok(request.text());
            } else {
                connection.send("HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n");
                connection.socket().close();
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "PUT", "DELETE"})
    void timeoutOfAnIdleConnectionIsNotTheAnswerToARequestThatMayBeRepeated(String method) throws Exception {
        AtomicInteger tries = new AtomicInteger();
        try (TestNode node = timingOut(tries, 1)) {
            gateway().apply(once(Pool.builder().connectionsMax(1).queueMax(0).build(), node.url()));
            try (RawClient client = RawClient.connect(port())) {
                client.send("GET /first HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(client.read().status()).isEqualTo(200);
                client.send(request(method));
                RawClient.Answer answer = client.read();
                assertThat(answer.status()).isEqualTo(200);
                assertThat(answer.text()).isEqualTo(method.equals("PUT") ? "body" : "");
            }
            assertThat(tries).hasValue(2);
        }
    }

    @Test
    void timeoutThatANodeRepeatsIsTheAnswer() throws Exception {
        AtomicInteger tries = new AtomicInteger();
        try (TestNode node = timingOut(tries, 2)) {
            gateway().apply(once(Pool.builder().build(), node.url()));
            try (RawClient client = RawClient.connect(port())) {
                client.send("GET /first HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(client.read().status()).isEqualTo(200);
                client.send(request("GET"));
                assertThat(client.read().status()).isEqualTo(408);
            }
            assertThat(tries).hasValue(2);
        }
    }

    @Test
    void timeoutIsTheAnswerToARequestThatMustNotBeRepeated() throws Exception {
        AtomicInteger tries = new AtomicInteger();
        try (TestNode node = timingOut(tries, 1)) {
            gateway().apply(once(Pool.builder().build(), node.url()));
            try (RawClient client = RawClient.connect(port())) {
                client.send("GET /first HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(client.read().status()).isEqualTo(200);
                client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi");
                assertThat(client.read().status()).isEqualTo(408);
            }
            assertThat(tries).hasValue(1);
        }
    }

    @Test
    void connectionWithoutRequestsIsClosedAfterAWhile() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(once(Pool.builder().idleTimeoutMillis(1000).build(), node.url()));
            assertThat(get("/").status()).isEqualTo(200);
            assertThat(node.openNow()).isEqualTo(1);
            GatewayHarness.eventually(() -> node.openNow() == 0);
        }
    }

    @Test
    void connectionThatIsOldIsNotUsedAgain() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(once(Pool.builder().lifetimeMillis(1000).build(), node.url()));
            try (RawClient client = RawClient.connect(port())) {
                long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
                while (node.accepted() < 2 && System.nanoTime() < end) {
                    client.send(request("GET"));
                    assertThat(client.read().status()).isEqualTo(200);
                }
            }
            assertThat(node.accepted()).isEqualTo(2);
        }
    }
}
