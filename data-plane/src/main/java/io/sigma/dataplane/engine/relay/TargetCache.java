package io.sigma.dataplane.engine.relay;

import io.sigma.dataplane.exchange.InvalidRequest;
import io.sigma.dataplane.exchange.RequestTarget;
import org.jspecify.annotations.Nullable;

/**
 * Remembers targets that were parsed: most requests ask for what others asked for a moment ago. Of two that fall on one
 * slot the later stays. Bounded by {@value #SLOTS} targets of {@value #LENGTH_MAX} characters; confined to one event
 * loop.
 */
public final class TargetCache {

    private static final int SLOTS = 1024;
    private static final int LENGTH_MAX = 256;

    private record Known(String target, RequestTarget parsed) {}

    private final @Nullable Known[] slots = new @Nullable Known[SLOTS];

    /**
     * Returns what {@code target} says.
     *
     * @throws InvalidRequest as {@link RequestTarget#parse} does
     */
    public RequestTarget parse(String target, String method) {
        if (target.length() > LENGTH_MAX || !target.startsWith("/")) {
            return RequestTarget.parse(target, method);
        }
        int hash = target.hashCode();
        int slot = (hash ^ hash >>> 16) & (SLOTS - 1);
        Known known = slots[slot];
        if (known == null || !known.target.equals(target)) {
            known = new Known(target, RequestTarget.parse(target, method));
            slots[slot] = known;
        }
        return known.parsed;
    }
}
