package io.sigma.controlplane.cluster;

/** The private key of the cluster's authority was sealed with another secret than this control plane has. */
public final class ClusterKeyException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ClusterKeyException(Throwable cause) {
        super(
                "The private key of the cluster's authority, which is in the database, cannot be decrypted with this control"
                        + " plane's secretKey (expected: the one that it was encrypted with, as secretKey or as"
                        + " secretKeyPrevious; control planes that share a database share it)",
                cause);
    }
}
