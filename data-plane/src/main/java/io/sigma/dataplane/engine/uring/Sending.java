package io.sigma.dataplane.engine.uring;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.unix.Buffer;
import io.netty.channel.unix.Errors;
import io.sigma.dataplane.loop.Prefetched;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Sends what is written to a connection, by one operation at a time. The buffer that the kernel sends from is held
 * until the kernel is done, also when everybody else has let go of it. Confined to the event loop.
 */
final class Sending implements Prefetched {

    private static final long NONE = 0;

    /** Up to this length, output is sent as a whole to a peer that has read what came before, in octets. */
    private static final int QUIET_MAX = 4 * 1024;

    private final RingChannel channel;
    private long running = NONE;
    private long awaitingRoom = NONE;

    /** The buffer that is being sent past Netty's queue, before all that waits there. Held until it is sent. */
    private @Nullable ByteBuf first;

    /** The buffers of Netty's queue that are being sent. */
    private @Nullable ByteBuf sent;

    private @Nullable Gathering gathering;
    private boolean held;
    /** True if those are told that wrote what was sent, who may write more: nothing is sent until all were told. */
    private boolean telling;
    /** True if nothing follows what is to be sent but the end. */
    private boolean last;

    Sending(RingChannel channel) {
        this.channel = channel;
    }

    @Override
    public int prefetch(int distance) {
        return distance == 0 ? (int) running : 0;
    }

    void last() {
        last = true;
    }

    /**
     * Sends {@code data} at once, without the detour through the handlers and Netty's queue, whose counters other
     * threads may see.
     *
     * @return whether {@code data} is taken and will be released; not when something is to be sent before it
     */
    boolean sendFirst(ByteBuf data) {
        ChannelOutboundBuffer out = channel.unsafe().outboundBuffer();
        boolean free = running == NONE && first == null && awaitingRoom == NONE && !telling && channel.isUsable();
        if (!free || out == null || out.totalPendingWriteBytes() > 0 || !data.isReadable()) {
            return false;
        }
        first = data;
        sendFirst();
        return true;
    }

    private void sendFirst() {
        ByteBuf data = Objects.requireNonNull(first);
        int length = data.readableBytes();
        RingHandler handler = last || length > QUIET_MAX ? null : channel.loop().handler();
        if (handler == null) {
            running = channel.submit(RingOps.send(channel.fd(), address(data), length, last));
        } else {
            int number = handler.next();
            running = channel.submit(RingOps.sendNow(channel.fd(), address(data), length));
            handler.quiet(number);
        }
    }

    /** Returns how much of what was sent past Netty's queue is not known to be sent, in octets. */
    int waiting() {
        return first == null ? 0 : first.readableBytes();
    }

    private void onFirstSent(ByteBuf data, int result) {
        if (result > 0 && channel.isOpen() && data.skipBytes(result).isReadable()) {
            channel.pipeline().fireUserEventTriggered(RingChannel.PROGRESS);
            goOn();
        } else if (result == RingOps.EAGAIN && channel.isOpen()) {
            awaitRoom();
        } else {
            first = null;
            data.release();
            if (result < 0 && result != RingOps.ECANCELED && channel.isOpen()) {
                channel.writeFailed(Errors.newIOException("io_uring send", result));
            } else {
                channel.flushRest();
            }
        }
    }

    /** Sends what is left, unless a listener to the outcome has closed the connection. */
    private void goOn() {
        if (first == null) {
            channel.flushRest();
        } else if (channel.isOpen()) {
            sendFirst();
        }
    }

    /** Sends what is to be sent first, unless something is being sent. */
    void write(ChannelOutboundBuffer out) throws Exception {
        RingHandler handler = channel.loop().handler();
        if (first != null && handler != null) {
            handler.hurry();
        }
        while (running == NONE && first == null && awaitingRoom == NONE && !telling && channel.isOpen()) {
            Object next = out.current();
            if (next instanceof PipedBytes piece) {
                if (!splice(out, piece)) {
                    return;
                }
            } else if (!(next instanceof ByteBuf data)) {
                return;
            } else if (!data.isReadable()) {
                // The writer waits for the outcome of earlier output.
                out.remove();
            } else {
                send(out, data);
                return;
            }
        }
    }

    private void send(ChannelOutboundBuffer out, ByteBuf data) throws Exception {
        if (out.size() == 1 && data.nioBufferCount() == 1) {
            sent = data;
            running = channel.submit(RingOps.send(channel.fd(), address(data), data.readableBytes(), last));
        } else {
            Gathering several = channel.loop().gathering();
            gathering = several;
            several.fill(out);
            running = channel.submit(RingOps.writev(channel.fd(), several.address(), several.count()));
        }
    }

    private static long address(ByteBuf data) {
        if (data.hasMemoryAddress()) {
            return data.memoryAddress() + data.readerIndex();
        }
        ByteBuffer octets = data.internalNioBuffer(data.readerIndex(), data.readableBytes());
        return Buffer.memoryAddress(octets) + octets.position();
    }

    /** Returns whether all of {@code piece} was sent; what comes next is to be sent then. */
    private boolean splice(ChannelOutboundBuffer out, PipedBytes piece) {
        int result = piece.sendTo(channel.fd());
        if (piece.length() == 0) {
            telling = true;
            out.remove();
            telling = false;
            return true;
        }
        if (result > 0 || result == RingOps.EAGAIN) {
            awaitRoom();
            if (result > 0) {
                channel.pipeline().fireUserEventTriggered(RingChannel.PROGRESS);
            }
        } else {
            channel.writeFailed(Errors.newIOException("splice", result));
        }
        return false;
    }

    private void awaitRoom() {
        awaitingRoom = channel.submit(RingOps.pollWritable(channel.fd()));
    }

    /** There may be room for more. */
    void onRoom() {
        awaitingRoom = NONE;
        if (channel.isOpen()) {
            goOn();
        }
    }

    void onSent(int result) {
        running = NONE;
        if (first != null) {
            onFirstSent(first, result);
            return;
        }
        letGo();
        ChannelOutboundBuffer out = channel.unsafe().outboundBuffer();
        if (out == null || result == RingOps.ECANCELED) {
            return;
        }
        if (result == RingOps.EAGAIN) {
            awaitRoom();
            return;
        }
        if (result < 0) {
            channel.writeFailed(Errors.newIOException("io_uring send", result));
            return;
        }
        telling = true;
        out.removeBytes(result);
        telling = false;
        if (!out.isEmpty()) {
            channel.pipeline().fireUserEventTriggered(RingChannel.PROGRESS);
        }
        channel.flushRest();
    }

    /** Keeps what the kernel sends from, although everybody else lets go of it. */
    void hold() {
        if (running == NONE || first != null || held) {
            return;
        }
        held = true;
        if (gathering != null) {
            gathering.parts().forEach(ByteBuf::retain);
        } else if (sent != null) {
            sent.retain();
        }
    }

    private void letGo() {
        Gathering several = gathering;
        ByteBuf one = sent;
        gathering = null;
        sent = null;
        if (several != null) {
            if (held) {
                several.parts().forEach(ByteBuf::release);
            }
            channel.loop().give(several);
        } else if (one != null && held) {
            one.release();
        }
        held = false;
    }

    /** Ends what runs; its completion still follows. */
    void cancel() {
        if (running != NONE) {
            channel.submit(RingOps.cancel(running));
        } else if (first != null) {
            first.release();
            first = null;
        }
        if (awaitingRoom != NONE) {
            channel.submit(RingOps.cancel(awaitingRoom));
        }
    }
}
