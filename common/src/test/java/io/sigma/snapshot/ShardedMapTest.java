package io.sigma.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

final class ShardedMapTest {

    private final Random random = new Random(7);

    @Test
    void holdsWhatAHashMapWouldAfterAnyEdits() {
        ShardedMap<String, Integer> map = ShardedMap.empty();
        Map<String, Integer> expected = new HashMap<>();
        for (int round = 0; round < 300; round++) {
            Map<String, Integer> edits = edits(random.nextInt(60));
            map = map.with(edits);
            edits.forEach((key, value) -> {
                if (value == null) {
                    expected.remove(key);
                } else {
                    expected.put(key, value);
                }
            });
            Assertions.<Map<String, Integer>>assertThat(map).isEqualTo(expected);
            assertThat(map.size()).isEqualTo(expected.size());
            assertThat(map.keySet()).containsExactlyInAnyOrderElementsOf(expected.keySet());
            Map<String, Integer> seen = new HashMap<>();
            map.forEach(seen::put);
            assertThat(seen).isEqualTo(expected);
        }
    }

    @Test
    void whatWasCopiedStaysAsItWas() {
        ShardedMap<String, Integer> before = ShardedMap.<String, Integer>empty().with(edits(5_000));
        Map<String, Integer> was = new HashMap<>(before);

        before.with(edits(5_000));

        Assertions.<Map<String, Integer>>assertThat(before).isEqualTo(was);
    }

    @Test
    void tellsWhatChangedWhereverTheMapsComeFrom() {
        ShardedMap<String, Integer> before = ShardedMap.<String, Integer>empty().with(edits(3_000));
        // A few changes are found shard by shard, many lay the shards out anew, and another map shares none.
        for (ShardedMap<String, Integer> after : List.of(
                before.with(edits(3)),
                before.with(edits(20_000)),
                ShardedMap.<String, Integer>empty().with(edits(3_000)),
                ShardedMap.<String, Integer>empty())) {
            Map<String, Integer> changed = new HashMap<>();
            ShardedMap.forEachChange(before, after, (key, was, is) -> {
                assertThat(before.get(key)).isEqualTo(was);
                assertThat(after.get(key)).isEqualTo(is).isNotEqualTo(was);
                changed.put(key, is);
            });
            Assertions.<Map<String, Integer>>assertThat(before.with(changed)).isEqualTo(after);
        }
    }

    @Test
    void findsFewChangesAmongManyEntriesInFewComparisons() {
        Map<String, Counted> many = new HashMap<>();
        for (int i = 0; i < 50_000; i++) {
            many.put("route-" + i, new Counted());
        }
        ShardedMap<String, Counted> before = ShardedMap.<String, Counted>empty().with(many);
        Map<String, Counted> same = new HashMap<>();
        ShardedMap<String, Counted> after = before.with(Map.of("route-7", new Counted()));

        ShardedMap.forEachChange(before, after, (key, was, is) -> same.put(key, is));

        assertThat(same).containsOnlyKeys("route-7");
        assertThat(many.values().stream().mapToInt(one -> one.compared).sum()).isZero();
    }

    private Map<String, Integer> edits(int count) {
        Map<String, Integer> edits = new HashMap<>();
        for (int i = 0; i < count; i++) {
            edits.put("key-" + random.nextInt(10_000), random.nextInt(4) == 0 ? null : random.nextInt(100));
        }
        return edits;
    }

    /** Counts how often it was compared with another one. */
    private static final class Counted {

        private int compared;

        @Override
        public boolean equals(Object other) {
            compared++;
            return this == other;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(this);
        }
    }
}
