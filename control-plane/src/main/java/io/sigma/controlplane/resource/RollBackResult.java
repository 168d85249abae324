package io.sigma.controlplane.resource;

import io.sigma.controlplane.store.CommitResult;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a roll back.
 *
 * @param tag of the state, or of the one resource, now; of a dry run that of what it was tried upon; null when it is
 *     not known
 */
public record RollBackResult(
        CommitResult committed, @Nullable String tag) {}
