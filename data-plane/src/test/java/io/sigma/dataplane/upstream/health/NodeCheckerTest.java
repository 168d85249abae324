package io.sigma.dataplane.upstream.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.upstream.Endpoints;
import io.sigma.dataplane.upstream.HealthState;
import io.sigma.dataplane.upstream.NodeEndpoint;
import io.sigma.model.HealthCheck;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A node is checked again whatever a check leads to: else it would stay as it is for ever. */
final class NodeCheckerTest {

    private final NodeEndpoint node = Endpoints.endpoint("http://10.0.0.1");
    private final HealthCheck check = HealthCheck.builder()
            .intervalMillis(100)
            .jitterPercent(0)
            .rise(1)
            .fall(1)
            .build();

    @Test
    void nodeReturnsAlthoughNobodyCouldBeToldThatItFailed() throws Exception {
        AtomicInteger checks = new AtomicInteger();
        node.health().listen((endpoint, event) -> {
            if (event.to() == HealthState.UNHEALTHY) {
                throw new IllegalStateException("a listener that fails");
            }
        });
        run((endpoint, asked, done) -> done.accept(checks.incrementAndGet() == 1 ? "refused" : null));
        eventually(() -> node.health().view().state() == HealthState.HEALTHY);
    }

    @Test
    void nodeIsCheckedAgainAfterACheckThatCouldNotBegin() throws Exception {
        AtomicInteger checks = new AtomicInteger();
        run((endpoint, asked, done) -> {
            if (checks.incrementAndGet() == 1) {
                throw new StackOverflowError();
            }
            done.accept(null);
        });
        eventually(() -> node.health().view().state() == HealthState.HEALTHY);
    }

    @Test
    void nodeOfWhichAnotherProcessKnewReturnsOnlyAfterAsManyChecksAsEver() throws Exception {
        HealthCheck patient = HealthCheck.builder()
                .intervalMillis(100)
                .jitterPercent(0)
                .rise(3)
                .fall(1)
                .build();
        AtomicInteger checks = new AtomicInteger();
        ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
        timer = thread;
        HealthProber passes = (endpoint, asked, done) -> {
            checks.incrementAndGet();
            done.accept(null);
        };
        NodeChecker checker = new NodeChecker(node, patient, passes, new ProbeQueue(), thread, new SplittableRandom());
        node.health().checked(HealthState.UNHEALTHY, "known before");
        checker.know(HealthState.UNHEALTHY);
        checker.start();
        eventually(() -> node.health().view().state() == HealthState.HEALTHY);
        assertThat(checks.get()).isGreaterThanOrEqualTo(3);
    }

    private @Nullable ScheduledExecutorService timer;

    private void run(HealthProber prober) {
        ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
        timer = thread;
        new NodeChecker(node, check, prober, new ProbeQueue(), thread, new SplittableRandom()).start();
    }

    @AfterEach
    void stop() {
        if (timer != null) {
            timer.shutdownNow();
        }
    }

    private static void eventually(BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + 10_000_000_000L;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("the time by which it should be").isLessThan(deadline);
            Thread.sleep(10);
        }
    }
}
