package io.sigma.dataplane.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.GatewayError;
import io.sigma.dataplane.loop.Loop;
import io.sigma.model.ClientTls;
import io.sigma.model.NodeProtocol;
import io.sigma.model.Pool;
import io.sigma.value.NodeUrl;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Pools without sockets: two loops that run when the test says so. */
final class NodePoolTest {

    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private final List<Loop> loops = List.of(new Loop(0, new Later()), new Loop(1, new Later()));
    private final List<Attempt> attempts = new ArrayList<>();

    private final class Later implements Loop.Scheduler {

        @Override
        public void afterTurn(Runnable task) {
            task.run();
        }

        @Override
        public void execute(Runnable task) {
            tasks.add(task);
        }

        @Override
        public void schedule(Runnable task, long millis) {
            // Nothing becomes old within a test.
        }
    }

    private record Attempt(Consumer<PooledConnection> onConnected, Consumer<Throwable> onFailed) {}

    private @Nullable Integer lifetimeMillis;

    private static final class Connection extends PooledConnection {
        private boolean open = true;
        private int streams;

        Connection(int streams) {
            this.streams = streams;
        }

        @Override
        protected int streamsMax() {
            return streams;
        }

        void streams(int max) {
            streams = max;
            streamsChanged();
        }

        void goAway() {
            drain();
        }

        @Override
        protected boolean isOpen() {
            return open;
        }

        @Override
        protected void close() {
            open = false;
            closed();
        }
    }

    private static final class Asking extends Waiter {
        private @Nullable PooledConnection connection;
        private @Nullable GatewayError error;

        @Override
        protected void onConnection(PooledConnection obtained) {
            connection = obtained;
        }

        @Override
        protected void onNoConnection(GatewayError reason) {
            error = reason;
        }

        @Override
        protected void onDeadline() {
            throw new AssertionError("has no deadline");
        }

        void release(boolean reusable) {
            PooledConnection mine = connection;
            assertThat(mine).isNotNull();
            mine.release(reusable);
        }
    }

    private NodeEndpoint endpoint(int connectionsMax, int queueMax) {
        return endpoint(connectionsMax, queueMax, NodeProtocol.HTTP1);
    }

    private NodeEndpoint endpoint(int connectionsMax, int queueMax, NodeProtocol protocol) {
        Pool pool = Pool.builder()
                .connectionsMax(connectionsMax)
                .queueMax(queueMax)
                .lifetimeMillis(lifetimeMillis)
                .build();
        var key = new NodeEndpoint.Key(
                "u", NodeUrl.parse("http://node"), pool, ClientTls.builder().build(), protocol, false);
        return new NodeEndpoint(
                key, (endpoint, loop, connected, failed) -> attempts.add(new Attempt(connected, failed)), loops);
    }

    private void run() {
        while (!tasks.isEmpty()) {
            tasks.poll().run();
        }
    }

    private static Asking ask(NodeEndpoint endpoint, int loop) {
        Asking asking = new Asking();
        endpoint.pool(loop).acquire(asking);
        return asking;
    }

    private void connectNext() {
        connectNext(1);
    }

    private Connection connectNext(int streams) {
        Connection connection = new Connection(streams);
        attempts.removeFirst().onConnected.accept(connection);
        return connection;
    }

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
        attempts.removeFirst().onFailed.accept(new IllegalStateException("refused"));
        run();
        GatewayError error = first.error;
        assertThat(error).isNotNull();
        assertThat(error.kind()).isEqualTo(ErrorKind.CONNECT_FAILED);
        assertThat(error.retryable()).isTrue();
        connectNext();
        assertThat(second.connection).isNotNull();
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

    // --- Connections that carry several requests at a time

