package io.sigma.dataplane.engine.uring;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.channel.IoEvent;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoRegistration;
import io.netty.channel.unix.Socket;
import io.netty.channel.unix.UnixChannelUtil;
import io.netty.channel.uring.IoUringIoEvent;
import io.netty.channel.uring.IoUringIoHandle;
import io.netty.channel.uring.IoUringIoOps;
import io.sigma.dataplane.loop.Prefetched;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A connection on io_uring, to a client or to a node. Netty drives it as it drives its own channels. One operation
 * receives as long as it is open and wanted, one at a time sends, and closing ends both with the connection. Confined
 * to the event loop, except what Netty lets any thread ask.
 */
public final class RingChannel extends RingSocket implements Prefetched {

    /** Tells that some of what was written was taken by the peer, which reads it slowly. */
    public static final Object PROGRESS = "progress";

    private final RingConfig config = new RingConfig(this);
    private final short group;
    private final Receiving receiving = new Receiving(this);
    private final Sending sending = new Sending(this);
    private @Nullable Connecting connecting;
    private @Nullable Prefetched reader;
    private @Nullable RingLoop loop;
    private @Nullable IoRegistration registration;

    /**
     * A connection that was accepted.
     *
     * @param group of the buffers that are read into
     * @param fd which does not block
     */
    RingChannel(Channel parent, short group, int fd, @Nullable SocketAddress remote) {
        super(parent, fd);
        this.group = group;
        connected(remote);
    }

    /**
     * A connection that is to be made.
     *
     * @param group of the buffers that are read into
     */
    public RingChannel(short group) {
        super(Socket.newSocketStream());
        this.group = group;
    }

    /** Returns whether this version of Netty and this machine have what is needed. */
    public static boolean isAvailable() {
        return RingBuffers.areReachable() && Peers.areKnown();
    }

    @Override
    protected AbstractUnsafe newUnsafe() {
        return new RingUnsafe();
    }

    RingLoop loop() {
        return Objects.requireNonNull(loop);
    }

    @Override
    public ChannelConfig config() {
        return config;
    }

    boolean allowsHalfClosure() {
        return config.allowsHalfClosure();
    }

    @Override
    protected boolean isCompatible(EventLoop eventLoop) {
        return eventLoop instanceof IoEventLoop ring && ring.isCompatible(RingUnsafe.class);
    }

    @Override
    protected void doRegister(ChannelPromise promise) {
        IoUringIoHandle handle = (RingUnsafe) unsafe();
        ((IoEventLoop) eventLoop()).register(handle).addListener(registered -> {
            if (registered.isSuccess()) {
                IoRegistration made = (IoRegistration) registered.getNow();
                registration = made;
                RingLoop known = RingLoop.of(eventLoop(), made, group);
                loop = known;
                ((RingUnsafe) unsafe()).events = known.events();
                known.events().opened();
                promise.setSuccess();
            } else {
                promise.setFailure(registered.cause());
            }
        });
    }

    @Override
    protected void doDeregister() {
        if (registration != null) {
            registration.cancel();
        }
    }

    /** Returns whether operations can be submitted. */
    boolean isUsable() {
        return isActive() && registration != null;
    }

    long submit(IoUringIoOps operation) {
        return Objects.requireNonNull(registration).submit(operation);
    }

    /** The connection is made. */
    void onConnected(SocketAddress to, ChannelPromise promise) {
        connecting = null;
        connected(to);
        boolean wanted = promise.trySuccess();
        pipeline().fireChannelActive();
        if (!wanted) {
            unsafe().close(voidPromise());
        }
    }

    // --- Reading

    /**
     * Leaves out the event that all is read which has arrived, after each time that something was; nobody acts upon it.
     */
    public void leaveOutReadComplete() {
        receiving.leaveOutComplete();
    }

    /**
     * Passes what arrives on as {@link PipedBytes} where that is possible, instead of buffers, which may still come.
     *
     * @param octetsLeft returns how much may be passed on so; none ends it
     */
    public void pipe(LongSupplier octetsLeft) {
        receiving.pipe(octetsLeft);
    }

    /** Has what follows arrive as buffers again. */
    public void unpipe() {
        receiving.unpipe();
    }

    @Override
    protected void doBeginRead() {
        receiving.want();
    }

    /** Nobody wants to read for now. */
    void pause() {
        receiving.pause();
    }

    // --- Writing

    @Override
    protected Object filterOutboundMessage(Object message) {
        if (message instanceof PipedBytes) {
            return message;
        }
        if (!(message instanceof ByteBuf data)) {
            throw new UnsupportedOperationException(
                    message.getClass().getSimpleName() + " (expected: " + ByteBuf.class.getSimpleName() + ")");
        }
        if (!UnixChannelUtil.isBufferCopyNeededForWrite(data)) {
            return data;
        }
        ByteBuf copy = alloc().directBuffer(data.readableBytes());
        copy.writeBytes(data, data.readerIndex(), data.readableBytes());
        data.release();
        return copy;
    }

