package io.sigma.dataplane.upstream.health;

import static io.sigma.dataplane.testkit.GatewayHarness.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.snapshot.SnapshotTarget;
import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.model.CircuitBreaker;
import io.sigma.model.OutlierDetection;
import io.sigma.model.Upstream;
import io.sigma.model.UpstreamLimits;
import io.sigma.snapshot.Snapshot;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Nodes that fail requests are ejected, and circuits open, by what requests report. */
@SuppressWarnings({"StringConcatToTextBlock", "try"}) // Every byte of a line end is meant; nodes are closed early.
final class EjectionTest extends HealthContract {

    @Test
    void aNodeThatFailsRequestsIsEjectedForAWhile() throws Exception {
        AtomicBoolean broken = new AtomicBoolean(true);
        try (TestNode a = breaking("a", broken);
                TestNode b = TestNode.named("b")) {
            gateway()
                    .apply(with(
                            Upstream.builder()
                                    .outlierDetection(OutlierDetection.builder()
                                            .consecutiveFailures(3)
                                            .ejectionMillis(500)
                                            .build()),
                            a.url(),
                            b.url()));
            eventuallyAnswers("b");
            assertThat(metrics())
                    .contains("sigma_nodes_state{state=\"ejected\",upstream=\"nodes\"} 1.0")
                    .contains("sigma_nodes_state{state=\"unknown\",upstream=\"nodes\"} 1.0")
                    .contains("sigma_node_changes_total{state=\"ejected\",upstream=\"nodes\"} 1.0");
            broken.set(false);
            eventuallyAnswers("a", "b");
        }
    }

    @Test
    void candidateThatIsNeverServedLeavesEjectionsAsTheyAre() throws Exception {
        AtomicBoolean broken = new AtomicBoolean(true);
        try (TestNode a = breaking("a", broken);
                TestNode b = TestNode.named("b")) {
            OutlierDetection detection = OutlierDetection.builder()
                    .consecutiveFailures(3)
                    .ejectionMillis(500)
                    .build();
            gateway().apply(with(Upstream.builder().outlierDetection(detection), a.url(), b.url()));
            eventuallyAnswers("b");

            // Were the node forgotten with the candidate, nobody would let it return.
            SnapshotTarget target = gateway().gateway().snapshotTarget();
            Config without = with(Upstream.builder().outlierDetection(detection), b.url());
            GatewayHarness.await(target.prepare(Snapshot.of(target.current().revision() + 1, without.state())));
            target.discard();
            broken.set(false);
            eventuallyAnswers("a", "b");
        }
    }

    @Test
    void theCircuitOpensAndClosesAgain() throws Exception {
        AtomicBoolean broken = new AtomicBoolean(true);
        try (TestNode a = breaking("a", broken)) {
            gateway()
                    .apply(with(
                            Upstream.builder()
                                    .limits(UpstreamLimits.builder()
                                            .circuitBreaker(CircuitBreaker.builder()
                                                    .requestsMin(5)
                                                    .openMillis(300)
                                                    .build())
                                            .build()),
                            a.url()));
            eventuallyAnswers("503");
            assertThat(metrics())
                    .contains("sigma_upstream_circuit_openings_total{upstream=\"nodes\"} ")
                    .contains("sigma_upstream_refused_total{reason=\"circuit_open\",upstream=\"nodes\"} ")
                    .doesNotContain("sigma_upstream_circuit_state{upstream=\"nodes\"} 0.0")
                    .doesNotContain("sigma_node_changes_total");
            broken.set(false);
            eventuallyAnswers("a");
            eventually(() -> metrics().contains("sigma_upstream_circuit_state{upstream=\"nodes\"} 0.0"));
        }
    }

    /** It took no time to its head: only when it began says that it is no probe. */
    @Test
    void theEndOfALongAnswerFromBeforeDoesNotCloseTheCircuit() throws Exception {
        CountDownLatch goesOn = new CountDownLatch(1);
        CountDownLatch answers = new CountDownLatch(1);
        try (TestNode node = TestNode.start((request, connection) -> {
                    switch (request.target()) {
                        case "/long" -> {
                            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n1");
                            goesOn.await();
                            connection.send("2");
                        }
                        case "/probe" -> {
                            answers.await();
                            connection.ok("probe");
                        }
                        default -> connection.send("HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n");
                    }
                });
                var clients = Executors.newVirtualThreadPerTaskExecutor()) {
            gateway()
                    .apply(with(
                            Upstream.builder()
                                    .limits(UpstreamLimits.builder()
                                            .circuitBreaker(CircuitBreaker.builder()
                                                    .requestsMin(1)
                                                    .openMillis(2_000)
                                                    .probeRequests(1)
                                                    .build())
                                            .build()),
                            node.url()));
            RawClient patient = RawClient.connect(port());
            patient.send("GET /long HTTP/1.1\r\nHost: a\r\n\r\n");
            eventually(() -> node.received().size() == 1);
            assertThat(get("/bad").status()).isEqualTo(500);
            assertThat(get("/bad").status()).isEqualTo(503);
            Thread.sleep(2_100);
            Future<RawClient.Answer> probe = clients.submit(() -> get("/probe"));
            eventually(() -> node.received().size() == 3);
            // Longer than the time to its head, be that the first one of the process.
            Thread.sleep(1_000);
            goesOn.countDown();
            assertThat(patient.read().text()).isEqualTo("12");
            // The client may have the end before the gateway has counted it.
            Thread.sleep(200);
            assertThat(get("/bad").status()).isEqualTo(503);
            answers.countDown();
            assertThat(probe.get().text()).isEqualTo("probe");
        }
    }

    @Test
    void requestsInProgressAreBounded() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        try (TestNode a = TestNode.start((request, connection) -> {
                    release.await();
                    connection.ok("a");
                });
                var clients = Executors.newVirtualThreadPerTaskExecutor()) {
            gateway()
                    .apply(with(
                            Upstream.builder()
                                    .limits(UpstreamLimits.builder()
                                            .requestsMax(2)
                                            .build()),
                            a.url()));
            List<Future<RawClient.Answer>> running =
                    List.of(clients.submit(() -> get("/")), clients.submit(() -> get("/")));
            eventually(() -> a.received().size() == 2);
            assertThat(get("/").status()).isEqualTo(503);
            assertThat(metrics())
                    .contains("sigma_upstream_requests_active{upstream=\"nodes\"} 2.0")
                    .contains("sigma_upstream_refused_total{reason=\"upstream_full\",upstream=\"nodes\"} 1.0");
            release.countDown();
            for (Future<RawClient.Answer> answer : running) {
                assertThat(answer.get().text()).isEqualTo("a");
            }
            eventuallyAnswers("a");
        }
    }

    /** A node that answers with its name, or fails while {@code broken}. */
    private static TestNode breaking(String name, AtomicBoolean broken) {
        return TestNode.start((request, connection) -> {
            if (broken.get()) {
                connection.send("HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n");
            } else {
                connection.ok(name);
            }
        });
    }
}
