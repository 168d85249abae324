package io.sigma.dataplane.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class RecentMapTest {

    private static final int MAPS = 20;
    private static final int ALL_MAX = 10_000;

    private final EntryBudget budget = new EntryBudget(ALL_MAX);

    @Test
    void allMapsTogetherHaveABound() {
        List<RecentMap<Integer>> maps = IntStream.range(0, MAPS)
                .mapToObj(i -> new RecentMap<Integer>(1_000_000, budget))
                .toList();
        for (int key = 0; key < ALL_MAX; key++) {
            for (RecentMap<Integer> map : maps) {
                map.putIfAbsent(key, key);
            }
        }

        long entries = maps.stream().mapToLong(RecentMap::size).sum();
        // Each map may add a few before it asks.
        assertThat(entries).isBetween(ALL_MAX / 4L, ALL_MAX + MAPS * 64L);
    }

    @Test
    void whatIsLookedForStaysWhileAnotherMapFills() {
        RecentMap<Integer> quiet = new RecentMap<>(1_000, budget);
        quiet.putIfAbsent("kept", 1);
        RecentMap<Integer> flooded = new RecentMap<>(1_000_000, budget);
        for (int key = 0; key < 10 * ALL_MAX; key++) {
            flooded.putIfAbsent(key, key);
        }

        assertThat(quiet.get("kept")).isEqualTo(1);
        assertThat(flooded.size()).isLessThanOrEqualTo(ALL_MAX + 64L);
    }
}
