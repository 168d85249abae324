package io.sigma.controlplane.store;

import org.jspecify.annotations.Nullable;

/**
 * Who writes and why; kept with the revision.
 *
 * @param address where the request came from, for the audit
 * @param action what was asked for, for the audit: {@code putRoute shop-api}
 * @param dryRun whether everything is done but the commit
 * @param key by which the same request is known again; null when it has none
 */
public record WriteRequest(
        String author,
        @Nullable String message,
        String address,
        String action,
        boolean dryRun,
        @Nullable WriteKey key) {

    /** A request that is committed each time it comes. */
    public WriteRequest(String author, @Nullable String message, String address, String action) {
        this(author, message, address, action, false, null);
    }
}
