package io.sigma.dataplane.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Connections that were opened for a waiter that was served by another one, and waits for something else by now. */
final class LateConnectionTest extends PoolContract {

    /**
     * Returns one that was served by a connection that another one released, while the attempt that it began with goes
     * on.
     */
    private Asking servedByAnother(NodeEndpoint endpoint) {
        Asking other = ask(endpoint, 0);
        connectNext();
        Asking asking = ask(endpoint, 0);
        other.release(true);
        assertThat(asking.connection).isSameAs(other.connection);
        assertThat(attempts).hasSize(1);
        asking.release(true);
        asking.connection = null;
        return asking;
    }

    @Test
    void lateConnectionIsNotForWhoWaitsForAnotherNodeNow() {
        NodeEndpoint one = endpoint(2, 2);
        NodeEndpoint other = endpoint(2, 2);
        Asking asking = servedByAnother(one);
        other.pool(0).acquire(asking);
        connectNext();
        assertThat(asking.connection).isNull();
        assertThat(one.pool(0).ready()).isEqualTo(2);
        connectNext();
        assertThat(asking.connection).isNotNull();
        assertThat(other.pool(0).ready()).isZero();
    }

    @Test
    void lateConnectionLeavesTheQueueOfAnotherNodeAlone() {
        NodeEndpoint one = endpoint(2, 2);
        NodeEndpoint other = endpoint(1, 2);
        Asking holding = ask(other, 0);
        connectNext();
        Asking asking = servedByAnother(one);
        other.pool(0).acquire(asking);
        connectNext();
        assertThat(asking.connection).isNull();
        assertThat(one.queued()).isZero();
        assertThat(other.queued()).isEqualTo(1);
        holding.release(true);
        assertThat(asking.connection).isSameAs(holding.connection);
        assertThat(other.queued()).isZero();
    }

    @Test
    void lateFailureIsNotForWhoWaitsForAnotherNodeNow() {
        NodeEndpoint one = endpoint(2, 2);
        NodeEndpoint other = endpoint(2, 2);
        Asking asking = servedByAnother(one);
        other.pool(0).acquire(asking);
        attempts.removeFirst().onFailed().accept(new IllegalStateException("refused"));
        assertThat(asking.error).isNull();
        connectNext();
        assertThat(asking.connection).isNotNull();
    }
}
