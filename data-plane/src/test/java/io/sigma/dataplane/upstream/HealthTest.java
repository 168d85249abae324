package io.sigma.dataplane.upstream;

import static io.sigma.dataplane.testkit.GatewayHarness.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.snapshot.SnapshotTarget;
import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.model.CircuitBreaker;
import io.sigma.model.HealthCheck;
import io.sigma.model.HealthCheckType;
import io.sigma.model.Kind;
import io.sigma.model.OutlierDetection;
import io.sigma.model.Upstream;
import io.sigma.model.UpstreamLimits;
import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.ResourceType;
import io.sigma.snapshot.Snapshot;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** How a gateway finds out about nodes, and what it does then. */
@SuppressWarnings({"StringConcatToTextBlock", "try"}) // Every byte of a line end is meant; nodes are closed early.
final class HealthTest extends EngineContract {

    private Config with(Upstream.Builder settings, String... urls) {
        Upstream wanted = settings.id("nodes").nodes(List.of()).build();
        return forwarding(urls)
                .with(
                        ResourceType.UPSTREAM,
                        "nodes",
                        upstream -> wanted.toBuilder().nodes(upstream.nodes()).build());
    }

    private static Upstream.Builder checked(HealthCheck.Builder check) {
        return Upstream.builder()
                .panicThresholdPercent(0)
                .healthCheck(check.intervalMillis(100)
                        .jitterPercent(0)
                        .timeoutMillis(1000)
                        .build());
    }

