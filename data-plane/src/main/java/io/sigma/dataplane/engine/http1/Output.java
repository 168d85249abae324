package io.sigma.dataplane.engine.http1;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.util.ReferenceCounted;
import io.sigma.dataplane.engine.body.Pieces;
import io.sigma.dataplane.engine.body.SendQueue;
import io.sigma.dataplane.engine.uring.PipedBytes;
import io.sigma.dataplane.engine.uring.RingChannel;
import io.sigma.dataplane.exchange.Fields;
import io.sigma.dataplane.loop.Prefetched;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The way out of one connection. Heads and short pieces are gathered in one buffer, long pieces pass as they are, and
 * all output of a loop iteration is sent at once. Confined to the event loop.
 */
final class Output implements LoopFlusher.Writer, Prefetched {

    /**
     * A piece of up to this is copied behind what is gathered: a copy costs less than one more entry of a gathering
     * write, and less than holding a large buffer of the transport until the kernel has taken the piece.
     */
    private static final int COPIED_BYTES_MAX = Pieces.SMALL_BYTES;

    private static final int CHUNK_EXTRA = 12;
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private final ChannelHandlerContext context;
    private final Http1Loop loop;
    private @Nullable ByteBuf gathered;
    private final Runnable onFlushed;
    /** Sends past all handlers. Null if a handler has to see or change the bytes. */
    private @Nullable RingChannel direct;

    private int passed;
    private boolean scheduled;
    private long written;

    /**
     * @param onFlushed called after each time that what waited was sent, as far as the peer takes it
     */
    Output(ChannelHandlerContext context, Http1Loop loop, Runnable onFlushed) {
        this.context = context;
        this.loop = loop;
        this.onFlushed = onFlushed;
    }

    /** Sends past all handlers from now on, where the channel can: none of them wants to see what is sent. */
    void sendPastHandlers() {
        direct = context.channel() instanceof RingChannel ring ? ring : null;
    }

    /** Returns a buffer with room for {@code bytes} more, to write into before anything else is called. */
    ByteBuf room(int bytes) {
        ByteBuf current = gathered;
        if (current != null && current.writableBytes() < bytes) {
            // One buffer is sent past the queue of the channel, where each of several would be an entry.
            ByteBuf larger = isWritable() ? loop.buffers().larger(current, bytes) : null;
            if (larger == null) {
                pass();
            }
            gathered = larger;
            current = larger;
        }
        if (current == null) {
            current = loop.buffers().take(bytes, context.alloc());
            gathered = current;
        }
        schedule();
        return current;
    }

    @Override
    public int prefetch(int distance) {
        return switch (distance) {
            case 0 -> passed;
            case 1 -> context.isRemoved() ? 1 : 0;
            default -> 0;
        };
    }

    /**
     * Begins a head, to be put together and then given to {@link #write(HeadBuffer)} before anything else is written.
     */
    HeadBuffer head() {
        return loop.head().begin();
    }

    /**
     * Writes a head.
     *
     * @return where it begins, for {@link #takeBack}
     */
    int write(HeadBuffer head) {
        ByteBuf out = room(head.length());
        int begun = out.writerIndex();
        out.writeBytes(head.octets(), 0, head.length());
        return begun;
    }

    /** Writes a piece, which it releases, also when there is no memory for what is to be copied. */
    void write(ByteBuf piece) {
        int length = piece.readableBytes();
        if (length <= COPIED_BYTES_MAX) {
            try {
                room(length).writeBytes(piece);
            } finally {
                piece.release();
            }
        } else {
            passBefore(piece);
            written += length;
            context.write(isWritable() ? piece : Pieces.compact(piece), context.voidPromise());
            schedule();
        }
    }

    private void passBefore(ReferenceCounted piece) {
        try {
            pass();
        } catch (RuntimeException | Error e) {
            piece.release();
            throw e;
        }
    }

    /** Writes a piece, which it releases. */
    void write(PipedBytes piece) {
        passBefore(piece);
        written += piece.length();
        context.write(piece, context.voidPromise());
        schedule();
    }

