package io.sigma.controlplane.cluster;

/** A gateway may not have a certificate. */
final class NotIssued extends RuntimeException {

    private static final long serialVersionUID = 1;

    NotIssued(String message) {
        super(message, null, false, false);
    }
}
