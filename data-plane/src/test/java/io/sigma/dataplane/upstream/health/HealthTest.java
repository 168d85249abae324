package io.sigma.dataplane.upstream.health;

import static io.sigma.dataplane.testkit.GatewayHarness.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.snapshot.SnapshotTarget;
import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.model.HealthCheck;
import io.sigma.model.HealthCheckType;
import io.sigma.model.Kind;
import io.sigma.model.Upstream;
import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.Snapshot;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Health checks of nodes, and the gateway's reactions. */
@SuppressWarnings({"StringConcatToTextBlock", "try"}) // Every byte of a line end is meant; nodes are closed early.
final class HealthTest extends HealthContract {

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

    private static Upstream.Builder checked(HealthCheck.Builder check) {
        return Upstream.builder()
                .panicThresholdPercent(0)
                .healthCheck(check.intervalMillis(100)
                        .jitterPercent(0)
                        .timeoutMillis(1000)
                        .build());
    }
}
