package io.sigma.dataplane.engine.client;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.util.ReferenceCountUtil;
import io.sigma.dataplane.engine.http2.FrameCredit;
import io.sigma.dataplane.engine.http2.Http2Link;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the heads of HTTP/2 frames before the decoder does, which lets floods pass that only cost work, and answers
 * frames on ended, skipped or idle streams with the wrong error. Confined to the event loop.
 */
final class Http2Guard extends ChannelInboundHandlerAdapter {

    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final int FRAME_HEAD_BYTES = 9;

    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RST_STREAM = 3;
    private static final int SETTINGS = 4;
    private static final int PING = 6;
    private static final int WINDOW_UPDATE = 8;
    private static final int CONTINUATION = 9;
    private static final int FLAG_END_STREAM_OR_ACK = 1;

    private static final int FLAG_END_HEADERS = 4;
    private static final int FLAG_PADDED = 8;

    /** Fewer octets than the smallest message of gRPC. */
    private static final int TINY_BYTES = 5;
    /** The most that padding adds to a frame, its length included. */
    private static final int PADDING_BYTES_MAX = 256;
    /** Each setting of a frame costs, and each frame has few. */
    private static final int SETTING_BYTES = 6;
    /** Skipped octets of an unknown frame cost as well. */
    private static final int SKIPPED_BYTES = 1024;

    private final Http2Link link;
    private final OpenStreams streams = new OpenStreams();
    private final byte[] head = new byte[FRAME_HEAD_BYTES];
    private int prefaceRead;
    private int headRead;
    private long payloadLeft;
    /** True if the frame that was read last is part of a head, and whether more frames of that head have to follow. */
    private boolean ofHead;

    private boolean headGoesOn;
    /** True if the time for a head runs. */
    private boolean headBegun;
    /** The received part of the head, in bytes. */
    private int headBytes;
    /** The stream whose body the frame belongs to that was read last; 0 for none. */
    private int bodyOf;
    /** The part of the frame in the current read, in bytes. */
    private int partBytes;

    private final FrameCredit credit;
    private boolean broken;

    /**
     * @param link the reader of the frames
     */
    Http2Guard(Http2Link link) {
        this.link = link;
        this.credit = new FrameCredit(link::creditOfClient);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
        if (!(message instanceof ByteBuf data)) {
            context.fireChannelRead(message);
        } else if (broken) {
            data.release();
        } else {
            inspect(context, data);
        }
    }

    /**
     * Returns what is answered to who does not speak HTTP/2: an empty SETTINGS and a GOAWAY with PROTOCOL_ERROR (RFC
     * 9113 §3.4).
     */
    static ByteBuf refusal() {
        return Unpooled.wrappedBuffer(new byte[] {
            0, 0, 0, SETTINGS, 0, 0, 0, 0, 0, // SETTINGS
            0, 0, 8, 7, 0, 0, 0, 0, 0, // GOAWAY
            0, 0, 0, 0, 0, 0, 0, 1
        });
    }

    private void inspect(ChannelHandlerContext context, ByteBuf data) {
        int at = data.readerIndex();
        int end = data.writerIndex();
        partBytes = 0;
        int preface = Math.min(end - at, PREFACE.length - prefaceRead);
        prefaceRead += preface;
        at += preface;
        while (at < end) {
            if (payloadLeft > 0) {
                int skipped = (int) Math.min(payloadLeft, end - at);
                payloadLeft -= skipped;
                partBytes += skipped;
                headBytes += ofHead ? skipped : 0;
                at += skipped;
                continue;
            }
            int frame = at;
            while (headRead < FRAME_HEAD_BYTES && at < end) {
                head[headRead++] = data.getByte(at++);
            }
            if (headRead == FRAME_HEAD_BYTES) {
                headRead = 0;
                int length = ((head[0] & 0xff) << 16) | ((head[1] & 0xff) << 8) | (head[2] & 0xff);
                payloadLeft = length;
                Http2Exception error = frame(length, head[3], head[4], streamId());
                if (error != null) {
                    refuse(context, data, Math.max(frame, data.readerIndex()), error);
                    return;
                }
            }
        }
        notePart(context);
        context.fireChannelRead(data);
    }

