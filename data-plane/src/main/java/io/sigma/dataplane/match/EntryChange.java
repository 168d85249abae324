package io.sigma.dataplane.match;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Entries that come and go at one place of an index, of either kind in order of rank. Confined to who makes it. */
final class EntryChange<R extends Routed> {

    /** The callback for each entry. */
    @FunctionalInterface
    interface Action<R extends Routed> {
        void accept(Entry<R> entry, boolean gone);
    }

    private List<Entry<R>> gone = List.of();
    private List<Entry<R>> more = List.of();

    void add(Entry<R> entry, boolean isGone) {
        if (isGone) {
            gone = gone.isEmpty() ? new ArrayList<>(1) : gone;
            gone.add(entry);
        } else {
            more = more.isEmpty() ? new ArrayList<>(1) : more;
            more.add(entry);
        }
    }

    boolean isEmpty() {
        return gone.isEmpty() && more.isEmpty();
    }

    void forEach(Action<R> action) {
        gone.forEach(entry -> action.accept(entry, true));
        more.forEach(entry -> action.accept(entry, false));
    }

    /** Returns {@code before} after this change. */
    Candidates<R> applied(Candidates<R> before) {
        return isEmpty() ? before : Candidates.of(applied(before.entries()));
    }

    /** Returns {@code before}, which is in order of rank, after this change. */
    List<Entry<R>> applied(List<Entry<R>> before) {
        if (isEmpty()) {
            return before;
        }
        List<Entry<R>> after = new ArrayList<>(before.size() + more.size());
        int next = 0;
        for (Entry<R> entry : before) {
            // Ranks tell the entries of one index apart.
            while (next < gone.size() && gone.get(next).rank() < entry.rank()) {
                next++;
            }
            if (next == gone.size() || gone.get(next).rank() != entry.rank()) {
                after.add(entry);
            }
        }
        boolean sorted = after.isEmpty() || more.isEmpty();
        after.addAll(more);
        if (!sorted) {
            after.sort(Comparator.comparingInt(Entry::rank));
        }
        return after;
    }
}
