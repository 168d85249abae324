package io.sigma.controlplane.store;

import io.sigma.controlplane.store.history.ResourceReader;
import io.sigma.snapshot.EntityChange;
import java.util.List;

/** Decides what a write changes. */
@FunctionalInterface
public interface Edit {

    /**
     * Returns how entities shall be, each at most once; those that are so already are left alone. Called inside the
     * transaction, while every other writer waits: whatever {@code reader} shows stays true until the commit.
     *
     * @throws io.sigma.controlplane.failure.FailureException to change nothing
     */
    List<EntityChange> changes(ResourceReader reader);
}
