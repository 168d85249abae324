package io.sigma.dataplane.engine.uring;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPromise;
import io.netty.channel.IoEvent;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoRegistration;
import io.netty.channel.unix.Errors;
import io.netty.channel.unix.Socket;
import io.netty.channel.unix.UnixChannel;
import io.netty.channel.uring.IoUringIoEvent;
import io.netty.channel.uring.IoUringIoHandle;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts in place of Netty on a socket that Netty listens on, as long as that is open. Connections are those of the
 * event loop that accepts, to which this is confined.
 */
public final class RingAcceptor extends ChannelDuplexHandler implements IoUringIoHandle {

    private static final Logger LOG = LoggerFactory.getLogger(RingAcceptor.class);
    /** The pause of accepting after an error, in milliseconds. */
    private static final long PAUSE_MILLIS = 1_000;
    /** The pause of accepting without a descriptor, not even to refuse a connection, in milliseconds. */
    private static final long LACKING_MILLIS = 100;
    /** The time until the kernel accepts no more and a busy event loop has noticed it, in milliseconds. */
    private static final long END_MILLIS = 10_000;
    /** Connections that are accepted at the end, at most. */
    private static final int LAST_MAX = 4_096;
    /** Room for the address of a peer, as Netty's sockets want it. */
    private static final int PEER_BYTES = 28;

    private final short group;
    private final ByteBufAllocator allocator;
    private final Consumer<Channel> accepted;
    private final Predicate<Channel> refuse;
    private @Nullable Channel listening;
    private @Nullable RingLoop loop;
    private @Nullable IoRegistration registration;
    private long accepting;
    /** Waits for a connection that may not be acceptable. */
    private long polling;

    private boolean stopped;
    /** Completes the end of the socket, once the kernel accepts nothing more from it. */
    private @Nullable Runnable end;

    private RingAcceptor(
            short group, ByteBufAllocator allocator, Consumer<Channel> accepted, Predicate<Channel> refuse) {
        this.group = group;
        this.allocator = allocator;
        this.accepted = accepted;
        this.refuse = refuse;
    }

