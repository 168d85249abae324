package io.sigma.controlplane.store.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.model.Kind;
import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.StateHash;
import java.math.BigInteger;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RecentRevisionsTest {

    private final RecentRevisions recent = new RecentRevisions(3);

    private static StateHash hash(long number) {
        return new StateHash(BigInteger.valueOf(number));
    }

    private static EntityChange change(long number) {
        return new EntityChange(Kind.ROUTE, "r" + number, null);
    }

    private void add(long from, long to) {
        for (long number = from; number <= to; number++) {
            recent.add(number, hash(number), List.of(change(number)));
        }
    }

    @Test
    void theOldestRevisionsAreForgotten() {
        recent.restart(10, hash(10));
        add(11, 15);
        assertThat(recent.since(12, hash(12), 15)).containsExactly(change(13), change(14), change(15));
        assertThat(recent.since(11, hash(11), 15)).isNull();
        assertThat(recent.since(14, hash(14), 14)).isEmpty();
    }

    @Test
    void aRestartForgetsEverything() {
        recent.restart(10, hash(10));
        add(11, 12);
        recent.restart(20, hash(20));
        assertThat(recent.since(11, hash(11), 12)).isNull();
        add(21, 21);
        assertThat(recent.since(20, hash(20), 21)).containsExactly(change(21));
    }

    @Test
    void aVeryLargeRevisionIsNotKept() {
        recent.restart(1, hash(1));
        recent.add(2, hash(2), Collections.nCopies(20_001, change(2)));
        assertThat(recent.since(1, hash(1), 2)).isNull();
        assertThat(recent.since(2, hash(2), 2)).isEmpty();
        add(3, 3);
        assertThat(recent.since(2, hash(2), 3)).containsExactly(change(3));
    }
}
