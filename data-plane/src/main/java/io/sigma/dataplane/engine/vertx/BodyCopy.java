package io.sigma.dataplane.engine.vertx;

import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;

/** Keeps a copy of a request's body while it arrives. Confined to the event loop. */
final class BodyCopy {

    /** Who wants the copy; exactly one method is called, once. */
    interface Taker {

        /**
         * @param length of all pieces, in bytes
         */
        void onWhole(List<Buffer> pieces, long length);

        /** The body is longer than is kept. */
        void onTooLong();

        /** The body broke off. */
        void onAborted();
    }

    private final List<Buffer> pieces = new ArrayList<>(2);
    private final int bytesMax;
    private final Taker taker;
    private long length;
    private boolean over;

    BodyCopy(int bytesMax, Taker taker) {
        this.bytesMax = bytesMax;
        this.taker = taker;
    }

    void add(Buffer data) {
        if (over) {
            return;
        }
        length += data.length();
        if (length > bytesMax) {
            over = true;
            pieces.clear();
            taker.onTooLong();
        } else {
            pieces.add(data);
        }
    }

    void end() {
        if (!over) {
            over = true;
            taker.onWhole(pieces, length);
        }
    }

    void abort() {
        if (!over) {
            over = true;
            pieces.clear();
            taker.onAborted();
        }
    }
}
