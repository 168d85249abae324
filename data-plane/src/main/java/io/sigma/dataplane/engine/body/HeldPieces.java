package io.sigma.dataplane.engine.body;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * The pieces of a request's body in memory: those that no node has taken yet, and those that a retry may send again. It
 * serves one body of a stream after another. Confined to the event loop.
 */
final class HeldPieces {

    /** Null as long as nothing had to wait. */
    private @Nullable HeldBytes waiting;
    /** Null as long as nothing was kept. */
    private @Nullable HeldBytes kept;

    /** Returns how many bytes nobody has taken. */
    long bytes() {
        return waiting == null ? 0 : waiting.bytes();
    }

    /** Returns how much memory is held for all, in bytes. */
    long cost() {
        return (waiting == null ? 0 : waiting.cost()) + (kept == null ? 0 : kept.cost());
    }

    /** Has a piece wait, which is this object's to release. */
    void add(ByteBuf piece) {
        waiting = HeldBytes.orNew(waiting);
        waiting.add(piece);
    }

    /** Returns the next piece, which is the caller's to release; null when nothing waits. */
    @Nullable
    ByteBuf poll() {
        return waiting == null ? null : waiting.poll();
    }

    /**
     * Keeps a piece that is passed on as well; it stays the caller's.
     *
     * @param bytesMax how much may be kept
     * @return false when that would be more, and it is not kept
     */
    boolean keep(ByteBuf piece, int bytesMax) {
        HeldBytes passed = HeldBytes.orNew(kept);
        kept = passed;
        if (passed.bytes() + piece.readableBytes() > bytesMax) {
            return false;
        }
        passed.add(piece.retainedDuplicate());
        return true;
    }

    /** Has all that was kept wait again, before what waits. */
    void rewind() {
        HeldBytes passed = kept;
        if (passed == null || passed.isEmpty()) {
            return;
        }
        waiting = HeldBytes.orNew(waiting);
        waiting.prepend(passed);
    }

    /** Gives {@code copy} what waits, which stays here. */
    void copyTo(BodyCopy copy) {
        if (waiting != null) {
            copy.addAll(waiting);
        }
    }

    /** Lets go of what was kept. */
    void forget() {
        if (kept != null) {
            kept.clear();
        }
    }

    /** Lets go of everything. */
    void clear() {
        if (waiting != null) {
            waiting.clear();
        }
        forget();
    }
}
