package io.sigma.dataplane.engine.framed;

/** The bytes are not a frame of the protocol, or the frame is too long. Nothing after them can be read. */
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