    /** A node that answers with its name, and on /health as {@code healthy} says. */
    private static TestNode node(String name, AtomicBoolean healthy) {
        return TestNode.start((request, connection) -> {
            if (!request.target().startsWith("/health")) {
                connection.ok(name);
            } else if (healthy.get()) {
                connection.ok("all is well");
            } else {
                connection.send("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n");
            }
        });
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

    private Set<String> answers() throws Exception {
        Set<String> answers = new HashSet<>();
        for (int i = 0; i < 6; i++) {
            RawClient.Answer answer = get("/");
            answers.add(answer.status() == 200 ? answer.text() : String.valueOf(answer.status()));
        }
        return answers;
    }

    private void eventuallyAnswers(String... names) {
        eventually(() -> {
            try {
                return answers().equals(Set.of(names));
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
    }

    private String metrics() {
        try {
            return RawClient.get(gateway().gateway().telemetryPort(), "localhost", "/metrics")
                    .text();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aNodeThatFailsItsChecksGetsNoRequestsUntilItPassesThemAgain() throws Exception {
        AtomicBoolean healthy = new AtomicBoolean(false);
        try (TestNode a = node("a", healthy);
                TestNode b = node("b", new AtomicBoolean(true))) {
            gateway().apply(with(checked(HealthCheck.builder().path("/health")), a.url(), b.url()));
            eventuallyAnswers("b");
            healthy.set(true);
            eventuallyAnswers("a", "b");
            healthy.set(false);
            eventuallyAnswers("b");
            assertThat(metrics())
                    .contains("sigma_node_changes_total{state=\"unhealthy\",upstream=\"nodes\"} 2.0")
                    .contains("sigma_nodes{upstream=\"nodes\"} 2.0")
                    .contains("sigma_nodes_usable{upstream=\"nodes\"} 1.0");
        }
    }

    @Test
    void checksAreSentAsConfigured() throws Exception {
        try (TestNode a = node("a", new AtomicBoolean(true))) {
            gateway()
                    .apply(with(
                            checked(HealthCheck.builder()
                                    .path("/health?deep=1")
                                    .method("POST")
                                    .host("check.example.com")
                                    .headers(Map.of("X-Check", "yes"))),
                            a.url()));
            eventually(() -> !a.received().isEmpty());
            assertThat(a.last().line()).isEqualTo("POST /health?deep=1 HTTP/1.1");
            assertThat(a.last().all("host")).containsExactly("check.example.com");
            assertThat(a.last().field("x-check")).isEqualTo("yes");
            // Each check has a connection of its own (RFC 9112 §9.3).
            assertThat(a.last().all("connection")).containsExactly("close");
        }
    }

    @Test
    void statusesAndTheBodyAreJudged() throws Exception {
        try (TestNode a = node("a", new AtomicBoolean(true));
                TestNode b = TestNode.start((request, connection) -> connection.ok("all is lost"))) {
            gateway()
                    .apply(with(
                            checked(HealthCheck.builder()
                                    .path("/health")
                                    .expectedStatuses(List.of("200"))
                                    .bodyContains("is well")),
                            a.url(),
                            b.url()));
            eventuallyAnswers("a");
            gateway()
                    .apply(with(
                            checked(HealthCheck.builder().path("/health").expectedStatuses(List.of("204", "3xx"))),
                            a.url()));
            eventuallyAnswers("503");
        }
    }

    @Test
    void aNodeThatDoesNotAnswerInTimeFails() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        try (TestNode a = TestNode.start((request, connection) -> {
            if (request.target().equals("/health")) {
                never.await();
            }
            connection.ok("a");
        })) {
            gateway()
                    .apply(with(
                            Upstream.builder()
                                    .panicThresholdPercent(0)
                                    .healthCheck(HealthCheck.builder()
                                            .path("/health")
                                            .timeoutMillis(50)
                                            .build()),
                            a.url()));
            eventuallyAnswers("503");
            never.countDown();
        }
    }

    @Test
    void aPortIsChecked() throws Exception {
        try (TestNode a = TestNode.named("a");
                TestNode sidecar = TestNode.named("sidecar")) {
            HealthCheck.Builder check = HealthCheck.builder().type(HealthCheckType.TCP);
            gateway().apply(with(checked(check.port(sidecar.port())), a.url()));
            eventually(() -> sidecar.accepted() > 2);
            assertThat(answers()).containsExactly("a");
            sidecar.close();
            eventuallyAnswers("503");
        }
    }

    @Test
    void aGrpcServiceIsAsked() throws Exception {
        AtomicInteger serving = new AtomicInteger(1);
        Set<String> asked = new HashSet<>();
        Vertx vertx = Vertx.vertx();
        try (TestNode a = TestNode.named("a")) {
            HttpServer grpc = GatewayHarness.await(vertx.createHttpServer(new HttpServerOptions().setHost("127.0.0.1"))
                    .requestHandler(request -> request.body().onSuccess(body -> {
                        asked.add(request.path() + " " + body.getInt(1) + " " + body.getString(7, body.length()));
                        request.response()
                                .putHeader("content-type", "application/grpc")
                                .putTrailer("grpc-status", "0")
                                .end(Buffer.buffer(new byte[] {0, 0, 0, 0, 2, 8, (byte) serving.get()}));
                    }))
                    .listen(0));
            gateway()
                    .apply(with(
                            checked(HealthCheck.builder()
                                    .type(HealthCheckType.GRPC)
                                    .grpcService("shop")
                                    .port(grpc.actualPort())),
                            a.url()));
            eventually(() -> !asked.isEmpty());
            assertThat(answers()).containsExactly("a");
            serving.set(2);
            eventuallyAnswers("503");
            serving.set(1);
            eventuallyAnswers("a");
            assertThat(asked).containsExactly("/grpc.health.v1.Health/Check 6 shop");
        } finally {
            GatewayHarness.await(vertx.close());
        }
    }

    @Test
    void aChangeOfSomethingElseForgetsNothing() throws Exception {
        try (TestNode a = node("a", new AtomicBoolean(false));
                TestNode b = node("b", new AtomicBoolean(true))) {
            Config config = with(checked(HealthCheck.builder().path("/health")), a.url(), b.url());
            gateway().apply(config);
            eventuallyAnswers("b");
            for (int i = 0; i < 5; i++) {
                String path = "/other" + i;
                gateway().apply(config.copy().route("other", "all", path, "pass"));
                assertThat(answers()).containsExactly("b");
            }
        }
    }

    @Test
    void anUpstreamThatChangesAfterARouteDidIsChecked() throws Exception {
        try (TestNode a = node("a", new AtomicBoolean(false))) {
            SnapshotTarget target = gateway().gateway().snapshotTarget();
            Config checked = with(checked(HealthCheck.builder().path("/health")), a.url());
            Snapshot first = Snapshot.of(1, forwarding(a.url()).state());
            Snapshot second = first.advance(2, List.of(new EntityChange(Kind.ROUTE, "any", null)));
            Upstream upstream = checked.state().upstreams().get("nodes");
            Snapshot third = second.advance(3, List.of(new EntityChange(Kind.UPSTREAM, "nodes", upstream)));
            for (Snapshot snapshot : List.of(first, second)) {
                GatewayHarness.await(target.apply(snapshot));
            }
            assertThat(a.received()).isEmpty();
            GatewayHarness.await(target.apply(third));
            eventually(() -> !a.received().isEmpty());
        }
    }

    @Test
    void checksEndWithTheConfiguration() throws Exception {
        try (TestNode a = node("a", new AtomicBoolean(false))) {
            gateway().apply(with(checked(HealthCheck.builder().path("/health")), a.url()));
            eventuallyAnswers("503");
            gateway().apply(forwarding(a.url()));
            assertThat(answers()).containsExactly("a");
            gateway().apply(new Config());
            int before = a.received().size();
            // A check that was under way may still arrive; no further one follows it.
            eventually(() -> a.openNow() <= 1);
            assertThat(a.received().size()).isLessThanOrEqualTo(before + 1);
        }
    }

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
}
