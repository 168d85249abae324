package io.sigma.controlplane.resource;

import io.sigma.controlplane.store.CommitResult;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a declared state.
 *
 * @param unchanged entities that were so already
 * @param tag of the state, or of its part, now; of a dry run that of what it was tried upon; null when it is not known
 */
public record DeclarationResult(
        CommitResult committed,
        int created,
        int updated,
        int deleted,
        int unchanged,
        @Nullable String tag) {}
