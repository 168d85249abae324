package io.sigma.controlplane.store;

import org.jspecify.annotations.Nullable;

/**
 * The author of a write and its reason; stored with the revision.
 *
 * @param address where the request came from, for the audit
 * @param action the operation, for the audit
 * @param scope the resources that the author may change
 * @param dryRun whether everything is done but the commit
 * @param key by which the same request is known again; null when it has none
 * @param single whether it writes one resource, whose creation is answered with 201
 */
public record WriteRequest(
        String author,
        @Nullable String message,
        String address,
        String action,
        WriteScope scope,
        boolean dryRun,
        @Nullable WriteKey key,
        boolean single) {

    /** A request of somebody who may change everything, that is committed each time it comes. */
    public WriteRequest(String author, @Nullable String message, String address, String action) {
        this(author, message, address, action, WriteScope.ALL, false, null, false);
    }

    /** Returns this as the write of one resource. */
    public WriteRequest ofOne() {
        return new WriteRequest(author, message, address, action, scope, dryRun, key, true);
    }
}
