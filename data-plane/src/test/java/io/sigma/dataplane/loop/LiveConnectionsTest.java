package io.sigma.dataplane.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.model.ConnectionProtocol;
import io.sigma.model.GatewayConnection;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LiveConnectionsTest {

    private final Deque<Runnable> turns = new ArrayDeque<>();
    private final List<LiveConnections.Found> found = new ArrayList<>();
    private final LiveConnections connections = new LiveConnections(3, new Loop.Scheduler() {
        @Override
        public void execute(Runnable task) {
            turns.add(task);
        }

        @Override
        public void schedule(Runnable task, long millis) {
            throw new AssertionError("nothing waits");
        }
    });

    /** Its revision is its number. */
    private static final class Numbered implements LiveConnection {
        private final long number;
        private int closed;

        Numbered(long number) {
            this.number = number;
        }

        @Override
        public GatewayConnection describe(String id) {
            return GatewayConnection.builder()
                    .id(id)
                    .protocol(ConnectionProtocol.TCP)
                    .proxyServerId("in")
                    .startedAt(Instant.EPOCH)
                    .revision(number)
                    .bytesIn(0L)
                    .bytesOut(0L)
                    .build();
        }

        @Override
        public void close() {
            closed++;
        }
    }

    private List<Long> found() {
        return found.getLast().connections().stream()
                .map(GatewayConnection::revision)
                .toList();
    }

    @Test
    void trafficHasItsTurnWhileManyAreLookedAt() {
        List<Long> numbers = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            numbers.add(connections.add(new Numbered(i)));
        }
        connections.find(each -> each.revision() % 2 == 0, 3, found::add);
        assertThat(found).isEmpty();
        int used = 0;
        while (!turns.isEmpty()) {
            turns.remove().run();
            used++;
            if (used == 1) {
                // Even ones that are looked at later, and one that was counted.
                connections.remove(numbers.get(998));
                connections.remove(numbers.get(996));
                connections.remove(numbers.get(0));
            }
        }
        assertThat(used).isGreaterThan(2);
        assertThat(found()).containsExactly(0L, 2L, 4L);
        assertThat(found.getLast().matching()).isEqualTo(498);
    }

    @Test
    void oneIsClosedByItsIdAlone() {
        Numbered first = new Numbered(1);
        Numbered second = new Numbered(2);
        connections.add(first);
        long number = connections.add(second);
        connections.find(each -> true, 10, found::add);
        String id = found.getLast().connections().getLast().id();
        assertThat(id).startsWith("3-");

        assertThat(connections.close(id)).isNotNull();
        assertThat(second.closed).isEqualTo(1);
        assertThat(first.closed).isZero();
        for (String other :
                List.of("", "3-", "3", "2" + id.substring(1), id + "?", id.substring(2), "3-" + "z".repeat(60))) {
            assertThat(connections.close(other)).as(other).isNull();
        }
        connections.remove(number);
        assertThat(connections.close(id)).isNull();
        assertThat(second.closed).isEqualTo(1);
    }
}