    /**
     * Notes what has come of a head or a frame of a body that is not complete: the decoder says nothing of either until
     * it is.
     */
    private void notePart(ChannelHandlerContext context) {
        boolean begun = headGoesOn || (ofHead && payloadLeft > 0);
        if (begun != headBegun) {
            headBegun = begun;
            ClientGuard guard = context.pipeline().get(ClientGuard.class);
            if (guard != null) {
                guard.headOfStream(begun);
            }
            if (!begun) {
                link.headArrives(0);
            }
        }
        if (begun) {
            link.headArrives(headBytes);
        } else {
            headBytes = 0;
            if (bodyOf != 0 && payloadLeft != 0) {
                link.bodyArrives(bodyOf, partBytes);
            }
        }
    }

    /** A head did not become complete in time. */
    void headLate(ChannelHandlerContext context) {
        if (!broken) {
            broken = true;
            end(context, Http2Exception.connectionError(Http2Error.ENHANCE_YOUR_CALM, "a head took too long"));
        }
    }

    private int streamId() {
        return ((head[5] & 0x7f) << 24) | ((head[6] & 0xff) << 16) | ((head[7] & 0xff) << 8) | (head[8] & 0xff);
    }

    /** Passes on what came before the frame that begins at {@code frame}, and ends the connection. */
    private void refuse(ChannelHandlerContext context, ByteBuf data, int frame, Http2Exception error) {
        broken = true;
        int before = frame - data.readerIndex();
        if (before > 0) {
            context.fireChannelRead(data.readRetainedSlice(before));
            context.fireChannelReadComplete();
        }
        ReferenceCountUtil.release(data);
        end(context, error);
    }

    private void end(ChannelHandlerContext context, Http2Exception error) {
        link.onError(context.pipeline().context(link), false, error);
        // The link drops what follows, within bounds.
        context.pipeline().remove(this);
    }

    private @Nullable Http2Exception frame(int length, int type, int flags, int stream) {
        boolean flag = (flags & FLAG_END_STREAM_OR_ACK) != 0;
        partBytes = 0;
        bodyOf = type == DATA ? stream : 0;
        ofHead = type == HEADERS || type == CONTINUATION;
        headGoesOn = ofHead ? (flags & FLAG_END_HEADERS) == 0 : headGoesOn;
        switch (type) {
            case HEADERS -> {
                OpenStreams.Head kind = streams.head(stream, flag);
                if (kind == OpenStreams.Head.SKIPPED) {
                    return Http2Exception.connectionError(Http2Error.PROTOCOL_ERROR, "HEADERS on a skipped stream");
                }
                if (kind == OpenStreams.Head.ENDED) {
                    return Http2Exception.connectionError(Http2Error.STREAM_CLOSED, "HEADERS on an ended stream");
                }
            }
            case DATA -> {
                if (streams.isIdle(stream)) {
                    return idle();
                }
                if (flag) {
                    streams.end(stream);
                }
                boolean padded = (flags & FLAG_PADDED) != 0;
                boolean little = length < TINY_BYTES || (padded && length < TINY_BYTES + PADDING_BYTES_MAX);
                return little && !flag ? spend(FrameCredit.IDLE) : null;
            }
            case RST_STREAM -> {
                streams.end(stream);
                return spend(FrameCredit.COSTLY);
            }
            case SETTINGS, PING -> {
                return spend(flag ? FrameCredit.IDLE : FrameCredit.COSTLY + length / SETTING_BYTES);
            }
            case WINDOW_UPDATE -> {
                if (streams.isIdle(stream)) {
                    return idle();
                }
                return spend(FrameCredit.IDLE);
            }
            case CONTINUATION -> {
                // Bounded by the decoder.
            }
            default -> {
                // PRIORITY, and what is not known and skipped.
                return spend(FrameCredit.IDLE + length / SKIPPED_BYTES);
            }
        }
        return null;
    }

    /** The decoder looks at what the frame has before it looks at its stream (RFC 9113 §5.1). */
    private static Http2Exception idle() {
        return Http2Exception.connectionError(Http2Error.PROTOCOL_ERROR, "a frame of a stream that is not open yet");
    }

    private @Nullable Http2Exception spend(int cost) {
        return credit.spend(cost)
                ? null
                : Http2Exception.connectionError(Http2Error.ENHANCE_YOUR_CALM, "a flood of frames that carry nothing");
    }
}
