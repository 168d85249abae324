package io.sigma.dataplane.snapshot;

/** A gateway cannot serve a snapshot; the last good one stays. */
public final class SnapshotRefused extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String pointer;
    private final String detail;

    /**
     * @param pointer JSON pointer into the whole state, such as {@code /routes/shop-api/path}
     * @param message everything that is wrong, for people; it may begin with the pointer
     */
    public SnapshotRefused(String pointer, String message) {
        super(pointer.isEmpty() ? message : pointer + ": " + withoutPointer(pointer, message), null, false, false);
        this.pointer = pointer;
        this.detail = withoutPointer(pointer, message);
    }

    private static String withoutPointer(String pointer, String message) {
        String prefix = pointer + ": ";
        return !pointer.isEmpty() && message.startsWith(prefix) ? message.substring(prefix.length()) : message;
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

    /**
     * Returns what is wrong, with the value and the expectation; it is told after the pointer, and does not begin with
     * it.
     */
    public String detail() {
        return detail;
    }
}
