package io.sigma.dataplane.upstream;

import io.sigma.dataplane.upstream.balance.HashInput;
import java.util.Arrays;

/**
 * A consistent hash: every node owns points on a circle, by its weight, and a key belongs to the next point. When a
 * node comes or goes only its own part of the keys moves. Immutable, so shared by the event loops.
 */
final class HashRing {

    /** Points of the heaviest node: the shares of equal nodes then differ by about 8 %. */
    private static final int POINTS = 160;

    private final long[] points;
    private final int[] owners;

    HashRing(Member[] members) {
        int heaviest = Math.max(
                1, Arrays.stream(members).mapToInt(Member::weight).max().orElse(1));
        long[] hashes = new long[members.length * POINTS];
        int[] nodes = new int[hashes.length];
        int count = 0;
        for (int node = 0; node < members.length; node++) {
            int weight = members[node].weight();
            int mine = weight == 0 ? 0 : Math.max(1, (int) ((long) POINTS * weight / heaviest));
            long seed = HashInput.hash(members[node].endpoint().name());
            for (int i = 0; i < mine; i++) {
                hashes[count] = HashInput.mix(seed + i * 0x9e3779b97f4a7c15L);
                nodes[count++] = node;
            }
        }
        int total = count;
        Integer[] order = new Integer[total];
        Arrays.setAll(order, i -> i);
        Arrays.sort(order, (a, b) -> Long.compare(hashes[a], hashes[b]));
        points = new long[total];
        owners = new int[total];
        for (int i = 0; i < total; i++) {
            points[i] = hashes[order[i]];
            owners[i] = nodes[order[i]];
        }
    }

    int size() {
        return points.length;
    }

    /** Returns the place of the first point from {@code hash} on; the ring must not be empty. */
    int place(long hash) {
        int found = Arrays.binarySearch(points, hash);
        int place = found < 0 ? -found - 1 : found;
        return place == points.length ? 0 : place;
    }

    /** Returns the node that owns the point at {@code place}. */
    int owner(int place) {
        return owners[place];
    }
}
