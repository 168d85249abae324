package io.sigma.dataplane.link;

/** The fetched snapshot does not lead to the state of the control plane. */
final class HashMismatch extends RuntimeException {

    private static final long serialVersionUID = 1L;

    HashMismatch(long revision, String actual, String expected) {
        super("revision " + revision + " hashes to " + actual + " (expected: " + expected + ")", null, false, false);
    }
}
