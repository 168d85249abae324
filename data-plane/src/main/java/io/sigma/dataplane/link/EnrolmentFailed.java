package io.sigma.dataplane.link;

/** No control plane gave this gateway a certificate; the message says why, for people. */
public final class EnrolmentFailed extends RuntimeException {

    private static final long serialVersionUID = 1L;

    EnrolmentFailed(String message) {
        super(message);
    }

    EnrolmentFailed(String message, Throwable cause) {
        super(message, cause);
    }
}
