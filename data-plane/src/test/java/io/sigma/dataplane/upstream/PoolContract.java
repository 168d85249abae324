package io.sigma.dataplane.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.exchange.GatewayError;
import io.sigma.dataplane.loop.Loop;
import io.sigma.model.ClientTls;
import io.sigma.model.NodeProtocol;
import io.sigma.model.NodeProxyProtocol;
import io.sigma.model.Pool;
import io.sigma.value.NodeUrl;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Pools without sockets: two loops that run when the test says so. */
abstract class PoolContract {

    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private final List<Loop> loops = List.of(new Loop(0, new Later()), new Loop(1, new Later()));
    final List<Attempt> attempts = new ArrayList<>();

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

    record Attempt(Consumer<PooledConnection> onConnected, Consumer<Throwable> onFailed) {}

    @Nullable
    Integer lifetimeMillis;

    @Nullable
    NodeProxyProtocol proxyProtocol;

    static final class Connection extends PooledConnection {
        boolean open = true;
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

    static final class Asking extends Waiter {
        @Nullable
        PooledConnection connection;

        @Nullable
        GatewayError error;

        long client;
        int waitMillisMax = 2_000;

        @Override
        protected long client() {
            return client;
        }

        @Override
        protected int waitMillisMax() {
            return waitMillisMax;
        }

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
            mine.release(reusable, client);
        }
    }

    final NodeEndpoint endpoint(int connectionsMax, int queueMax) {
        return endpoint(connectionsMax, queueMax, NodeProtocol.HTTP1);
    }

    final NodeEndpoint endpoint(int connectionsMax, int queueMax, Connector connector) {
        return endpoint(connectionsMax, queueMax, NodeProtocol.HTTP1, connector);
    }

    final NodeEndpoint endpoint(int connectionsMax, int queueMax, NodeProtocol protocol) {
        return endpoint(
                connectionsMax,
                queueMax,
                protocol,
                (endpoint, loop, connected, failed) -> attempts.add(new Attempt(connected, failed)));
    }

    private NodeEndpoint endpoint(int connectionsMax, int queueMax, NodeProtocol protocol, Connector connector) {
        Pool pool = Pool.builder()
                .connectionsMax(connectionsMax)
                .queueMax(queueMax)
                .lifetimeMillis(lifetimeMillis)
                .build();
        String url = protocol == NodeProtocol.AUTO ? "https://node" : "http://node";
        var key = new NodeEndpoint.Key(
                "u", NodeUrl.parse(url), pool, ClientTls.builder().build(), protocol, proxyProtocol, false);
        return new NodeEndpoint(key, connector, loops);
    }

    final void run() {
        while (!tasks.isEmpty()) {
            tasks.poll().run();
        }
    }

    static Asking ask(NodeEndpoint endpoint, int loop) {
        Asking asking = new Asking();
        endpoint.pool(loop).acquire(asking);
        return asking;
    }

    final void connectNext() {
        connectNext(1);
    }

    final Connection connectNext(int streams) {
        Connection connection = new Connection(streams);
        attempts.removeFirst().onConnected.accept(connection);
        return connection;
    }
}
