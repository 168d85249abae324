package io.sigma.controlplane.store;

/** What a writer may change; asked for each entity, inside the transaction. */
@FunctionalInterface
public interface WriteScope {

    /** Everything. */
    WriteScope ALL = edit -> {};

    /** @throws io.sigma.controlplane.failure.FailureException when it may not */
    void check(EntityEdit edit);
}
