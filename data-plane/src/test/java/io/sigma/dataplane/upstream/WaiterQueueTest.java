package io.sigma.dataplane.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.upstream.pool.ClientCounts;
import io.sigma.model.Pool;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The waits of requests that are too late. */
final class WaiterQueueTest {

    @ParameterizedTest
    @CsvSource({"0, false", "900, false", "1100, true", "1999, true"})
    void whoGotAConnectionOpenedTooLateWaitedForOthers(long queuedMillis, boolean forOthers) {
        NodeLimit limit = new NodeLimit(Pool.builder().build());
        WaiterQueue queue = new WaiterQueue(limit, new ClientCounts());
        PoolContract.Asking waiter = new PoolContract.Asking();
        assertThat(limit.tryQueue()).isTrue();
        queue.add(waiter, true, 5);
        assertThat(waiter.waitedForOthers()).isTrue();
        queue.unqueue(waiter, 5 + queuedMillis * 1_000_000);
        assertThat(waiter.waitedForOthers()).isEqualTo(forOthers);
        // The same one may wait again, for a connection that is opened for it at once.
        queue.remove(waiter);
        queue.add(waiter, false, 5 + queuedMillis * 1_000_000);
        assertThat(waiter.waitedForOthers()).isFalse();
    }

    private static PoolContract.Asking of(long client) {
        PoolContract.Asking waiter = new PoolContract.Asking();
        waiter.client = client;
        return waiter;
    }

    /** Who holds nothing is served before those who hold something, however many of them wait. */
    @ParameterizedTest
    @ValueSource(ints = {100, 1_500})
    void addressThatHoldsNothingIsNotRefusedForOthersThatWait(int eachMillis) {
        NodeLimit limit = new NodeLimit(Pool.builder().build());
        ClientCounts held = new ClientCounts();
        WaiterQueue queue = new WaiterQueue(limit, held);
        long now = 5;
        for (int client = 1; client <= 20; client++) {
            for (int i = 0; i < 3; i++) {
                held.add(client);
                PoolContract.Asking waiter = of(client);
                assertThat(limit.tryQueue()).isTrue();
                queue.add(waiter, true, now);
            }
        }
        for (int i = 0; i < 10; i++) {
            now += eachMillis * 1_000_000L;
            queue.serve((PoolContract.Asking) queue.firstQueued(), now);
        }
        now += eachMillis * 1_000_000L - 1;
        assertThat(queue.isTooLong(of(1), now)).isTrue();
        assertThat(queue.isTooLong(of(100), now)).isFalse();
    }
}
