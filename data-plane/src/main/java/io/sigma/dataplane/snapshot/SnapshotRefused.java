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

    /**
     * Returns the refusal of what the gateway failed to compile, without having found anything wrong with it.
     *
     * @param pointer to what was compiled; empty when that is not known
     */
    static SnapshotRefused defect(String pointer, Throwable failure) {
        return new SnapshotRefused(pointer, "the gateway failed to compile it: " + failure);
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
