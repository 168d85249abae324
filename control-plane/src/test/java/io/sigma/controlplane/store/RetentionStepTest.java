package io.sigma.controlplane.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.controlplane.store.RetentionStep.Drop;
import io.sigma.controlplane.store.RetentionStep.Merge;
import io.sigma.controlplane.store.RetentionStep.Old;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RetentionStepTest {

    /** Revisions 1, 2, ... in these slots. */
    private static List<Old> old(int changes, long... slots) {
        List<Old> old = new ArrayList<>();
        for (int i = 0; i < slots.length; i++) {
            old.add(new Old(i + 1, changes, slots[i]));
        }
        return old;
    }

    @Test
    void aSlotThatIsOverIsMergedAndTheLastOneWaits() {
        assertThat(RetentionStep.next(old(1, 7, 7, 7, 8, 8), 10)).isEqualTo(new Merge(1, 3));
        assertThat(RetentionStep.next(old(1, 7, 8, 8, 9), 10)).isEqualTo(new Merge(2, 3));
        assertThat(RetentionStep.next(old(1, 7, 8, 8), 10)).isNull();
        assertThat(RetentionStep.next(List.of(), 10)).isNull();
    }

    @Test
    void aSlotWithVeryManyRevisionsDoesNotWaitForItsEnd() {
        assertThat(RetentionStep.next(old(1, new long[RetentionStep.WAITING_MAX]), 10))
                .isNull();
        assertThat(RetentionStep.next(old(1, new long[RetentionStep.WAITING_MAX + 1]), 10))
                .isEqualTo(new Merge(1, RetentionStep.REVISIONS_MAX));
    }

    @Test
    void aStepHasFewRowsButAlwaysTwoRevisions() {
        assertThat(RetentionStep.next(old(RetentionStep.ROWS_MAX / 3, 1, 1, 1, 1, 2), 10))
                .isEqualTo(new Merge(1, 3));
        assertThat(RetentionStep.next(old(RetentionStep.ROWS_MAX + 1, 1, 1, 1, 1, 2), 10))
                .isEqualTo(new Merge(1, 2));
    }

    @Test
    void theOldestCheckpointsGoWhenThereAreTooMany() {
        assertThat(RetentionStep.next(old(1, 1, 2, 3, 4, 4), 2)).isEqualTo(new Drop(2));
        assertThat(RetentionStep.next(old(1, 1, 2, 3, 4, 4), 4)).isNull();
        assertThat(RetentionStep.next(old(RetentionStep.ROWS_MAX + 1, 1, 2, 3, 4), 1))
                .isEqualTo(new Drop(1));
    }

    @Test
    void withoutCheckpointsAllThatIsOldGoes() {
        assertThat(RetentionStep.next(old(1, 1, 1, 2), 0)).isEqualTo(new Drop(3));
        assertThat(RetentionStep.next(List.of(), 0)).isNull();
    }
}
