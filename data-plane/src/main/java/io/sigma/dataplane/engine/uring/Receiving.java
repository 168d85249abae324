package io.sigma.dataplane.engine.uring;

import io.netty.buffer.ByteBuf;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.unix.Errors;
import io.sigma.dataplane.loop.Prefetched;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads from a connection as long as somebody wants to: one operation fills buffer after buffer. What shall only be
 * passed on can be read into pipes instead. Confined to the event loop.
 */
final class Receiving implements Prefetched {

    private static final long NONE = 0;
    /**
     * The bytes that are read into a pipe at a time while the receiver is slow. For a receiver that takes everything at
     * once the number doubles, up to {@link Pipe#BYTES}.
     */
    private static final int PIECE_BYTES_MIN = 128 * 1024;

    /** Pieces that are read into pipes before others have their turn. */
    private static final int PIECES_MAX = 4;
    /**
     * The number of receives of one buffer each after a long body. Another long body is likely, and its rest must still
     * be in the socket to be piped. The same holds after a buffer was filled or reading was paused: an operation that
     * fills buffer after buffer would take megabytes before it can be stopped.
     */
    private static final int SINGLE_RECEIVES = 16;
    /**
     * A connection that delivers this many bytes at once probably has more, and is read again after the others. A
     * little less than a buffer.
     */
    private static final int MUCH_BYTES = 64 * 1024;

    /**
     * The largest number of bytes that one operation receives. The kernel fills buffer after buffer before the gateway
     * can stop it, so without a bound one connection takes the whole ring in one wake-up: 4 MiB.
     */
    static final int RECEIVED_MAX = 256 * 1024;

    private final RingChannel channel;

    /** Operations that run, by which they are cancelled. */
    private long receiving = NONE;

    /** True if the operation that runs is one that the kernel has to bound. */
    private boolean bounded;

    private long awaitingHangup = NONE;
    private long awaitingData = NONE;

    private boolean cancelling;
    private boolean wanted;
    /** The peer sends nothing more, so that what is left is read whether or not it is wanted. */
    private boolean draining;
    /** Nothing more comes, and the connection goes on. */
    private boolean over;

    /** True if somebody acts upon that what has arrived was read. */
    private boolean completing = true;
    /** The number of bytes that may be read into pipes. Null if none may. */
    private @Nullable LongSupplier pipeable;

    private int singles;
    /** True if reading again waits for the other connections. */
    private boolean queued;

    private final Runnable turn = this::onTurn;
    /** The number of bytes that are read into one pipe. */
    private int pieceBytes = PIECE_BYTES_MIN;

    Receiving(RingChannel channel) {
        this.channel = channel;
    }

    void leaveOutComplete() {
        completing = false;
    }

    @Override
    public int prefetch(int distance) {
        return distance == 0 ? singles : 0;
    }

    void want() {
        wanted = true;
        receive();
    }

    private void receive() {
        if (over || !channel.isUsable() || receiving != NONE || queued) {
            return;
        }
        if (pipeable != null && !draining) {
            fillPipes(pipeable);
        } else if (singles > 0) {
            singles--;
            bounded = false;
            receiving = channel.submit(
                    RingOps.receiveOnce(channel.fd(), channel.loop().buffers().group()));
        } else {
            bounded = channel.loop().isBounding();
            receiving = channel.submit(
                    RingOps.receive(channel.fd(), channel.loop().buffers().group(), bounded ? RECEIVED_MAX : 0));
        }
    }

    /** Nobody wants to read for now. */
    void pause() {
        wanted = false;
        singles = SINGLE_RECEIVES;
        if (!channel.isUsable()) {
            return;
        }
        cancelReceiving();
        if (awaitingHangup == NONE && !draining && !over) {
            awaitingHangup = channel.submit(RingOps.pollHangup(channel.fd()));
        }
    }

    private void cancelReceiving() {
        if (receiving != NONE && !cancelling) {
            cancelling = true;
            channel.submit(RingOps.cancel(receiving));
        }
    }

