package io.sigma.dataplane.engine.body;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayDeque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that wait, in the order in which they came. Small pieces are copied together, so that what is held costs about
 * as much memory as it has bytes, however a peer cuts it into pieces. Confined to the event loop.
 */
public final class HeldBytes {

    /** The overhead of a piece: the buffer object and its place in the queue, in bytes. */
    private static final int PIECE_COST = 160;

    private static final int BLOCK_BYTES_MIN = 256;
    private static final int BLOCK_BYTES_MAX = Pieces.SMALL_BYTES;

    private final ArrayDeque<ByteBuf> pieces = new ArrayDeque<>(2);
    /** The last of {@link #pieces} if nobody else holds it, so that more can be written into it. */
    private @Nullable ByteBuf block;

    private long bytes;
    private long cost;

    /** Returns {@code queue}; a new one where there is none yet. */
    public static HeldBytes orNew(@Nullable HeldBytes queue) {
        return queue == null ? new HeldBytes() : queue;
    }

    /** Returns how many bytes wait. */
    public long bytes() {
        return bytes;
    }

    /** Returns how much memory is held for them, in bytes. */
    public long cost() {
        return cost;
    }

    public boolean isEmpty() {
        return pieces.isEmpty();
    }

    /** Takes a piece, which is this object's to release, also when there is no memory to copy it to. */
    public void add(ByteBuf piece) {
        if (Pieces.isWorthHolding(piece)) {
            keep(piece);
            return;
        }
        try {
            while (piece.isReadable()) {
                ByteBuf into = room(piece.alloc(), piece.readableBytes());
                int length = Math.min(piece.readableBytes(), into.writableBytes());
                into.writeBytes(piece, length);
                bytes += length;
            }
        } finally {
            piece.release();
        }
    }

    /** Takes a piece as it is, which is this object's to release; it needs no memory. */
    public void keep(ByteBuf piece) {
        block = null;
        pieces.add(piece);
        bytes += piece.readableBytes();
        cost += costOf(piece);
    }

    /**
     * Returns a block with room for at least one byte; each is twice as large as the one before, so that few are
     * needed.
     */
    private ByteBuf room(ByteBufAllocator buffers, int wanted) {
        ByteBuf current = block;
        if (current != null && current.isWritable()) {
            return current;
        }
        int doubled = current == null ? BLOCK_BYTES_MIN : 2 * current.capacity();
        int size = Math.clamp(Math.max(doubled, wanted), BLOCK_BYTES_MIN, BLOCK_BYTES_MAX);
        ByteBuf fresh = buffers.directBuffer(size, size);
        block = fresh;
        pieces.add(fresh);
        cost += costOf(fresh);
        return fresh;
    }

    private static int costOf(ByteBuf piece) {
        return Pieces.memory(piece) + PIECE_COST;
    }

    /** Returns the next piece, which is the caller's to release; null when nothing waits. */
    @SuppressWarnings("ReferenceEquality") // The block is one of the pieces.
    public @Nullable ByteBuf poll() {
        ByteBuf piece = pieces.poll();
        if (piece == null) {
            return null;
        }
        if (piece == block) {
            block = null;
        }
        bytes -= piece.readableBytes();
        cost -= costOf(piece);
        return piece;
    }

    /** Puts all that {@code earlier} holds before what waits here; {@code earlier} is empty then. */
    public void prepend(HeldBytes earlier) {
        Iterator<ByteBuf> last = earlier.pieces.descendingIterator();
        while (last.hasNext()) {
            pieces.addFirst(last.next());
        }
        bytes += earlier.bytes;
        cost += earlier.cost;
        earlier.forget();
    }

    /** Puts all that {@code later} holds behind what waits here; {@code later} is empty then. It needs no memory. */
    public void append(HeldBytes later) {
        pieces.addAll(later.pieces);
        block = later.block;
        bytes += later.bytes;
        cost += later.cost;
        later.forget();
    }

    /** Gives {@code copy} what waits here, which stays here. */
    public void copyTo(HeldBytes copy) {
        for (ByteBuf piece : pieces) {
            copy.add(piece.retainedDuplicate());
        }
        // A buffer that was given away must not be written into.
        block = null;
    }

    /** Lets go of everything. */
    public void clear() {
        for (ByteBuf piece : pieces) {
            piece.release();
        }
        forget();
    }

    private void forget() {
        pieces.clear();
        block = null;
        bytes = 0;
        cost = 0;
    }
}
