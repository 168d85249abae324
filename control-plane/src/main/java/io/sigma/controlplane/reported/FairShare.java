package io.sigma.controlplane.reported;

import java.util.Collection;
import java.util.List;

/** Divides room among gateways, so that one that says much takes none from those that say little. Pure. */
public final class FairShare {

    private FairShare() {}

    /**
     * Returns how much each may have at most so that all together have {@code room} at most: whoever wants less than an
     * equal part gets all of it, and leaves the rest to the others.
     *
     * @param wanted by each, 0 or more
     */
    public static long of(Collection<Long> wanted, long room) {
        List<Long> sorted = wanted.stream().sorted().toList();
        long left = room;
        for (int i = 0; i < sorted.size(); i++) {
            long share = left / (sorted.size() - i);
            if (sorted.get(i) > share) {
                return share;
            }
            left -= sorted.get(i);
        }
        return Long.MAX_VALUE;
    }
}
