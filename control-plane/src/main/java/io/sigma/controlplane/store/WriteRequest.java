package io.sigma.controlplane.store;

import org.jspecify.annotations.Nullable;

/**
 * Who writes and why; kept with the revision.
 *
 * @param address where the request came from, for the audit
 * @param action what was asked for, for the audit: {@code putRoute shop-api}
 */
public record WriteRequest(String author, @Nullable String message, String address, String action) {}
