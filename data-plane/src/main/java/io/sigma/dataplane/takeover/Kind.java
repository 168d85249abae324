package io.sigma.dataplane.takeover;

import java.io.IOException;

/**
 * The kinds of messages. The body of each is an object whose unknown fields are ignored. The codes never change: builds
 * of different age speak with each other.
 */
enum Kind {
    /** New to old, first: {@code protocols} that the new process speaks, its {@code version} and {@code loops}. */
    HELLO(1),
    /** Old to new: {@code detail} says why it hands nothing over. It goes on. */
    REFUSED(2),
    /**
     * Old to new: the {@code protocol} that is spoken, its {@code version}, the {@code revision} and {@code hash} that
     * it serves, and its {@code sockets}, each with {@code address} and {@code count}.
     */
    OFFER(3),
    /** Old to new, as often as is needed for all sockets: descriptors in the order of the offer. */
    SOCKETS(4),
    /** New to old: it is ready to serve {@code revision} with {@code hash}; both are absent when a file says what. */
    READY(5),
    /** Old to new: it serves another {@code revision} by now. */
    OTHER_REVISION(6),
    /** Old to new: {@code state}, what the new process goes on with. */
    STATE(7),
    /** New to old: it accepts. */
    TAKEN(8),
    /** Old to new: it accepts nothing more, and has left the control planes. */
    LEFT(9);

    private final byte code;

    Kind(int code) {
        this.code = (byte) code;
    }

    byte code() {
        return code;
    }

    static Kind of(byte code) throws IOException {
        for (Kind kind : values()) {
            if (kind.code == code) {
                return kind;
            }
        }
        throw new IOException("message of kind " + code + " (expected: 1.." + values().length + ")");
    }
}
