package io.sigma.dataplane.engine.framed;

/** That bytes are no frame of the protocol, or one that is too long; nothing after them can be read. */
final class BadFrame extends Exception {

    private static final long serialVersionUID = 1;

    private final boolean tooLong;

    BadFrame(String message) {
        this(message, false);
    }

    private BadFrame(String message, boolean tooLong) {
        super(message, null, false, false);
        this.tooLong = tooLong;
    }

    static BadFrame tooLong(long bytes, int bytesMax) {
        return new BadFrame("a frame of " + bytes + " bytes (expected: at most " + bytesMax + ")", true);
    }

    boolean isTooLong() {
        return tooLong;
    }
}
