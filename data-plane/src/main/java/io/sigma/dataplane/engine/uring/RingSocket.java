package io.sigma.dataplane.engine.uring;

import io.netty.channel.AbstractChannel;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelId;
import io.netty.channel.ChannelMetadata;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.DuplexChannel;
import io.netty.channel.unix.Socket;
import java.io.IOException;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * The socket of a connection: its addresses, whether it is open, and how its directions end. Confined to the event
 * loop, except what Netty lets any thread ask.
 */
abstract class RingSocket extends AbstractChannel implements DuplexChannel {

    private static final ChannelMetadata METADATA = new ChannelMetadata(false);

    private final int fd;
    private @Nullable SocketAddress remote;
    private volatile boolean open = true;
    private volatile boolean connected;
    private boolean outputShut;

    RingSocket(@Nullable Channel parent, int fd) {
        super(parent);
        this.fd = fd;
    }

    @Override
    protected final ChannelId newId() {
        return RingId.next();
    }

    final int fd() {
        return fd;
    }

    @Override
    public final ChannelMetadata metadata() {
        return METADATA;
    }

    @Override
    public final boolean isOpen() {
        return open;
    }

    @Override
    public final boolean isActive() {
        return open && connected;
    }

    @Override
    protected final @Nullable SocketAddress localAddress0() {
        return open ? new Socket(fd).localAddress() : null;
    }

    @Override
    protected final @Nullable SocketAddress remoteAddress0() {
        return connected ? remote : null;
    }

    @Override
    protected final void doBind(SocketAddress address) throws IOException {
        new Socket(fd).bind(address);
    }

    /** The socket is connected to {@code peer}. */
    final void connected(@Nullable SocketAddress peer) {
        remote = peer;
        connected = true;
    }

    @Override
    protected final void doDisconnect() throws Exception {
        doClose();
    }

    /** The socket is about to be closed; returns false when it was before. */
    final boolean beginClose() {
        boolean first = open;
        open = false;
        return first;
    }

    /** Closes a socket that no operation uses. */
    final void closeNow() {
        try {
            new Socket(fd).close();
        } catch (IOException e) {
            throw new IllegalStateException("a socket that nobody uses can be closed", e);
        }
    }

    /** Sends the peer the end of what it receives. */
    final void endOutput() throws IOException {
        outputShut = true;
        new Socket(fd).shutdown(false, true);
    }

    @Override
    public final boolean isOutputShutdown() {
        return outputShut || !open;
    }

    @Override
    public final boolean isShutdown() {
        return !open;
    }

    @Override
    public final ChannelFuture shutdownOutput() {
        return shutdownOutput(newPromise());
    }

    @Override
    public final ChannelFuture shutdownOutput(ChannelPromise promise) {
        onLoop(() -> ((AbstractUnsafe) unsafe()).shutdownOutput(promise));
        return promise;
    }

    @Override
    public final ChannelFuture shutdownInput() {
        return shutdownInput(newPromise());
    }

    /** A connection whose input nobody wants is one that is not read. */
    @Override
    public final ChannelFuture shutdownInput(ChannelPromise promise) {
        return promise.setFailure(new UnsupportedOperationException());
    }

    @Override
    public final ChannelFuture shutdown() {
        return shutdown(newPromise());
    }

    @Override
    public final ChannelFuture shutdown(ChannelPromise promise) {
        return close(promise);
    }

    private void onLoop(Runnable task) {
        if (eventLoop().inEventLoop()) {
            task.run();
        } else {
            eventLoop().execute(task);
        }
    }
}
