package io.sigma.dataplane.engine.uring;

import io.netty.buffer.ByteBuf;
import io.netty.channel.AbstractChannel;
import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelId;
import io.netty.channel.ChannelMetadata;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.channel.IoEvent;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoRegistration;
import io.netty.channel.socket.DuplexChannel;
import io.netty.channel.unix.Buffer;
import io.netty.channel.unix.Errors;
import io.netty.channel.unix.Socket;
import io.netty.channel.unix.UnixChannelUtil;
import io.netty.channel.uring.IoUringIoEvent;
import io.netty.channel.uring.IoUringIoHandle;
import io.netty.channel.uring.IoUringIoOps;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A connection that was accepted. One operation receives as long as it is open and wanted, one at a time sends, and closing ends
 * both with the connection: what the kernel still sends from is held until it says so. Confined to the event loop, except
 * what Netty lets any thread ask.
 */
public final class RingChannel extends AbstractChannel implements DuplexChannel {

    private static final ChannelMetadata METADATA = new ChannelMetadata(false);
    private static final long NONE = 0;

    private final RingConfig config = new RingConfig(this);
    private final RingLoop loop;
    private final int fd;
    private final @Nullable SocketAddress remote;
    private @Nullable IoRegistration registration;
    private volatile boolean open = true;
    private boolean outputShut;

    /** Operations that run, by which they are cancelled. */
    private long receiving = NONE;

    private long sending = NONE;
    private long awaitingHangup = NONE;

    private boolean cancelling;
    private boolean wanted;
    /** The peer sends nothing more, so that what is left is read whether or not it is wanted. */
    private boolean draining;

    /** What is being sent: one buffer or several. */
    private @Nullable ByteBuf sent;

    private @Nullable Gathering gathering;
    private boolean held;
    /** Whether somebody acts upon that what has arrived was read. */
    private boolean completing = true;
    /** Whether those are told that wrote what was sent, who may write more: nothing is sent until all were told. */
    private boolean telling;

    RingChannel(Channel parent, RingLoop loop, int fd, @Nullable SocketAddress remote) {
        super(parent);
        this.loop = loop;
        this.fd = fd;
        this.remote = remote;
    }

    @Override
    protected ChannelId newId() {
        return RingId.next();
    }

    @Override
    protected AbstractUnsafe newUnsafe() {
        return new RingUnsafe();
    }

    int fd() {
        return fd;
    }

    @Override
    public ChannelConfig config() {
        return config;
    }

