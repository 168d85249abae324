package io.sigma.controlplane.store.history;

import io.sigma.model.Kind;
import org.jspecify.annotations.Nullable;

/**
 * A filter of revisions; a null field matches all.
 *
 * @param text a part of the message, case-insensitive
 */
public record RevisionFilter(
        @Nullable String author,
        @Nullable String text,
        @Nullable Kind kind,
        @Nullable String id) {

    /** Every revision. */
    public static final RevisionFilter NONE = new RevisionFilter(null, null, null, null);
}