    /** Writes a piece that is not empty as a chunk (RFC 9112 §7.1), and releases it. */
    void writeChunk(ByteBuf piece) {
        int length = piece.readableBytes();
        ByteBuf out;
        try {
            out = room(length <= COPIED_BYTES_MAX ? length + CHUNK_EXTRA : CHUNK_EXTRA);
        } catch (RuntimeException | Error e) {
            piece.release();
            throw e;
        }
        int shift = 28 - Integer.numberOfLeadingZeros(length) / 4 * 4;
        for (; shift >= 0; shift -= 4) {
            out.writeByte(HEX[length >>> shift & 0xf]);
        }
        crlf(out);
        write(piece);
        crlf(room(2));
    }

    /**
     * Writes the last chunk.
     *
     * @param trailers null for none
     */
    void writeLastChunk(@Nullable Fields trailers) {
        HeadBuffer out = head().put('0').crlf();
        if (trailers != null) {
            writeFields(out, trailers);
        }
        write(out.crlf());
    }

    private static void crlf(ByteBuf out) {
        out.writeShort('\r' << 8 | '\n');
    }

    /** Writes {@code fields} with their line ends. */
    static void writeFields(HeadBuffer out, Fields fields) {
        if (fields instanceof FieldTable table) {
            table.write(out);
        } else {
            fields.forEach(out::field);
        }
    }

    /** Passes on what is gathered, so that something else can be written to the channel after it. */
    void pass() {
        ByteBuf current = gathered;
        gathered = null;
        passed++;
        if (current != null) {
            written += current.readableBytes();
            // Bytes that may wait for long are copied together: they take no more memory than their length, however
            // many loop iterations they come in.
            context.write(isWritable() ? current : Pieces.compact(current), context.voidPromise());
        }
    }

    /** Returns how often what was gathered was passed on; what was written since can still be taken back. */
    int passed() {
        return passed;
    }

    /** Takes back the output since {@code from}. Nothing of it was passed on. */
    void takeBack(int from) {
        if (gathered != null) {
            gathered.writerIndex(from);
        }
    }

    /** Returns how much waits for the peer to read, in bytes. */
    long waiting() {
        ChannelOutboundBuffer buffer = context.channel().unsafe().outboundBuffer();
        long queued = buffer == null ? 0 : buffer.totalPendingWriteBytes();
        return direct == null ? queued : queued + direct.sending();
    }

    /**
     * Returns how much of what waits is in the memory of this process, in bytes: pipes are the kernel's, and have a
     * bound of their own.
     */
    long held() {
        ChannelOutboundBuffer buffer = context.channel().unsafe().outboundBuffer();
        long[] piped = {0};
        if (buffer != null && waiting() > 0) {
            try {
                buffer.forEachFlushedMessage(message -> {
                    piped[0] += message instanceof PipedBytes piece ? piece.length() : 0;
                    return true;
                });
            } catch (Exception e) {
                throw new IllegalStateException("lengths can be added up", e);
            }
        }
        return Math.max(0, waiting() - piped[0]);
    }

    /** Returns how much the peer has taken so far, in bytes, up to what TLS adds. */
    long taken() {
        return written - waiting();
    }

    /** Returns how much the peer has not received, as far as the kernel can be asked, in bytes. */
    long undelivered() {
        return waiting() + SendQueue.bytes(context.channel());
    }

    boolean isWritable() {
        return context.channel().isWritable();
    }

    /** Sends what was written to the channel at the end of this loop iteration. */
    void schedule() {
        if (!scheduled) {
            scheduled = true;
            loop.flusher().add(this);
        }
    }

    @Override
    public void flushNow() {
        scheduled = false;
        ByteBuf current = gathered;
        int length = current == null ? 0 : current.readableBytes();
        if (current != null && direct != null && direct.send(current)) {
            gathered = null;
            written += length;
            passed++;
        } else {
            pass();
            context.flush();
        }
        onFlushed.run();
    }

    @Override
    public void giveUp() {
        context.close();
    }

    /** Lets go of what is gathered: the connection is gone. */
    void close() {
        ByteBuf current = gathered;
        gathered = null;
        if (current != null) {
            current.release();
        }
    }
}
