package io.sigma.controlplane.store;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The next step of merging or deleting old revisions. Pure. */
sealed interface RetentionStep {

    /** Revisions in a slot that wait for it to end; with more of them they are merged before. */
    int WAITING_MAX = 1000;

    /** Rows that a step moves, unless two revisions have more. */
    int ROWS_MAX = 20_000;

    int REVISIONS_MAX = 500;

    /**
     * A revision that is old.
     *
     * @param slot of time that it was committed in; of each one revision is to stay
     */
    record Old(long number, int changes, long slot) {}

    /** Makes the last of neighbours stand for all of them. */
    record Merge(long first, long last) implements RetentionStep {}

    /** Deletes the oldest, up to one. */
    record Drop(long last) implements RetentionStep {}

    /** Returns how many of the oldest have to be looked at. */
    static int window(int checkpointsMax) {
        return checkpointsMax + 2 * WAITING_MAX;
    }

    /**
     * Returns the next step, null when there is nothing to do.
     *
     * @param old the oldest of those that are old, in order
     */
    static @Nullable RetentionStep next(List<Old> old, int checkpointsMax) {
        if (checkpointsMax == 0) {
            return old.isEmpty() ? null : drop(old);
        }
        List<List<Old>> slots = slots(old);
        for (int i = 0; i < slots.size(); i++) {
            List<Old> slot = slots.get(i);
            boolean over = i < slots.size() - 1;
            if (slot.size() > WAITING_MAX || (over && slot.size() > 1)) {
                List<Old> some = slot.subList(0, Math.max(2, prefix(slot)));
                return new Merge(some.getFirst().number(), some.getLast().number());
            }
        }
        int surplus = slots.size() - checkpointsMax;
        return surplus > 0 ? drop(old.subList(0, surplus)) : null;
    }

    private static List<List<Old>> slots(List<Old> old) {
        List<List<Old>> slots = new ArrayList<>();
        int from = 0;
        for (int i = 1; i <= old.size(); i++) {
            if (i == old.size() || old.get(i).slot() != old.get(from).slot()) {
                slots.add(old.subList(from, i));
                from = i;
            }
        }
        return slots;
    }

    private static Drop drop(List<Old> all) {
        return new Drop(all.get(Math.max(1, prefix(all)) - 1).number());
    }

    /** Returns how many of the first are not too much at once. */
    private static int prefix(List<Old> all) {
        long rows = 0;
        int count = 0;
        while (count < all.size()
                && count < REVISIONS_MAX
                && rows + all.get(count).changes() <= ROWS_MAX) {
            rows += all.get(count).changes();
            count++;
        }
        return count;
    }
}
