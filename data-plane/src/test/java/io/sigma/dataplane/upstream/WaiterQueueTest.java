package io.sigma.dataplane.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.upstream.pool.ClientCounts;
import io.sigma.model.Pool;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
}
