package io.sigma.dataplane.engine.framed;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import io.sigma.dataplane.engine.body.Pieces;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Cuts what arrives on a connection into frames. A frame that arrived in one piece is a slice of that piece. Of one
 * that did not, short pieces are copied together, and long ones are kept as they are. Confined to the event loop.
 */
final class FrameReader {

    private static final int BLOCK_BYTES_MIN = 256;

    private final FramedProtocol protocol;
    private final ByteBufAllocator buffers;
    /** Received bytes that were not read yet. */
    private final ArrayDeque<ByteBuf> input = new ArrayDeque<>(2);
    /** The received parts of the current frame, in order. */
    private final ArrayDeque<ByteBuf> parts = new ArrayDeque<>(2);
    /** The last of the parts if it is this object's alone, and has room. */
    private @Nullable ByteBuf block;

    /** The memory that this reader holds, in bytes. */
    private long held;
    /** The part of it that {@link #grown} has reported already, in bytes. */
    private long told;

    private int there;
    private long wanted = -1;
    private int bytesMax;

    FrameReader(FramedProtocol protocol, ByteBufAllocator buffers) {
        this.protocol = protocol;
        this.buffers = buffers;
    }

    /**
     * Takes what arrived, which it releases in the end.
     *
     * @param longest longest frame that is read from now on, in bytes
     */
    void add(ByteBuf data, int longest) {
        bytesMax = longest;
        input.add(data);
        held += Pieces.memory(data);
    }

    /**
     * Returns the next frame, for the caller to release; null when more must arrive.
     *
     * @throws BadFrame when it is none, or too long: nothing more can be read
     */
    @Nullable
    ByteBuf next() throws BadFrame {
        for (ByteBuf data = input.peek(); data != null; data = input.peek()) {
            ByteBuf frame = null;
            if (data.isReadable()) {
                frame = there == 0 ? whole(data) : rest(data);
            }
            if (!data.isReadable()) {
                held -= Pieces.memory(data);
                input.remove().release();
            }
            if (frame != null) {
                return frame;
            }
        }
        return null;
    }

    /** Returns the frame that {@code data} begins with, if all of it is there; else keeps what is there. */
    private @Nullable ByteBuf whole(ByteBuf data) throws BadFrame {
        wanted = checked(protocol.length(data, data.readerIndex(), data.readableBytes()));
        if (wanted >= 0 && data.readableBytes() >= wanted) {
            ByteBuf frame = data.readRetainedSlice((int) wanted);
            wanted = -1;
            return frame;
        }
        keep(data, data.readableBytes());
        return null;
    }

    /** Adds what {@code data} has of the frame that is read; returns the frame when it is complete. */
    private @Nullable ByteBuf rest(ByteBuf data) throws BadFrame {
        while (wanted < 0 && data.isReadable()) {
            // Byte by byte: a frame may be shorter than the prefix, and what follows is not a part of it.
            keep(data, 1);
            ByteBuf front = front();
            wanted = checked(protocol.length(front, front.readerIndex(), there));
        }
        if (wanted < 0) {
            return null;
        }
        int missing = (int) (wanted - there);
        keep(data, Math.min(missing, data.readableBytes()));
        return there == wanted ? complete() : null;
    }

    /** Returns the beginning of the frame, which is in one part: it is shorter than a block. */
    private ByteBuf front() {
        return parts.element();
    }

    private long checked(long length) throws BadFrame {
        if (length > bytesMax) {
            throw BadFrame.tooLong(length, bytesMax);
        }
        return length;
    }

    /** Keeps the first {@code length} bytes of {@code data} as part of the frame that is read. */
    private void keep(ByteBuf data, int length) {
        if (length == 0) {
            return;
        }
        ByteBuf into = block;
        if (into == null && wanted >= 0 && isWorthHolding(data, length)) {
            part(data.readRetainedSlice(length));
            there += length;
            return;
        }
        int left = length;
        while (left > 0) {
            if (into == null || !into.isWritable()) {
                if (wanted >= 0 && isWorthHolding(data, left)) {
                    block = null;
                    part(data.readRetainedSlice(left));
                    there += left;
                    return;
                }
                into = newBlock(left);
            }
            int copied = Math.min(left, into.writableBytes());
            into.writeBytes(data, copied);
            there += copied;
            left -= copied;
        }
    }

    private static boolean isWorthHolding(ByteBuf data, int length) {
        return length >= Pieces.SMALL_BYTES && 2L * length >= Pieces.memory(data);
    }

    private ByteBuf newBlock(int length) {
        int size = wanted < 0
                ? Math.max(BLOCK_BYTES_MIN, length)
                : (int) Math.min(wanted - there, Math.max(Pieces.SMALL_BYTES, length));
        ByteBuf made = buffers.directBuffer(size, size);
        part(made);
        block = made;
        return made;
    }

    private void part(ByteBuf added) {
        parts.add(added);
        held += Pieces.memory(added);
    }

    private ByteBuf complete() {
        block = null;
        there = 0;
        wanted = -1;
        for (ByteBuf part : parts) {
            held -= Pieces.memory(part);
        }
        if (parts.size() == 1) {
            return parts.remove();
        }
        CompositeByteBuf joined = buffers.compositeDirectBuffer(parts.size());
        for (ByteBuf part = parts.poll(); part != null; part = parts.poll()) {
            joined.addComponent(true, part);
        }
        return joined;
    }

    /** Returns how much memory is held, in bytes. */
    long held() {
        return held;
    }

    /**
     * Returns how much more is held than when this was asked for before, in bytes; never less than nothing. A frame
     * may come byte by byte: what it cost before is not told again with each of them.
     */
    long grown() {
        long more = Math.max(0, held - told);
        told = held;
        return more;
    }

    /** Returns whether a part of a frame is there. */
    boolean isWithinFrame() {
        return there > 0;
    }

    /** Lets go of everything. */
    void release() {
        input.forEach(ByteBuf::release);
        input.clear();
        parts.forEach(ByteBuf::release);
        parts.clear();
        block = null;
        held = 0;
        there = 0;
        wanted = -1;
    }
}
