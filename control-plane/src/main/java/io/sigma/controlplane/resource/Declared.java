package io.sigma.controlplane.resource;

import io.sigma.controlplane.store.Committed;
import org.jspecify.annotations.Nullable;

/**
 * What became of a declared state.
 *
 * @param unchanged entities that were so already
 * @param tag of the state, or of its part, now; of a dry run that of what it was tried upon; null when it is not known
 */
public record Declared(
        Committed committed,
        int created,
        int updated,
        int deleted,
        int unchanged,
        @Nullable String tag) {}