    void onReceived(int result, int flags) {
        if ((flags & RingOps.MORE) == 0) {
            receiving = NONE;
            cancelling = false;
        }
        if (result > 0) {
            ByteBuf data = channel.loop().buffers().take(result, flags);
            // A copy is as long as what it holds: there are few buffers, and one at a time is better, too.
            if (data.readableBytes() == data.capacity()) {
                singles = SINGLE_RECEIVES;
                if ((flags & RingOps.MORE) != 0) {
                    cancelReceiving();
                }
            }
            onData(data);
        } else if (result == RingOps.EINVAL && bounded) {
            // It is asked for again below.
            channel.loop().cannotBound();
        } else if (result != RingOps.ECANCELED && result != RingOps.ENOBUFS) {
            ended("io_uring recv", result);
        }
        // The ring had no buffer, or the operation was ended while somebody began to want more.
        if (wanted || draining) {
            if (result >= MUCH_BYTES && receiving == NONE && !queued && channel.isUsable()) {
                queued = true;
                channel.loop().events().readLater(turn);
            } else {
                receive();
            }
        }
    }

    private void onTurn() {
        queued = false;
        try {
            if (wanted || draining) {
                receive();
            }
        } catch (RuntimeException | Error e) {
            channel.close();
            throw e;
        }
    }

    private void onData(ByteBuf data) {
        if (!channel.isOpen()) {
            data.release();
            return;
        }
        boolean automatic = channel.config().isAutoRead();
        wanted &= automatic;
        channel.pipeline().fireChannelRead(data);
        if (completing) {
            channel.pipeline().fireChannelReadComplete();
        }
        if (!automatic && !wanted && !draining && channel.isOpen()) {
            cancelReceiving();
        }
    }

    /** The peer sends nothing more. */
    private void ended(String operation, int result) {
        if (result == 0 && channel.allowsHalfClosure()) {
            over = true;
            channel.pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
        } else if (result == 0) {
            channel.unsafe().close(channel.voidPromise());
        } else if (channel.isOpen()) {
            // Without this the close would look as if the peer had sent everything.
            over = true;
            channel.pipeline().fireChannelReadComplete();
            channel.pipeline().fireExceptionCaught(Errors.newIOException(operation, result));
            channel.unsafe().close(channel.voidPromise());
        }
    }

    void onHangup(int result) {
        awaitingHangup = NONE;
        if (result > 0 && channel.isOpen()) {
            draining = true;
            receive();
        }
    }

    /** Ends what runs; completions still follow. */
    void cancel() {
        cancelReceiving();
        if (awaitingHangup != NONE) {
            channel.submit(RingOps.cancel(awaitingHangup));
        }
        if (awaitingData != NONE) {
            channel.submit(RingOps.cancel(awaitingData));
        }
    }

    // --- Pipes

    /** Reads into pipes from when what has been received was passed on. */
    void pipe(LongSupplier octetsLeft) {
        if (pipeable == null && channel.isUsable()) {
            pipeable = octetsLeft;
            cancelReceiving();
            channel.eventLoop().execute(this::goOn);
        }
    }

    private void goOn() {
        if (wanted) {
            receive();
        }
    }

    /** Returns whether the peer sends nothing more. */
    boolean isOver() {
        return over;
    }

    void onReadable() {
        awaitingData = NONE;
        goOn();
    }

    /** The receiver of a piece may want no more of them. */
    @SuppressWarnings("ReferenceEquality")
    private boolean isPiping(LongSupplier left) {
        return awaitingData == NONE && wanted && pipeable == left && channel.isOpen();
    }

    /** Reads into buffers again. */
    void unpipe() {
        if (pipeable != null) {
            pipeable = null;
            singles = SINGLE_RECEIVES;
            channel.eventLoop().execute(this::goOn);
        }
    }

    private void fillPipes(LongSupplier left) {
        for (int piece = 0; piece < PIECES_MAX && isPiping(left); piece++) {
            long octets = left.getAsLong();
            Pipe pipe = octets > 0 ? channel.loop().pipes().take() : null;
            if (pipe == null) {
                stopPiping();
                return;
            }
            int result = pipe.fillFrom(channel.fd(), (int) Math.min(octets, pieceBytes));
            if (result > 0) {
                channel.pipeline().fireChannelRead(new PipedBytes(pipe, result, this));
                continue;
            }
            channel.loop().pipes().give(pipe);
            if (result != RingOps.EAGAIN) {
                ended("splice", result);
                return;
            }
            break;
        }
        if (isPiping(left)) {
            awaitingData = channel.submit(RingOps.pollReadable(channel.fd()));
        }
    }

    /**
     * A piece is not needed any more.
     *
     * @param waited whether its receiver did not take it at once
     */
    void onPassed(boolean waited) {
        pieceBytes = waited ? PIECE_BYTES_MIN : Math.min(2 * pieceBytes, Pipe.BYTES);
    }

    private void stopPiping() {
        pipeable = null;
        singles = SINGLE_RECEIVES;
        receive();
    }
}