    @Override
    public ChannelMetadata metadata() {
        return METADATA;
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public boolean isActive() {
        return open;
    }

    @Override
    protected boolean isCompatible(EventLoop eventLoop) {
        return eventLoop instanceof IoEventLoop ring && ring.isCompatible(RingUnsafe.class);
    }

    @Override
    protected @Nullable SocketAddress localAddress0() {
        return open ? new Socket(fd).localAddress() : null;
    }

    @Override
    protected @Nullable SocketAddress remoteAddress0() {
        return remote;
    }

    @Override
    protected void doRegister(ChannelPromise promise) {
        IoUringIoHandle handle = (RingUnsafe) unsafe();
        ((IoEventLoop) eventLoop()).register(handle).addListener(registered -> {
            if (registered.isSuccess()) {
                registration = (IoRegistration) registered.getNow();
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

    /** Leaves out the event that all is read which has arrived, after each time that something was; nobody acts upon it. */
    public void leaveOutReadComplete() {
        completing = false;
    }

    private long submit(IoUringIoOps operation) {
        return Objects.requireNonNull(registration).submit(operation);
    }

    @Override
    protected void doBind(SocketAddress address) {
        throw new UnsupportedOperationException();
    }

    @Override
    protected void doDisconnect() {
        doClose();
    }

    // --- Reading

    @Override
    protected void doBeginRead() {
        wanted = true;
        receive();
    }

    private void receive() {
        if (receiving == NONE && open && registration != null) {
            receiving = submit(RingOps.receive(fd, loop.buffers().group()));
        }
    }

    /** Nobody wants to read for now. */
    void pause() {
        wanted = false;
        if (!open || registration == null) {
            return;
        }
        cancelReceiving();
        if (awaitingHangup == NONE && !draining) {
            awaitingHangup = submit(RingOps.pollHangup(fd));
        }
    }

    private void cancelReceiving() {
        if (receiving != NONE && !cancelling) {
            cancelling = true;
            submit(RingOps.cancel(receiving));
        }
    }

    private void onReceived(int result, int flags) {
        if ((flags & RingOps.MORE) == 0) {
            receiving = NONE;
            cancelling = false;
        }
        if (result > 0) {
            onData(loop.buffers().take(result, flags));
        } else if (result == 0) {
            unsafe().close(voidPromise());
        } else if (result != RingOps.ECANCELED && result != RingOps.ENOBUFS && open) {
            pipeline().fireChannelReadComplete();
            pipeline().fireExceptionCaught(Errors.newIOException("io_uring recv", result));
            unsafe().close(voidPromise());
        }
        // The ring had no buffer, or the operation was ended while somebody began to want more.
        if (wanted || draining) {
            receive();
        }
    }

    private void onData(ByteBuf data) {
        if (!open) {
            data.release();
            return;
        }
        boolean automatic = config.isAutoRead();
        wanted &= automatic;
        pipeline().fireChannelRead(data);
        if (completing) {
            pipeline().fireChannelReadComplete();
        }
        if (!automatic && !wanted && !draining && open) {
            cancelReceiving();
        }
    }

    private void onHangup(int result) {
        awaitingHangup = NONE;
        if (result > 0 && open) {
            draining = true;
            receive();
        }
    }

    // --- Writing

    @Override
    protected Object filterOutboundMessage(Object message) {
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

    @Override
    protected void doWrite(ChannelOutboundBuffer out) throws Exception {
        while (sending == NONE && !telling && open && out.current() instanceof ByteBuf next) {
            if (!next.isReadable()) {
                // Whoever wrote it wants to hear that what came before was sent.
                out.remove();
            } else if (out.size() == 1 && next.nioBufferCount() == 1) {
                sent = next;
                sending = submit(RingOps.send(fd, address(next), next.readableBytes()));
                return;
            } else {
                Gathering several = loop.gathering();
                gathering = several;
                several.fill(out);
                sending = submit(RingOps.writev(fd, several.address(), several.count()));
                return;
            }
        }
    }

    private static long address(ByteBuf data) {
        if (data.hasMemoryAddress()) {
            return data.memoryAddress() + data.readerIndex();
        }
        ByteBuffer octets = data.internalNioBuffer(data.readerIndex(), data.readableBytes());
        return Buffer.memoryAddress(octets) + octets.position();
    }

    private void onSent(int result) {
        sending = NONE;
        letGo();
        ChannelOutboundBuffer out = unsafe().outboundBuffer();
        if (out == null || result == RingOps.ECANCELED) {
            return;
        }
        if (result < 0) {
            ((RingUnsafe) unsafe()).writeFailed(Errors.newIOException("io_uring send", result));
            return;
        }
        telling = true;
        out.removeBytes(result);
        telling = false;
        ((RingUnsafe) unsafe()).flushRest();
    }

    /** Keeps what the kernel sends from, although everybody else lets go of it. */
    private void hold() {
        if (sending == NONE || held) {
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
            loop.give(several);
        } else if (one != null && held) {
            one.release();
        }
        held = false;
    }

    // --- Ends

    @Override
    protected void doClose() {
        if (!open) {
            return;
        }
        open = false;
        hold();
        IoRegistration registered = registration;
        if (registered == null) {
            closeNow();
            return;
        }
        if (sending != NONE) {
            submit(RingOps.cancel(sending));
        }
        cancelReceiving();
        if (awaitingHangup != NONE) {
            submit(RingOps.cancel(awaitingHangup));
        }
        submit(RingOps.close(fd));
        // Completions are still heard; nothing can be submitted.
        registered.cancel();
    }

    private void closeNow() {
        try {
            new Socket(fd).close();
        } catch (IOException e) {
            throw new IllegalStateException("a socket that nobody uses can be closed", e);
        }
    }

    @Override
    protected void doShutdownOutput() throws IOException {
        hold();
        outputShut = true;
        new Socket(fd).shutdown(false, true);
    }

    @Override
    public boolean isInputShutdown() {
        return !open;
    }

    @Override
    public boolean isOutputShutdown() {
        return outputShut || !open;
    }

    @Override
    public boolean isShutdown() {
        return !open;
    }

    @Override
    public ChannelFuture shutdownOutput() {
        return shutdownOutput(newPromise());
    }

    @Override
    public ChannelFuture shutdownOutput(ChannelPromise promise) {
        onLoop(() -> ((RingUnsafe) unsafe()).shutdownOutput(promise));
        return promise;
    }

    @Override
    public ChannelFuture shutdownInput() {
        return shutdownInput(newPromise());
    }

    /** A connection whose input nobody wants is one that is not read. */
    @Override
    public ChannelFuture shutdownInput(ChannelPromise promise) {
        return promise.setFailure(new UnsupportedOperationException());
    }

    @Override
    public ChannelFuture shutdown() {
        return shutdown(newPromise());
    }

    @Override
    public ChannelFuture shutdown(ChannelPromise promise) {
        return close(promise);
    }

    private void onLoop(Runnable task) {
        if (eventLoop().inEventLoop()) {
            task.run();
        } else {
            eventLoop().execute(task);
        }
    }

    /** What Netty and the ring call. */
    private final class RingUnsafe extends AbstractUnsafe implements IoUringIoHandle {

        @Override
        public void handle(IoRegistration from, IoEvent event) {
            IoUringIoEvent completion = (IoUringIoEvent) event;
            switch (completion.opcode()) {
                case RingOps.RECV -> onReceived(completion.res(), completion.flags());
                case RingOps.SEND, RingOps.WRITEV -> onSent(completion.res());
                case RingOps.POLL_ADD -> onHangup(completion.res());
                default -> {
                    // Something was cancelled, or the socket is closed.
                }
            }
        }

        void writeFailed(IOException cause) {
            handleWriteError(cause);
        }

        void flushRest() {
            flush0();
        }

        @Override
        public void connect(SocketAddress to, SocketAddress from, ChannelPromise promise) {
            promise.setFailure(new UnsupportedOperationException());
        }

        @Override
        public void close() {
            close(voidPromise());
        }
    }
}