    /**
     * Has sockets that {@code bootstrap} binds accept here, on the event loop that they are registered with.
     *
     * @param group of the buffers that are read into
     * @param allocator of what connections write
     * @param accepted called with each connection, on its event loop, before anything of it is read
     * @param refuse resets what waits at the socket, when the process has no descriptor left for it; returns whether
     *     nothing waits any more
     */
    public static void install(
            ServerBootstrap bootstrap,
            short group,
            ByteBufAllocator allocator,
            Consumer<Channel> accepted,
            Predicate<Channel> refuse) {
        bootstrap.option(ChannelOption.AUTO_READ, false);
        bootstrap.handler(new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                channel.pipeline().addLast(new RingAcceptor(group, allocator, accepted, refuse));
            }
        });
    }

    @Override
    public void channelActive(ChannelHandlerContext active) throws IOException {
        Channel channel = active.channel();
        listening = channel;
        // Accepted sockets inherit it.
        new Socket(((UnixChannel) channel).fd().intValue()).setTcpNoDelay(true);
        ((IoEventLoop) channel.eventLoop()).register(this).addListener(registered -> {
            if (registered.isSuccess()) {
                begin(channel, (IoRegistration) registered.getNow());
            } else {
                active.fireExceptionCaught(registered.cause());
                active.close();
            }
        });
        active.fireChannelActive();
    }

    private void begin(Channel channel, IoRegistration registered) {
        registration = registered;
        loop = RingLoop.of(channel.eventLoop(), registered, group);
        accept();
    }

    private void accept() {
        if (!stopped && accepting == 0 && polling == 0) {
            accepting = Objects.requireNonNull(registration).submit(RingOps.accept(listeningFd()));
        }
    }

    private int listeningFd() {
        return ((UnixChannel) listening()).fd().intValue();
    }

    private Channel listening() {
        return Objects.requireNonNull(listening);
    }

    @Override
    public void handle(IoRegistration from, IoEvent event) {
        IoUringIoEvent completion = (IoUringIoEvent) event;
        if (completion.opcode() == RingOps.POLL_ADD) {
            polling = 0;
            accept();
            endIfQuiet();
            return;
        }
        if (completion.opcode() != RingOps.ACCEPT) {
            return;
        }
        if ((completion.flags() & RingOps.MORE) == 0) {
            accepting = 0;
        }
        onCompleted(completion.res());
        endIfQuiet();
    }

    private void onCompleted(int result) {
        if (result >= 0) {
            try {
                onAccepted(result);
            } finally {
                // Whatever happens to one connection, others are accepted.
                accept();
            }
        } else if (!stopped && (result == RingOps.EMFILE || result == RingOps.ENFILE)) {
            refuseWaiting();
        } else if (!stopped) {
            LOG.warn("No connection is accepted for a second", Errors.newIOException("io_uring accept", result));
            listening().eventLoop().schedule(this::accept, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void refuseWaiting() {
        if (!refuse.test(listening())) {
            listening().eventLoop().schedule(this::accept, LACKING_MILLIS, TimeUnit.MILLISECONDS);
        } else if (polling == 0) {
            // The kernel takes a descriptor before it looks for a connection: accepting would fail again at once.
            polling = Objects.requireNonNull(registration).submit(RingOps.pollReadable(listeningFd()));
        }
    }

    private void onAccepted(int fd) {
        RingLoop shared = Objects.requireNonNull(loop);
        InetSocketAddress peer = shared.peers().of(fd);
        RingChannel channel = new RingChannel(listening(), group, fd, peer);
        channel.config().setAllocator(allocator);
        // A client that is gone already cannot be told from another one any more.
        if (peer == null) {
            channel.unsafe().closeForcibly();
            return;
        }
        try {
            channel.unsafe().register(listening().eventLoop(), channel.voidPromise());
            if (channel.isRegistered()) {
                accepted.accept(channel);
            }
        } catch (RuntimeException | Error e) {
            // Nobody else knows of it.
            LOG.error("A connection could not be taken", e);
            channel.unsafe().closeForcibly();
        }
    }

    /**
     * Stops before the socket is closed, which it would not be while something is accepted from it. Connections that
     * the kernel has accepted by then are served: another process may go on with the socket, and nobody may miss it.
     */
    @Override
    public void close(ChannelHandlerContext closing, ChannelPromise promise) {
        if (stopped || registration == null) {
            close();
            closing.close(promise);
            return;
        }
        stopped = true;
        end = () -> {
            acceptLast();
            Objects.requireNonNull(registration).cancel();
            closing.close(promise);
        };
        cancel(registration);
        if (!endIfQuiet()) {
            closing.executor().schedule(this::end, END_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    /**
     * Accepts what waits. The kernel wakes one of those that accept from a socket for a connection, and wakes nobody
     * else when that one stops before it has taken the connection. So another process would leave it waiting, until the
     * next one comes.
     */
    private void acceptLast() {
        if (!listening().isOpen() || listening().eventLoop().isShuttingDown()) {
            return;
        }
        Socket socket = new Socket(listeningFd());
        byte[] peer = new byte[PEER_BYTES];
        try {
            int fd = socket.accept(peer);
            for (int i = 0; fd >= 0; i++) {
                onAccepted(fd);
                fd = i < LAST_MAX ? socket.accept(peer) : -1;
            }
        } catch (IOException e) {
            LOG.debug("Waiting connections are left to others", e);
        }
    }

    private boolean endIfQuiet() {
        boolean quiet = accepting == 0 && polling == 0;
        if (quiet) {
            end();
        }
        return quiet;
    }

    private void end() {
        Runnable last = end;
        end = null;
        if (last != null) {
            last.run();
        }
    }

    private void cancel(IoRegistration registered) {
        if (accepting != 0) {
            registered.submit(RingOps.cancel(accepting));
        }
        if (polling != 0) {
            registered.submit(RingOps.cancel(polling));
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext inactive) {
        close();
        inactive.fireChannelInactive();
    }

    /** The event loop ends, or the socket is closed already. */
    @Override
    public void close() {
        IoRegistration registered = registration;
        boolean first = !stopped;
        stopped = true;
        if (first && registered != null) {
            cancel(registered);
            registered.cancel();
        }
        end();
    }
}
