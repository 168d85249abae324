package io.sigma.dataplane.snapshot;

/** A gateway cannot serve a snapshot; the last good one stays. */
public final class SnapshotRefused extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String pointer;

    /**
     * @param pointer JSON pointer into the whole state, such as {@code /routes/shop-api/path}
     * @param message everything that is wrong, for people
     */
    public SnapshotRefused(String pointer, String message) {
        super(message, null, false, false);
        this.pointer = pointer;
    }

    /** Returns the JSON pointer, into the whole state, of the first thing that is wrong. */
    public String pointer() {
        return pointer;
    }

    /** Returns what is wrong, with the value and the expectation. */
    public String detail() {
        return String.valueOf(getMessage());
    }
}
