package io.sigma.controlplane.api.request;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Addresses that showed right credentials, the latest of them: who comes from there again is let in before strangers
 * are. Thread-safe.
 */
public final class KnownAddresses {

    static final int ADDRESSES_MAX = 10_000;

    // Guarded by this; in the order of their last use.
    private final Map<String, Boolean> blocks = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > ADDRESSES_MAX;
        }
    };

    /** Notes that {@code block} showed right credentials. */
    public synchronized void add(String block) {
        blocks.put(block, true);
    }

    /** Returns whether good credentials came from {@code block}. */
    public synchronized boolean contains(String block) {
        return blocks.containsKey(block);
    }
}
