package io.sigma.dataplane.upstream;

import io.sigma.dataplane.upstream.balance.Balancer;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * The same key to the same node, with bounded loads (Mirrokni, Thorup, Zadimoghaddam 2016): a node that has its share
 * of the requests in progress and a bit more is passed over for the next one on the ring. A request without a key goes
 * anywhere.
 */
final class ConsistentHash implements Balancer {

    /**
     * A node with no more requests in progress than this is never skipped. With few requests, any bound would scatter
     * the keys.
     */
    private static final int FEW = 8;

    private final Member[] members;
    private final HashRing ring;
    private final int loadPercentMax;
    private final RandomGenerator random;
    private final long weights;
    private final boolean[] seen;

    ConsistentHash(Member[] members, HashRing ring, int loadPercentMax, RandomGenerator random) {
        this.members = members;
        this.ring = ring;
        this.loadPercentMax = loadPercentMax;
        this.random = random;
        this.weights = Arrays.stream(members).mapToLong(Member::weight).sum();
        this.seen = new boolean[members.length];
    }

    @Override
    public int next(Eligible eligible) {
        if (ring.size() == 0) {
            return -1;
        }
        long hash = eligible.hash();
        int start = ring.place(hash == 0 ? random.nextLong() : hash);
        int first = ring.owner(start);
        if (eligible.test(first) && hasRoom(first)) {
            return first;
        }
        return walk(eligible, start);
    }

    /** Returns the next node on the ring that is eligible and has room, or the first eligible one when none has. */
    private int walk(Eligible eligible, int start) {
        Arrays.fill(seen, false);
        int left = members.length;
        int full = -1;
        for (int i = 0; i < ring.size() && left > 0; i++) {
            int place = start + i;
            int node = ring.owner(place < ring.size() ? place : place - ring.size());
            if (seen[node]) {
                continue;
            }
            seen[node] = true;
            left--;
            if (eligible.test(node)) {
                if (hasRoom(node)) {
                    return node;
                }
                full = full < 0 ? node : full;
            }
        }
        return full;
    }

    private boolean hasRoom(int node) {
        if (loadPercentMax == 0) {
            return true;
        }
        int mine = members[node].endpoint().inFlight();
        if (mine < FEW) {
            return true;
        }
        long all = 1;
        for (Member member : members) {
            all += member.endpoint().inFlight();
        }
        double fair = (double) all * members[node].weight() / weights;
        return mine < Math.ceil(fair * loadPercentMax / 100);
    }
}
