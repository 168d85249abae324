package io.sigma.controlplane.api.request;

/** Carries out one operation of the contract. Called on a virtual thread; may wait. */
@FunctionalInterface
public interface OperationHandler {

    /** @throws io.sigma.controlplane.failure.FailureException to be answered with a problem */
    Answer handle(ApiCall call);
}
