package io.sigma.dataplane.engine.http2;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.DefaultHttp2FrameWriter;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Flags;
import io.netty.handler.codec.http2.Http2FrameTypes;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersEncoder;
import io.netty.handler.codec.http2.Http2Settings;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/**
 * Writes frames to one connection. {@code FrameLink} calls it. Heads and short pieces are gathered in one buffer, for
 * which the promise is kept at once: if it cannot be sent, the connection is lost, and each of its streams is notified.
 * Everything else is written after what is gathered. Confined to the event loop.
 */
public final class FrameOutput extends DefaultHttp2FrameWriter {

    /**
     * A piece of up to this is copied behind what is gathered: a copy is cheaper than one more entry of a gathering
     * write.
     */
    private static final int COPIED_BYTES_MAX = 2048;

    private static final int CREDIT_BYTES = 2048;
    private static final int GATHERED_BYTES = 16 * 1024;
    private static final int FRAME_HEAD_BYTES = 9;
    private static final int END_STREAM = 1;
    private static final int END_HEADERS = 4;

    private final Encoding encoding;
    private final Http2HeadersEncoder compression;
    private @Nullable ByteBuf gathered;
    private long credit;
    private long data;
    private @Nullable DataListener listener;
    private boolean closed;

    /** Hears of each frame of data. */
    interface DataListener {

        void onData(int stream, int bytes);
    }

    /**
     * @param anySize whether heads are written that are longer than the peer says it takes
     */
    public FrameOutput(boolean anySize) {
        this(new Encoding(), anySize);
    }

    private FrameOutput(Encoding encoding, boolean anySize) {
        this(encoding, new DefaultHttp2HeadersEncoder(encoding, anySize));
    }

    private FrameOutput(Encoding encoding, Http2HeadersEncoder compression) {
        super(compression);
        this.encoding = encoding;
        this.compression = compression;
    }

    /** Tells the encoder which fields of a head no table of compression may hold (RFC 7541 §6.2.3). */
    private static final class Encoding implements Http2HeadersEncoder.SensitivityDetector {

        private @Nullable Http2Headers head;

        @Override
        public boolean isSensitive(CharSequence name, CharSequence value) {
            return head instanceof OutgoingHead outgoing && outgoing.isNeverIndexed();
        }
    }

    private ByteBuf room(ChannelHandlerContext context, int bytes) {
        ByteBuf current = gathered;
        if (current != null && current.writableBytes() < bytes) {
            pass(context);
            current = null;
        }
        if (current == null) {
            current = context.alloc().directBuffer(Math.max(GATHERED_BYTES, bytes));
            gathered = current;
        }
        return current;
    }

    /**
     * Returns how many frames that carry nothing the peer may send for what was written: an update of two windows for
     * each frame of data, and for every two KiB of it.
     */
    public long creditOfReader() {
        return credit;
    }

    /** Has {@code next} hear of each frame of data. */
    void listener(DataListener next) {
        listener = next;
    }

    /** Returns how much data was written so far, in bytes. */
    long data() {
        return data;
    }

    boolean isGathering() {
        return gathered != null;
    }

    /** Passes on what is gathered. */
    void pass(ChannelHandlerContext context) {
        ByteBuf current = gathered;
        gathered = null;
        if (current != null) {
            context.write(current, context.voidPromise());
        }
    }

    @Override
    public void close() {
        closed = true;
        ByteBuf current = gathered;
        gathered = null;
        if (current != null) {
            current.release();
        }
        super.close();
    }

    private static void frame(ByteBuf out, int length, int type, int flags, int stream) {
        out.writeMedium(length);
        out.writeByte(type);
        out.writeByte(flags);
        out.writeInt(stream);
    }

    private static ChannelFuture done(ChannelPromise promise) {
        promise.trySuccess();
        return promise;
    }

    @Override
    public ChannelFuture writeData(
            ChannelHandlerContext context, int stream, ByteBuf data, int padding, boolean end, ChannelPromise promise) {
        if (closed) {
            data.release();
            return promise.setFailure(new ClosedChannelException());
        }
        int length = data.readableBytes();
        credit += 2L + 2L * (length / CREDIT_BYTES);
        this.data += length;
        if (listener != null) {
            listener.onData(stream, length);
        }
        if (padding > 0 || length > COPIED_BYTES_MAX) {
            pass(context);
            return super.writeData(context, stream, data, padding, end, promise);
        }
        try {
            ByteBuf out = room(context, FRAME_HEAD_BYTES + length);
            frame(out, length, Http2FrameTypes.DATA, end ? END_STREAM : 0, stream);
            out.writeBytes(data);
        } finally {
            data.release();
        }
        return done(promise);
    }

