package io.sigma.controlplane.resource;

import io.sigma.controlplane.store.CommitResult;
import io.sigma.controlplane.store.history.Stored;

/**
 * The outcome of a write.
 *
 * @param stored the resource as the database has it now
 * @param created whether it did not exist before
 */
public record WriteResult<T>(Stored<T> stored, boolean created, CommitResult committed) {}
