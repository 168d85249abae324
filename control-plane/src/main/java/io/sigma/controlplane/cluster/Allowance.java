package io.sigma.controlplane.cluster;

import io.sigma.limit.TokenBucket;

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

    private final TokenBucket messages;
    private final TokenBucket chars;

    /** @param nanoTime of a monotonic clock */
    Allowance(long nanoTime) {
        messages = new TokenBucket(MESSAGES_MAX, MESSAGES_MAX * SECOND_NANOS / MESSAGES_PER_SECOND, nanoTime);
        chars = new TokenBucket(CHARS_MAX, CHARS_MAX * SECOND_NANOS / CHARS_PER_SECOND, nanoTime);
    }

    /**
     * Takes one message.
     *
     * @return false when it is too much
     */
    boolean take(int length, long nanoTime) {
        if (messages.tokens(nanoTime) < 1 || chars.tokens(nanoTime) < length) {
            return false;
        }
        messages.take(1, nanoTime);
        chars.take(length, nanoTime);
        return true;
    }

    /** Returns whether nothing is lost when it is forgotten. */
    boolean isFull(long nanoTime) {
        return messages.isFull(nanoTime) && chars.isFull(nanoTime);
    }
}
