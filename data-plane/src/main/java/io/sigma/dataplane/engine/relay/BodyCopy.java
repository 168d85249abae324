package io.sigma.dataplane.engine.relay;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;

/** Keeps a copy of a request's body while it arrives. Confined to the event loop. */
final class BodyCopy {

    /** Who wants the copy; exactly one method is called, once. */
    interface Taker {

        /**
         * @param pieces which are the taker's to release
         * @param length of all pieces, in bytes
         */
        void onWhole(List<ByteBuf> pieces, long length);

        /** The body is longer than is kept. */
        void onTooLong();

        /** The body broke off. */
        void onAborted();
    }

    private final List<ByteBuf> pieces = new ArrayList<>(2);
    private final int bytesMax;
    private final Taker taker;
    private long length;
    private boolean over;

    BodyCopy(int bytesMax, Taker taker) {
        this.bytesMax = bytesMax;
        this.taker = taker;
    }

    /** Notes a piece, which stays the caller's. */
    void add(ByteBuf data) {
        if (over) {
            return;
        }
        length += data.readableBytes();
        if (length > bytesMax) {
            drop();
            taker.onTooLong();
        } else {
            pieces.add(Pieces.compact(data.retainedDuplicate()));
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
            drop();
            taker.onAborted();
        }
    }

    private void drop() {
        over = true;
        pieces.forEach(ByteBuf::release);
        pieces.clear();
    }
}
