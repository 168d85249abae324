package io.sigma.dataplane.link;

/** What was fetched does not lead to the state that the control plane has. */
final class HashMismatch extends RuntimeException {

    private static final long serialVersionUID = 1L;

    HashMismatch(long revision, String actual, String expected) {
        super("revision " + revision + " hashes to " + actual + " (expected: " + expected + ")", null, false, false);
    }
}
