package io.sigma.dataplane.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sigma.dataplane.filter.FilterServices;
import io.sigma.dataplane.telemetry.GatewayMetrics;
import io.sigma.snapshot.Snapshot;
import io.vertx.core.Future;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A change wakes one thread for all that is done to it, unless it takes long: it is assembled where it is compiled and
 * served.
 */
class AssemblyThreadTest {

    private static final int PATIENCE_SECONDS = 20;

    private final Queue<String> threads = new ConcurrentLinkedQueue<>();

    private final SnapshotApplier applier = SnapshotApplier.of(
            (endpoint, loop, connected, failed) -> failed.accept(new IllegalStateException("no network")),
            List.of(),
            new GatewayMetrics(100, 1),
            FilterServices.NONE,
            new ActiveSnapshot(),
            new Preparation() {
                @Override
                public Future<Preparation.Prepared> prepare(RuntimeSnapshot next) {
                    return Future.succeededFuture(() -> note("served"));
                }

                @Override
                public void check(RuntimeSnapshot next, boolean unnamed) {
                    note("checked");
                }
            });

    @AfterEach
    void close() {
        applier.close();
    }

    private void note(String what) {
        threads.add(what + " by " + Thread.currentThread().getName());
    }

    @Test
    void whatIsAssembledIsCheckedAndServedByTheSameThreadInOrder() throws Exception {
        Future<Void> served = applier.assemble(false, () -> {
                    note("assembled");
                    return Snapshot.NONE.advance(1, List.of());
                })
                .compose(next -> applier.prepare(next).compose(fits -> applier.apply(next)));

        served.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        assertThat(threads)
                .containsExactly(
                        "assembled by sigma-snapshot",
                        "checked by sigma-snapshot",
                        "checked by sigma-snapshot",
                        "served by sigma-snapshot");
        assertThat(applier.current().revision()).isEqualTo(1);
    }

    @Test
    void whatCannotBeAssembledFailsAndTheNextOneIsTaken() throws Exception {
        Future<Snapshot> broken = applier.assemble(false, () -> {
            throw new IllegalArgumentException("snapshot: damaged");
        });

        assertThatThrownBy(() -> broken.await(PATIENCE_SECONDS, TimeUnit.SECONDS))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("snapshot: damaged");
        assertThat(applier.assemble(false, () -> Snapshot.NONE).await(PATIENCE_SECONDS, TimeUnit.SECONDS))
                .isSameAs(Snapshot.NONE);
    }

    @Test
    void whatTakesLongIsAssembledByAThreadWithMoreWeight() throws Exception {
        applier.assemble(true, () -> {
                    note("assembled");
                    return Snapshot.NONE;
                })
                .await(PATIENCE_SECONDS, TimeUnit.SECONDS);

        assertThat(threads).containsExactly("assembled by sigma-snapshot-large");
    }

    @Test
    void nothingIsAssembledByAGatewayThatIsClosing() {
        applier.close();

        assertThatThrownBy(() -> applier.assemble(false, () -> Snapshot.NONE).await(PATIENCE_SECONDS, TimeUnit.SECONDS))
                .hasMessageContaining("the gateway is closing");
    }
}
