package io.sigma.json;

/**
 * Is told what a tree costs while it is read, so that a small text does not become a tree without bound: {@code []} has
 * two bytes as a text and some 80 in memory. Called by the thread that reads.
 */
@FunctionalInterface
public interface TreeCost {

    /**
     * Takes more memory.
     *
     * @param bytes more than 0
     * @return false when there is none; reading then ends with {@link TreeTooLarge}
     */
    boolean take(long bytes);

    /** Returns a cost that allows {@code max} bytes for one tree. */
    static TreeCost upTo(long max) {
        return new TreeCost() {
            private long taken;

            @Override
            public boolean take(long bytes) {
                taken += bytes;
                return taken <= max;
            }
        };
    }
}
