package io.sigma.dataplane.engine.body;

import io.netty.buffer.ByteBuf;

/**
 * Keeps a copy of a request's body while it arrives. {@code RequestBody} fills it for a {@code MirrorCall}. Confined
 * to the event loop.
 */
public final class BodyCopy {

    /** Receives the copy. Exactly one method is called, once. */
    public interface Taker {

        /**
         * @param whole which is the taker's to clear
         */
        void onWhole(HeldBytes whole);

        /** The body is longer than is kept. */
        void onTooLong();

        /** The body broke off. */
        void onAborted();
    }

    private final HeldBytes pieces = new HeldBytes();
    private final int bytesMax;
    private final Taker taker;
    private boolean over;

    public BodyCopy(int bytesMax, Taker taker) {
        this.bytesMax = bytesMax;
        this.taker = taker;
    }

    /** Notes a piece, which stays the caller's. */
    void add(ByteBuf data) {
        if (over) {
            return;
        }
        if (fits(data.readableBytes())) {
            pieces.add(data.retainedDuplicate());
        }
    }

    /** Notes what {@code held} holds, which stays the caller's. */
    void addAll(HeldBytes held) {
        if (!over && fits(held.bytes())) {
            held.copyTo(pieces);
        }
    }

    private boolean fits(long more) {
        if (pieces.bytes() + more <= bytesMax) {
            return true;
        }
        drop();
        taker.onTooLong();
        return false;
    }

    /** Returns how much memory is held for it, in bytes. */
    long cost() {
        return pieces.cost();
    }

    void end() {
        if (!over) {
            over = true;
            taker.onWhole(pieces);
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
        pieces.clear();
    }
}