    @Test
    void requestsShareAConnectionUpToItsStreams() {
        NodeEndpoint endpoint = endpoint(2, 8, NodeProtocol.HTTP2);
        List<Asking> asking = List.of(ask(endpoint, 0), ask(endpoint, 0), ask(endpoint, 0));
        assertThat(attempts).hasSize(1);
        connectNext(2);
        assertThat(asking.get(1).connection).isSameAs(asking.get(0).connection);
        assertThat(asking.get(2).connection).isNull();
        assertThat(attempts).hasSize(1);
        connectNext(2);
        assertThat(asking.get(2).connection).isNotNull().isNotSameAs(asking.get(0).connection);
        assertThat(endpoint.connections()).isEqualTo(2);
        assertThat(endpoint.queued()).isZero();
    }

    @Test
    void waitingRequestGetsTheStreamThatEnds() {
        NodeEndpoint endpoint = endpoint(1, 8, NodeProtocol.HTTP2);
        Asking first = ask(endpoint, 0);
        Asking second = ask(endpoint, 0);
        Asking third = ask(endpoint, 0);
        connectNext(2);
        assertThat(third.connection).isNull();
        second.release(true);
        assertThat(third.connection).isSameAs(first.connection);
        assertThat(endpoint.connections()).isEqualTo(1);
    }

    @Test
    void moreStreamsServeMoreAndFewerServeFewer() {
        NodeEndpoint endpoint = endpoint(1, 8, NodeProtocol.HTTP2);
        ask(endpoint, 0);
        Asking second = ask(endpoint, 0);
        Connection connection = connectNext(1);
        assertThat(second.connection).isNull();
        connection.streams(2);
        assertThat(second.connection).isSameAs(connection);
        connection.streams(1);
        second.release(true);
        assertThat(ask(endpoint, 0).connection).isNull();
    }

    @Test
    void connectionThatGoesAwayFinishesItsRequestsAndTakesNoMore() {
        NodeEndpoint endpoint = endpoint(2, 8, NodeProtocol.HTTP2);
        Asking first = ask(endpoint, 0);
        Connection old = connectNext(10);
        old.goAway();
        assertThat(old.open).isTrue();
        Asking second = ask(endpoint, 0);
        connectNext(10);
        assertThat(second.connection).isNotSameAs(old);
        first.release(true);
        assertThat(old.open).isFalse();
        assertThat(endpoint.connections()).isEqualTo(1);
    }

    @Test
    void nodeThatTurnsOutToBeSimpleServesEveryRequestOnAConnectionOfItsOwn() {
        NodeEndpoint endpoint = endpoint(3, 8, NodeProtocol.HTTP2);
        List<Asking> asking = List.of(ask(endpoint, 0), ask(endpoint, 0), ask(endpoint, 0));
        connectNext(1);
        connectNext(1);
        connectNext(1);
        assertThat(asking).allSatisfy(one -> assertThat(one.connection).isNotNull());
        assertThat(endpoint.connections()).isEqualTo(3);
    }

    @Test
    void failedAttemptFailsItsRequestAndTriesAgainForTheOthers() {
        NodeEndpoint endpoint = endpoint(1, 8, NodeProtocol.HTTP2);
        Asking first = ask(endpoint, 0);
        Asking second = ask(endpoint, 0);
        attempts.removeFirst().onFailed.accept(new IllegalStateException("refused"));
        assertThat(first.error).isNotNull();
        run();
        connectNext(2);
        assertThat(second.connection).isNotNull();
    }

    @Test
    void sharedConnectionIsGivenUpForALoopThatHasNone() {
        NodeEndpoint endpoint = endpoint(1, 8, NodeProtocol.HTTP2);
        Asking first = ask(endpoint, 0);
        Asking second = ask(endpoint, 0);
        connectNext(10);
        Asking other = ask(endpoint, 1);
        run();
        first.release(true);
        assertThat(endpoint.connections()).isEqualTo(1);
        second.release(true);
        run();
        connectNext(10);
        assertThat(other.connection).isNotNull();
        assertThat(endpoint.connections()).isEqualTo(1);
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