    /**
     * Nothing is written after what is written by now, and the connection is closed as soon as that is sent: the end of
     * the response and that of the connection travel in one segment.
     */
    public void last() {
        sending.last();
    }

    /**
     * Sends {@code data} at once, past all handlers, when nothing is to be sent before it.
     *
     * @return whether {@code data} is taken and will be released
     */
    public boolean send(ByteBuf data) {
        return sending.sendFirst(data);
    }

    /** Returns how much of what was sent past all handlers is not known to be sent, in octets. */
    public int sending() {
        return sending.waiting();
    }

    @Override
    protected void doWrite(ChannelOutboundBuffer out) throws Exception {
        sending.write(out);
    }

    void writeFailed(IOException cause) {
        ((RingUnsafe) unsafe()).writeFailed(cause);
    }

    void flushRest() {
        ((RingUnsafe) unsafe()).flushRest();
    }

    // --- Events

    /**
     * Handles a completion of the kernel.
     *
     * @param id of the operation, where several of its kind can run
     */
    void handle(byte operation, int result, int flags, long id) {
        switch (operation) {
            case RingOps.RECV -> receiving.onReceived(result, flags);
            case RingOps.SEND, RingOps.WRITEV -> sending.onSent(result);
            case RingOps.POLL_ADD -> onReady(id, result);
            default -> {
                // Something was cancelled, or the socket is closed.
            }
        }
    }

    private void onReady(long poll, int result) {
        if (poll == RingOps.HANGUP) {
            receiving.onHangup(result);
        } else if (poll == RingOps.READABLE) {
            receiving.onReadable();
        } else if (connecting != null) {
            connecting.onReady();
        } else {
            sending.onRoom();
        }
    }

    /** Has {@code reader}, who handles what is received, read ahead with this. */
    public void leadsTo(Prefetched reader) {
        this.reader = reader;
    }

    @Override
    public int prefetch(int distance) {
        if (distance == 0) {
            return fd() + (isOpen() ? 1 : 0) + (loop == null ? 1 : 0);
        }
        if (distance > 1) {
            return reader == null ? 0 : reader.prefetch(distance - 1);
        }
        ChannelHandlerContext first = pipeline().firstContext();
        ChannelOutboundBuffer out = unsafe().outboundBuffer();
        return receiving.prefetch(0)
                + sending.prefetch(0)
                + (config.isAutoRead() ? 1 : 0)
                + (first != null && first.isRemoved() ? 1 : 0)
                + (out == null ? 0 : out.size())
                + (reader == null ? 0 : reader.prefetch(0));
    }

    // --- Ends

    @Override
    protected void doClose() {
        if (!beginClose()) {
            return;
        }
        if (connecting != null) {
            connecting.close();
            connecting = null;
        }
        sending.hold();
        IoRegistration registered = registration;
        if (registered == null) {
            closeNow();
            return;
        }
        loop().events().closed();
        sending.cancel();
        receiving.cancel();
        submit(RingOps.close(fd()));
        // Completions are still heard; nothing can be submitted.
        registered.cancel();
    }

    @Override
    protected void doShutdownOutput() throws IOException {
        sending.hold();
        endOutput();
    }

    @Override
    public boolean isInputShutdown() {
        return !isOpen() || receiving.isOver();
    }

    /** The side of the channel that Netty and the ring call, on its event loop. */
    private final class RingUnsafe extends AbstractUnsafe implements IoUringIoHandle {

        /** Null until it is registered. */
        private @Nullable RingEvents events;

        @Override
        public void handle(IoRegistration from, IoEvent event) {
            IoUringIoEvent completion = (IoUringIoEvent) event;
            Objects.requireNonNull(events)
                    .take(
                            RingChannel.this,
                            completion.opcode(),
                            completion.res(),
                            completion.flags(),
                            completion.userData());
        }

        void writeFailed(IOException cause) {
            handleWriteError(cause);
        }

        void flushRest() {
            flush0();
        }

        @Override
        public void connect(SocketAddress to, @Nullable SocketAddress from, ChannelPromise promise) {
            if (!promise.setUncancellable() || !ensureOpen(promise)) {
                return;
            }
            try {
                if (from != null) {
                    doBind(from);
                }
                Connecting begun = new Connecting(RingChannel.this, to, promise, this::connectFailed);
                connecting = begun;
                begun.begin();
            } catch (IOException e) {
                connectFailed(promise, to, e);
            }
        }

        private void connectFailed(ChannelPromise promise, SocketAddress to, Throwable cause) {
            connecting = null;
            promise.tryFailure(annotateConnectException(cause, to));
            closeIfClosed();
        }

        @Override
        public void close() {
            close(voidPromise());
        }
    }
}
