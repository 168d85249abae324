package io.sigma.dataplane.upstream;

import io.sigma.dataplane.upstream.balance.BalancePolicy;
import io.sigma.model.Balancing;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The nodes among which a request chooses: those of an upstream, or of a subset. The state of a loop is confined to it.
 */
final class NodeGroup {

    private static final Member[] NONE = {};

    /** The time for which a count of the healthy nodes is reused, in nanoseconds. */
    private static final long PANIC_NANOS = 50_000_000;

    private final List<Member> members;
    private final int panicPercent;
    private final LoopTier[][] loops;
    private final @Nullable NodeGroup fallback;

    // Each slot is confined to its loop.
    private final boolean[] panics;
    private final long[] panicSince;

    /**
     * @param all may contain nodes that take no requests
     * @param fallback chosen from when no node of this group can be
     */
    NodeGroup(List<Member> all, BalancePolicy policy, int loops, @Nullable NodeGroup fallback) {
        this.members = all.stream().filter(Member::takesRequests).toList();
        this.panicPercent = policy.panicPercent();
        this.fallback = fallback;
        TreeSet<Integer> levels =
                new TreeSet<>(members.stream().map(Member::tier).toList());
        List<Tier> tiers = levels.stream().map(level -> tier(level, policy)).toList();
        this.panics = new boolean[loops];
        this.panicSince = new long[loops];
        Arrays.fill(panicSince, System.nanoTime() - PANIC_NANOS);
        this.loops = new LoopTier[loops][];
        for (int i = 0; i < loops; i++) {
            int loop = i;
            SplittableRandom random = new SplittableRandom();
            this.loops[i] = tiers.stream()
                    .map(tier -> new LoopTier(tier, policy, loop, loops, random))
                    .toArray(LoopTier[]::new);
        }
    }

    private Tier tier(int level, BalancePolicy policy) {
        Member[] mine =
                members.stream().filter(member -> member.tier() == level).toArray(Member[]::new);
        return new Tier(mine, new HashRing(policy.balancing() == Balancing.HASH ? mine : NONE));
    }

    /** Returns the next node on {@code loop}, null when there is none. */
    @Nullable
    NodeEndpoint pick(int loop, @Nullable Set<NodeEndpoint> tried, long hash, long now) {
        NodeGroup other = fallback;
        if (other != null) {
            NodeEndpoint found = pick(loop, false, tried, hash, now);
            return found != null ? found : other.pick(loop, tried, hash, now);
        }
        if (panicPercent > 0 && now - panicSince[loop] > PANIC_NANOS) {
            panicSince[loop] = now;
            panics[loop] = isPanic();
        }
        NodeEndpoint found = pick(loop, panics[loop], tried, hash, now);
        if (found == null && panicPercent > 0 && !panics[loop] && isPanic()) {
            panics[loop] = true;
            found = pick(loop, true, tried, hash, now);
        }
        return found;
    }

    private @Nullable NodeEndpoint pick(
            int loop, boolean panic, @Nullable Set<NodeEndpoint> tried, long hash, long now) {
        for (LoopTier tier : loops[loop]) {
            NodeEndpoint found = tier.pick(LoopTier.Level.STRICT, panic, tried, hash, now);
            if (found != null) {
                return found;
            }
        }
        for (LoopTier tier : loops[loop]) {
            NodeEndpoint found = tier.pick(LoopTier.Level.LAST_RESORT, panic, tried, hash, now);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    /** Returns whether so few nodes are healthy that sending everything to them would bring them down too. */
    private boolean isPanic() {
        int healthy = 0;
        for (int i = 0; i < members.size(); i++) {
            healthy += members.get(i).endpoint().health().isUsable() ? 1 : 0;
        }
        return healthy * 100 < panicPercent * members.size();
    }
}
