package io.sigma.dataplane.match;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The routes of a host with their ranks, and how they differ from those before. Ranks have gaps, in which routes find
 * room that come later, so that those around them keep their entries. Immutable.
 *
 * @param all in order of rank
 * @param gone entries that were there before, in order of rank
 * @param more entries that were not there before, in order of rank
 */
record RankedRoutes<R extends Routed>(List<Entry<R>> all, List<Entry<R>> gone, List<Entry<R>> more) {

    /** Whatever asks for the least of no ranks gets this, so no rank is as high. */
    private static final int RANK_END = Integer.MAX_VALUE;

    /**
     * Returns the ranks of {@code now}; null when there is no room between those of {@code before}, which is never so
     * when that is empty. Routes are compared by identity, and their rules only where that differs.
     *
     * @param before in order of rank
     * @param now in the order of {@link RouteRule#ORDER}
     */
    static <R extends Routed> @Nullable RankedRoutes<R> of(List<Entry<R>> before, List<R> now) {
        Ranking<R> ranking = new Ranking<>(before, now.size());
        for (R route : now) {
            ranking.next(route);
        }
        return ranking.end();
    }

    /** A walk through both lists. */
    @SuppressWarnings("ReferenceEquality") // An unchanged value is the same object.
    private static final class Ranking<R extends Routed> {

        private final List<Entry<R>> before;
        private final List<Entry<R>> all;
        private final List<Entry<R>> gone = new ArrayList<>(1);
        private final List<Entry<R>> more = new ArrayList<>(1);
        /** New ones since the last that stayed. */
        private final List<R> waiting = new ArrayList<>(1);

        private int next;
        private int rank;
        private boolean full;

        Ranking(List<Entry<R>> before, int size) {
            this.before = before;
            this.all = new ArrayList<>(size);
        }

        void next(R route) {
            while (next < before.size() && before.get(next).route() != route && isPast(before.get(next), route)) {
                gone.add(before.get(next++));
            }
            if (next == before.size() || before.get(next).route() != route) {
                waiting.add(route);
                return;
            }
            Entry<R> same = before.get(next++);
            rankWaiting(same.rank());
            all.add(same);
            rank = same.rank();
        }

        private static boolean isPast(Entry<?> entry, Routed route) {
            return RouteRule.ORDER.compare(entry.route().rule(), route.rule()) <= 0;
        }

        private void rankWaiting(int end) {
            int gap = (end - rank) / (waiting.size() + 1);
            full |= gap == 0 && !waiting.isEmpty();
            for (R route : waiting) {
                rank += gap;
                Entry<R> entry = Entry.of(route, rank);
                more.add(entry);
                all.add(entry);
            }
            waiting.clear();
        }

        @Nullable
        RankedRoutes<R> end() {
            rankWaiting(RANK_END);
            gone.addAll(before.subList(next, before.size()));
            return full ? null : new RankedRoutes<>(Collections.unmodifiableList(all), gone, more);
        }
    }
}
