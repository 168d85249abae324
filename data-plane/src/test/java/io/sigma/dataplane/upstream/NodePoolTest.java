package io.sigma.dataplane.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.GatewayError;
import io.sigma.dataplane.upstream.pool.SocketBudget;
import io.sigma.model.NodeProtocol;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The assignment of a pool's connections to requests, and the opening of connections. */
final class NodePoolTest extends PoolContract {

    @Test
    void idleConnectionIsGivenAtOnce() {
        NodeEndpoint endpoint = endpoint(2, 2);
        Asking first = ask(endpoint, 0);
        connectNext();
        first.release(true);
        Asking second = ask(endpoint, 0);
        assertThat(second.connection).isSameAs(first.connection);
        assertThat(attempts).isEmpty();
    }

    @Test
    void connectionThatCannotBeUsedAgainGivesItsPlaceBack() {
        NodeEndpoint endpoint = endpoint(1, 1);
        Asking first = ask(endpoint, 0);
        connectNext();
        Asking second = ask(endpoint, 0);
        assertThat(second.connection).isNull();
        assertThat(endpoint.queued()).isEqualTo(1);
        first.release(false);
        run();
        connectNext();
        assertThat(second.connection).isNotNull();
        assertThat(endpoint.connections()).isEqualTo(1);
        assertThat(endpoint.queued()).isZero();
    }

    /** Nobody hears of its end any more. */
    @Test
    void connectionThatIsGoneWhenItComesKeepsNoPlace() {
        NodeEndpoint endpoint = endpoint(1, 1);
        Asking first = ask(endpoint, 0);
        Connection gone = new Connection(1);
        gone.open = false;
        attempts.removeFirst().onConnected().accept(gone);
        run();
        assertThat(first.connection).isNull();
        assertThat(first.error).isNotNull();
        Asking second = ask(endpoint, 0);
        connectNext();
        assertThat(second.connection).isNotNull();
        assertThat(endpoint.connections()).isEqualTo(1);
    }

    /** A request has chosen a node, which goes before the request asks for its connection. */
    @Test
    void connectionThatCanSwitchIsNotKeptForANodeThatIsGone() {
        NodeEndpoint endpoint = endpoint(1, 1, NodeProtocol.AUTO);
        endpoint.retire();
        run();
        Asking asking = new Asking();
        endpoint.switchingPool(0).acquire(asking);
        Connection connection = connectNext(1);
        assertThat(asking.connection).isSameAs(connection);
        asking.release(true);
        assertThat(connection.open).isFalse();
        assertThat(endpoint.connections()).isZero();
    }

    @Test
    void requestBeyondTheQueueIsRefusedAtOnce() {
        NodeEndpoint endpoint = endpoint(1, 1);
        ask(endpoint, 0);
        ask(endpoint, 1);
        Asking third = ask(endpoint, 0);
        GatewayError error = third.error;
        assertThat(error).isNotNull();
        assertThat(error.kind()).isEqualTo(ErrorKind.QUEUE_FULL);
    }

    @Test
    void requestThatIsCancelledLeavesTheQueue() {
        NodeEndpoint endpoint = endpoint(1, 1);
        Asking first = ask(endpoint, 0);
        connectNext();
        Asking second = ask(endpoint, 0);
        endpoint.pool(0).cancel(second);
        assertThat(endpoint.queued()).isZero();
        first.release(true);
        assertThat(second.connection).isNull();
        assertThat(endpoint.connections()).isEqualTo(1);
    }

    @Test
    void connectionOfACancelledRequestIsKeptForTheNext() {
        NodeEndpoint endpoint = endpoint(1, 1);
        Asking first = ask(endpoint, 0);
        endpoint.pool(0).cancel(first);
        connectNext();
        assertThat(first.connection).isNull();
        assertThat(ask(endpoint, 0).connection).isNotNull();
    }

    @Test
    void failedAttemptTellsItsRequestAndTriesForTheNext() {
        NodeEndpoint endpoint = endpoint(1, 1);
        Asking first = ask(endpoint, 0);
        Asking second = ask(endpoint, 0);
        attempts.removeFirst().onFailed().accept(new IllegalStateException("refused"));
        run();
        GatewayError error = first.error;
        assertThat(error).isNotNull();
        assertThat(error.kind()).isEqualTo(ErrorKind.CONNECT_FAILED);
        assertThat(error.retryable()).isTrue();
        connectNext();
        assertThat(second.connection).isNotNull();
    }

    @Test
    void aRequestWaitsForAConnectionWhenTheProcessHasNoSocketLeft() {
        NodeEndpoint endpoint = endpoint(2, 2);
        Asking first = ask(endpoint, 0);
        connectNext();
        Asking second = ask(endpoint, 0);
        attempts.removeFirst().onFailed().accept(new SocketBudget.Exhausted());
        assertThat(second.error).isNull();
        assertThat(attempts).as("tried again at once").isEmpty();
        first.release(true);
        assertThat(second.connection).isSameAs(first.connection);
    }

    @Test
    void withoutAnyConnectionToWaitForTheRequestFails() {
        NodeEndpoint endpoint = endpoint(2, 2);
        Asking only = ask(endpoint, 0);
        attempts.removeFirst().onFailed().accept(new SocketBudget.Exhausted());
        GatewayError error = only.error;
        assertThat(error).isNotNull();
        assertThat(error.kind()).isEqualTo(ErrorKind.TOO_BUSY);
    }

    @Test
    void idleConnectionOfOneLoopMakesRoomForAnother() {
        NodeEndpoint endpoint = endpoint(1, 1);
        Asking first = ask(endpoint, 0);
        connectNext();
        first.release(true);
        Asking other = ask(endpoint, 1);
        run();
        connectNext();
        assertThat(other.connection).isNotNull();
        assertThat(endpoint.connections()).isEqualTo(1);
    }

    @Test
    void busyLoopPassesItsOnlyConnectionOnInTurn() {
        NodeEndpoint endpoint = endpoint(1, 1000);
        Asking busy = ask(endpoint, 0);
        connectNext();
        List<Asking> queue = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            queue.add(ask(endpoint, 0));
        }
        Asking starving = ask(endpoint, 1);
        run();
        int served = 0;
        while (starving.connection == null) {
            busy.release(true);
            run();
            if (!attempts.isEmpty()) {
                connectNext();
            } else {
                busy = queue.get(served++);
            }
            assertThat(served).isLessThan(100);
        }
        assertThat(served).isPositive();
        assertThat(endpoint.connections()).isEqualTo(1);
    }

    @Test
    void retiredEndpointClosesWhatIsIdleAndServesWhatIsNot() {
        NodeEndpoint endpoint = endpoint(2, 2);
        Asking idle = ask(endpoint, 0);
        Asking busy = ask(endpoint, 0);
        connectNext();
        connectNext();
        idle.release(true);
        endpoint.retire();
        run();
        assertThat(endpoint.connections()).isEqualTo(1);
        busy.release(true);
        run();
        assertThat(endpoint.connections()).isZero();
    }

    @Test
    void connectionOlderThanItsLifetimeIsNotUsedAgain() {
        lifetimeMillis = 1;
        NodeEndpoint endpoint = endpoint(2, 8);
        Asking first = ask(endpoint, 0);
        connectNext();
        long later = System.nanoTime() + 3_000_000;
        while (System.nanoTime() < later) {
            Thread.onSpinWait();
        }
        first.release(true);
        assertThat(endpoint.connections()).isZero();
    }
}