    @Override
    public ChannelFuture writeHeaders(
            ChannelHandlerContext context,
            int stream,
            Http2Headers head,
            int padding,
            boolean end,
            ChannelPromise promise) {
        if (closed) {
            return promise.setFailure(new ClosedChannelException());
        }
        credit += 2;
        // The encoder grows the buffer if a head needs more room.
        ByteBuf out = room(context, COPIED_BYTES_MAX);
        int start = out.writerIndex();
        out.writeZero(FRAME_HEAD_BYTES);
        encoding.head = head;
        try {
            compression.encodeHeaders(stream, head, out);
        } catch (Http2Exception e) {
            out.writerIndex(start);
            return promise.setFailure(e);
        } finally {
            encoding.head = null;
        }
        int length = out.writerIndex() - start - FRAME_HEAD_BYTES;
        int flags = end ? END_STREAM : 0;
        if (length <= maxFrameSize()) {
            int after = out.writerIndex();
            out.writerIndex(start);
            frame(out, length, Http2FrameTypes.HEADERS, flags | END_HEADERS, stream);
            out.writerIndex(after);
        } else {
            continued(out, start, length, flags, stream);
        }
        return done(promise);
    }

    @Override
    public ChannelFuture writeHeaders(
            ChannelHandlerContext context,
            int stream,
            Http2Headers head,
            int dependency,
            short weight,
            boolean exclusive,
            int padding,
            boolean end,
            ChannelPromise promise) {
        return writeHeaders(context, stream, head, padding, end, promise);
    }

    /** Splits a block that does not fit into one frame (RFC 9113 §6.10). */
    private void continued(ByteBuf out, int start, int length, int flags, int stream) {
        byte[] block = new byte[length];
        out.getBytes(start + FRAME_HEAD_BYTES, block);
        out.writerIndex(start);
        int at = 0;
        while (at < length) {
            int piece = Math.min(length - at, maxFrameSize());
            int last = at + piece == length ? END_HEADERS : 0;
            int type = at == 0 ? Http2FrameTypes.HEADERS : Http2FrameTypes.CONTINUATION;
            frame(out, piece, type, at == 0 ? flags | last : last, stream);
            out.writeBytes(block, at, piece);
            at += piece;
        }
    }

    // --- Everything else, in its turn

    @Override
    public ChannelFuture writeRstStream(ChannelHandlerContext context, int stream, long code, ChannelPromise promise) {
        pass(context);
        return super.writeRstStream(context, stream, code, promise);
    }

    @Override
    public ChannelFuture writeSettings(ChannelHandlerContext context, Http2Settings settings, ChannelPromise promise) {
        pass(context);
        return super.writeSettings(context, settings, promise);
    }

    @Override
    public ChannelFuture writeSettingsAck(ChannelHandlerContext context, ChannelPromise promise) {
        pass(context);
        return super.writeSettingsAck(context, promise);
    }

    @Override
    public ChannelFuture writePing(ChannelHandlerContext context, boolean ack, long data, ChannelPromise promise) {
        pass(context);
        // An answer to a frame of the peer does not count as a flood.
        credit += ack ? 0 : 1;
        return super.writePing(context, ack, data, promise);
    }

    @Override
    public ChannelFuture writeGoAway(
            ChannelHandlerContext context, int lastStream, long code, ByteBuf debugData, ChannelPromise promise) {
        pass(context);
        return super.writeGoAway(context, lastStream, code, debugData, promise);
    }

    @Override
    public ChannelFuture writeWindowUpdate(
            ChannelHandlerContext context, int stream, int increment, ChannelPromise promise) {
        pass(context);
        return super.writeWindowUpdate(context, stream, increment, promise);
    }

    @Override
    public ChannelFuture writeFrame(
            ChannelHandlerContext context,
            byte type,
            int stream,
            Http2Flags flags,
            ByteBuf payload,
            ChannelPromise promise) {
        pass(context);
        return super.writeFrame(context, type, stream, flags, payload, promise);
    }
}
