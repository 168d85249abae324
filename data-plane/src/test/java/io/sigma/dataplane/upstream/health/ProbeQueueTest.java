package io.sigma.dataplane.upstream.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Nodes that do not answer take a bounded number of sockets, and keep no other upstream from its checks. */
final class ProbeQueueTest {

    private final ProbeQueue queue = new ProbeQueue();
    private final ArrayDeque<One> running = new ArrayDeque<>();

    private final class One implements ProbeQueue.Check {

        private final String upstreamId;
        private boolean stopped;
        private boolean begun;

        One(String upstreamId) {
            this.upstreamId = upstreamId;
        }

        @Override
        public String upstreamId() {
            return upstreamId;
        }

        @Override
        public boolean isStopped() {
            return stopped;
        }

        @Override
        public void begin() {
            begun = true;
            running.add(this);
        }
    }

    private List<One> enter(String upstreamId, int checks) {
        List<One> all = new ArrayList<>();
        for (int i = 0; i < checks; i++) {
            One check = new One(upstreamId);
            all.add(check);
            queue.enter(check);
        }
        return all;
    }

    private void endOldest() {
        queue.leave(running.remove().upstreamId());
    }

    @Test
    void soManyRunAtOnceAndAllRunInTheEnd() {
        List<One> all = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            all.addAll(enter("upstream-" + i, 100));
        }
        assertThat(running).hasSize(ProbeQueue.RUNNING_MAX);
        while (!running.isEmpty()) {
            endOldest();
            assertThat(running).hasSizeLessThanOrEqualTo(ProbeQueue.RUNNING_MAX);
        }
        assertThat(all).allMatch(check -> check.begun);
    }

    @Test
    void oneUpstreamLeavesPlacesToOthers() {
        enter("silent", 1_000);
        assertThat(running).hasSize(ProbeQueue.OF_UPSTREAM_MAX);
        assertThat(enter("other", 1).getFirst().begun).isTrue();
    }

    @Test
    void upstreamsTakeTurns() {
        for (int i = 0; i < 20; i++) {
            enter("silent-" + i, 1_000);
        }
        One other = enter("other", 1).getFirst();
        for (int i = 0; i < 21; i++) {
            endOldest();
        }
        assertThat(other.begun).isTrue();
    }

    @Test
    void stoppedChecksDoNotRun() {
        enter("a", ProbeQueue.OF_UPSTREAM_MAX);
        List<One> waiting = enter("a", 2);
        waiting.getFirst().stopped = true;
        endOldest();
        assertThat(waiting.getFirst().begun).isFalse();
        assertThat(waiting.getLast().begun).isTrue();
    }
}
