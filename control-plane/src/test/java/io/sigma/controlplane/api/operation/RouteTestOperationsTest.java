package io.sigma.controlplane.api.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.controlplane.testing.AdminClient;
import io.sigma.controlplane.testing.Eventually;
import io.sigma.controlplane.testing.TestControlPlane;
import io.sigma.controlplane.testing.TestDatabase;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A gateway that hangs on another control plane is asked; the test is that control plane. */
@Timeout(60)
final class RouteTestOperationsTest {

    private static final long AGAIN_NANOS = 80_000_000;

    @RegisterExtension
    final TestControlPlane controlPlane = new TestControlPlane();

    @Test
    void othersAreAnsweredWhileAGatewayIsWaitedForThatIsBehind() throws Exception {
        AdminClient client = controlPlane.client();
        client.put("/proxy-servers/web", "{\"port\":1}");
        TestDatabase.execute(controlPlane.database(), """
                insert into gateways (id, host, version, started_at, revision, state_hash, stopping, control_plane, last_seen)
                values ('edge', 'host', '1', now(), 0, repeat('0', 64), false, 'other', now());
                notify sigma_gateway, 'other'""");
        Eventually.holds(
                "the gateway is known",
                Duration.ofSeconds(10),
                () -> client.get("/gateways/edge").status() == 200);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<AdminClient.Reply> reply = threads.submit(
                    () -> client.post("/route-tests", "{\"url\":\"http://a.example.com/\",\"gatewayId\":\"edge\"}"));
            Future<?> other = threads.submit(() -> {
                while (!reply.isDone()) {
                    isBehind();
                }
            });
            int late = 0;
            while (!reply.isDone()) {
                long began = System.nanoTime();
                assertThat(client.get("/revisions").status()).isEqualTo(200);
                late += System.nanoTime() - began > AGAIN_NANOS ? 1 : 0;
            }
            other.get();
            assertThat(reply.get().status()).isEqualTo(503);
            assertThat(reply.get().http().body()).contains("serves revision 0");
            // It is asked some 30 times.
            assertThat(late).as("answers that took as long as a pause").isLessThan(12);
        }
    }

    /** Answers what is asked. */
    private void isBehind() {
        TestDatabase.execute(controlPlane.database(), """
                with asked as (
                    update route_questions
                    set answer = jsonb_build_object('gatewayId', 'edge', 'id', id, 'failure', 'BASE', 'detail', '0')
                    where answer is null returning control_plane, id)
                select pg_notify('sigma_question', 'answer ' || control_plane || ' ' || id) from asked""");
    }
}
