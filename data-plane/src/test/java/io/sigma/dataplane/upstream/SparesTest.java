package io.sigma.dataplane.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.loop.Loop;
import io.sigma.model.ClientTls;
import io.sigma.model.NodeProtocol;
import io.sigma.model.Pool;
import io.sigma.value.NodeUrl;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** When connections are opened that no request waits for: on one loop that runs when the test says so. */
final class SparesTest {

    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private final ArrayDeque<Runnable> timers = new ArrayDeque<>();
    private final List<Long> waits = new ArrayList<>();
    private final List<Consumer<Throwable>> attempts = new ArrayList<>();
    private final List<Consumer<PooledConnection>> connected = new ArrayList<>();
    private final Loop loop = new Loop(0, new Loop.Scheduler() {
        @Override
        public void execute(Runnable task) {
            tasks.add(task);
        }

        @Override
        public void schedule(Runnable task, long millis) {
            waits.add(millis);
            timers.add(task);
        }
    });

    private NodeEndpoint endpoint(String host) {
        var key = new NodeEndpoint.Key(
                "u",
                NodeUrl.parse("http://" + host),
                Pool.builder().idleMin(2).build(),
                ClientTls.builder().build(),
                NodeProtocol.HTTP1,
                null,
                false);
        return new NodeEndpoint(
                key,
                (node, on, onConnected, onFailed) -> {
                    connected.add(onConnected);
                    attempts.add(onFailed);
                },
                List.of(loop));
    }

    private void run() {
        while (!tasks.isEmpty()) {
            tasks.poll().run();
        }
    }

    private void failAll() {
        List<Consumer<Throwable>> failing = List.copyOf(attempts);
        attempts.clear();
        failing.forEach(attempt -> attempt.accept(new IOException("refused")));
        run();
    }

    @Test
    void waitDoublesWithEachFailureUpToALimit() {
        endpoint("node").prepare();
        run();
        for (int i = 0; i < 8; i++) {
            assertThat(attempts).hasSize(1);
            failAll();
            assertThat(attempts).isEmpty();
            timers.remove().run();
            run();
        }
        assertThat(waits).containsExactly(1_000L, 2_000L, 4_000L, 8_000L, 16_000L, 32_000L, 32_000L, 32_000L);
    }

    @Test
    void noneIsOpenedToANodeThatIsKnownToFail() {
        NodeEndpoint node = endpoint("node");
        node.health().checked(HealthState.UNHEALTHY, "does not answer");
        node.prepare();
        run();
        assertThat(attempts).isEmpty();
        node.health().checked(HealthState.HEALTHY, "answers");
        timers.remove().run();
        run();
        assertThat(attempts).hasSize(1);
    }

    @Test
    void fewAreOpenedAtATimeForAllNodes() {
        for (int i = 0; i < 50; i++) {
            endpoint("node" + i).prepare();
        }
        run();
        assertThat(attempts).hasSize(16);
        failAll();
        assertThat(attempts).hasSize(16);
    }

    @Test
    void retiredNodeGetsNoMore() {
        NodeEndpoint node = endpoint("node");
        node.prepare();
        run();
        node.retire();
        run();
        failAll();
        assertThat(attempts).isEmpty();
        assertThat(timers).isEmpty();
        assertThat(node.connections()).isZero();
    }

    @Test
    void connectionsToNodesThatLeftMeanwhileAreInNobodysWay() {
        List<NodeEndpoint> left = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            left.add(endpoint("node" + i));
            left.getLast().prepare();
        }
        run();
        left.forEach(NodeEndpoint::retire);
        run();
        for (Consumer<PooledConnection> attempt : List.copyOf(connected)) {
            attempt.accept(new Closing());
        }
        attempts.clear();
        assertThat(left).allSatisfy(node -> assertThat(node.connections()).isZero());
        endpoint("next").prepare();
        run();
        assertThat(attempts).hasSize(1);
    }

    private static final class Closing extends PooledConnection {

        private boolean open = true;

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
}
