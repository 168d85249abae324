package io.sigma.dataplane.watch;

/** A file cannot be read, or does not contain what it should. */
public final class UnusableFile extends Exception {

    private static final long serialVersionUID = 1L;

    private final int index;
    private final boolean refused;

    /**
     * @param index of the file among those that are read together; -1 when all of them are meant
     * @param detail the value and what was expected; no content of the file
     */
    public UnusableFile(int index, String detail) {
        this(index, detail, false);
    }

    /** @param refused whether the settings of the gateway do not open the file */
    UnusableFile(int index, String detail, boolean refused) {
        super(detail);
        this.index = index;
        this.refused = refused;
    }

    /** Returns whether the settings of the gateway do not open the file. */
    public boolean isRefused() {
        return refused;
    }

    public int index() {
        return index;
    }
}
