package io.sigma.controlplane.cluster;

/**
 * The rate limit of one gateway over all its connections: a token bucket of messages, and one of characters. A gateway
 * sends a few messages for each change, and some every two seconds. Confined to the server's event loop.
 */
final class Allowance {

    static final int MESSAGES_PER_SECOND = 2_000;
    static final int MESSAGES_MAX = 4_000;
    static final int CHARS_PER_SECOND = 4 * 1024 * 1024;
    static final int CHARS_MAX = 8 * 1024 * 1024;

    private static final double SECOND_NANOS = 1e9;

    private double messages = MESSAGES_MAX;
    private double chars = CHARS_MAX;
    private long filled;

    /** @param nanoTime of a monotonic clock */
    Allowance(long nanoTime) {
        filled = nanoTime;
    }

    /**
     * Takes one message.
     *
     * @return false when it is too much
     */
    boolean take(int length, long nanoTime) {
        fill(nanoTime);
        if (messages < 1 || chars < length) {
            return false;
        }
        messages--;
        chars -= length;
        return true;
    }

    /** Returns whether nothing is lost when it is forgotten. */
    boolean isFull(long nanoTime) {
        fill(nanoTime);
        return messages >= MESSAGES_MAX && chars >= CHARS_MAX;
    }

    private void fill(long nanoTime) {
        double seconds = (nanoTime - filled) / SECOND_NANOS;
        filled = nanoTime;
        messages = Math.min(MESSAGES_MAX, messages + seconds * MESSAGES_PER_SECOND);
        chars = Math.min(CHARS_MAX, chars + seconds * CHARS_PER_SECOND);
    }
}
