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
    /** Made when it is needed. A race makes two, which are alike: it has no state but that of the descriptor. */
    private @Nullable Socket socket;

    private @Nullable SocketAddress remote;
    private volatile boolean open = true;
    private volatile boolean connected;
    private boolean outputShut;

    /** The socket of a connection that was accepted. */
    RingSocket(Channel parent, int fd) {
        super(parent);
        this.fd = fd;
    }

    /** The socket of a connection that is to be made. */
    RingSocket(Socket made) {
        super(null);
        this.fd = made.intValue();
        this.socket = made;
    }

    @Override
    protected final ChannelId newId() {
        return RingId.next();
    }

    final int fd() {
        return fd;
    }

    /** Returns the descriptor; -1 when the socket is about to be closed. */
    public final int descriptor() {
        return open ? fd : -1;
    }

    /** Returns the socket. One object for all calls: making one asks the kernel for the family of the address. */
    final Socket socket() {
        Socket known = socket;
        if (known == null) {
            known = new Socket(fd);
            socket = known;
        }
        return known;
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
        return open ? socket().localAddress() : null;
    }

    @Override
    protected final @Nullable SocketAddress remoteAddress0() {
        return connected ? remote : null;
    }

    @Override
    protected final void doBind(SocketAddress address) throws IOException {
        socket().bind(address);
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
            socket().close();
        } catch (IOException e) {
            throw new IllegalStateException("a socket that nobody uses can be closed", e);
        }
    }

    /** Sends the peer the end of what it receives. */
    final void endOutput() throws IOException {
        outputShut = true;
        socket().shutdown(false, true);
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
