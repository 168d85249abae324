package io.sigma.dataplane.engine.datagram;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.unix.Socket;
import io.netty.channel.unix.UnixChannelOption;
import io.sigma.dataplane.engine.accept.TrafficLoop;
import io.sigma.dataplane.engine.uring.RingDatagrams;
import io.sigma.dataplane.loop.Loop;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.impl.transports.EpollTransport;
import io.vertx.core.spi.transport.Transport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The ports and sessions of one event loop. Confined to it, unless a method says something else. */
public final class DatagramLoop {

    private static final Logger LOG = LoggerFactory.getLogger(DatagramLoop.class);

    /** The interval of the check whether the nodes of sessions are still in use, in milliseconds. */
    private static final long TICK_MILLIS = 1_000;
    /** So many sessions there may be with the smallest memory. */
    private static final int SESSIONS_MIN = 16;
    /** The receive buffer of the socket to clients, as far as the kernel allows it, in bytes. */
    private static final int RECEIVE_BYTES = 4 * 1024 * 1024;
    /** So many datagrams are received with one call at most, where the transport can. */
    private static final int SLOTS = 16;
    /** The number of reads from the port to clients before other sockets are read. */
    private static final int CALLS = 4;

    /**
     * The bounds of unsent datagrams while the kernel has no room, in bytes: those of one loop iteration, and one
     * datagram more.
     */
    private static final WriteBufferWaterMark TO_CLIENTS = new WriteBufferWaterMark(128 * 1024, 256 * 1024);

    private static final WriteBufferWaterMark TO_NODE = new WriteBufferWaterMark(64 * 1024, 128 * 1024);

    private final TrafficLoop traffic;
    private final Transport transport;
    private final boolean rings;
    private final Scratch scratch;
    private final Set<DatagramSession> open = new LinkedHashSet<>();
    /** Those of which nothing proves that their clients are there, the oldest first. */
    private final Set<DatagramSession> unproven = new LinkedHashSet<>();

    private boolean ticking;

    /** From any thread. */
    public DatagramLoop(Transport transport, TrafficLoop traffic) {
        this.transport = transport;
        Transport real = TrafficLoop.real(transport);
        this.rings = RingDatagrams.isAvailable(real);
        this.traffic = traffic;
        this.scratch = new Scratch(real instanceof EpollTransport ? SLOTS : 1);
        eventLoop().terminationFuture().addListener(ended -> scratch.free());
    }

    /** From any thread. */
    Loop loop() {
        return traffic.loop();
    }

    /** From any thread. */
    EventLoop eventLoop() {
        return traffic.context().nettyEventLoop();
    }

    /**
     * Opens a port for clients. From any thread.
     *
     * @param shared whether other event loops have one at the same address
     */
    Future<Port> bind(InetSocketAddress address, boolean shared, Port.Taker taker) {
        if (rings) {
            return ring(taker, null, socket -> {
                socket.setReceiveBufferSize(RECEIVE_BYTES);
                socket.setReusePort(shared);
                socket.bind(address);
            });
        }
        ChannelPort port = new ChannelPort(this, taker, false);
        Bootstrap bootstrap = bootstrap(transport::datagramChannel, port, CALLS, TO_CLIENTS)
                .option(ChannelOption.SO_RCVBUF, RECEIVE_BYTES);
        if (shared) {
            bootstrap.option(UnixChannelOption.SO_REUSEPORT, true);
        }
        return future(bootstrap.bind(address)).map(port);
    }

    /** Opens a port for clients on a socket that another process has bound. From any thread. */
    Future<Port> adopt(int fd, Port.Taker taker) {
        if (rings) {
            return ring(new Socket(fd), taker, null);
        }
        ChannelPort port = new ChannelPort(this, taker, false);
        return future(bootstrap(() -> new EpollDatagramChannel(fd), port, CALLS, TO_CLIENTS)
                        .register())
                .map(port);
    }

    /** Opens a port for one node. */
    Future<Port> connect(InetSocketAddress address, Port.Taker taker) {
        if (rings) {
            return ring(taker, address, socket -> socket.connect(address));
        }
        ChannelPort port = new ChannelPort(this, taker, true);
        return future(bootstrap(transport::datagramChannel, port, 1, TO_NODE).connect(address))
                .map(port);
    }

    /** Prepares a new socket. */
    private interface Preparing {
        void prepare(Socket socket) throws IOException;
    }

    private Future<Port> ring(Port.Taker taker, @Nullable InetSocketAddress peer, Preparing preparing) {
        Socket socket = null;
        try {
            socket = Socket.newSocketDgram();
            preparing.prepare(socket);
            return ring(socket, taker, peer);
        } catch (IOException | RuntimeException e) {
            close(socket);
            return Future.failedFuture(e);
        }
    }

    private Future<Port> ring(Socket socket, Port.Taker taker, @Nullable InetSocketAddress peer) {
        RingPort port = new RingPort(this, taker, peer);
        return RingDatagrams.open(eventLoop(), socket, peer != null, port).map(port::opened);
    }

    private static void close(@Nullable Socket socket) {
        try {
            if (socket != null) {
                socket.close();
            }
        } catch (IOException e) {
            LOG.debug("A socket could not be closed", e);
        }
    }

    private Bootstrap bootstrap(
            ChannelFactory<Channel> channels, ChannelPort port, int calls, WriteBufferWaterMark waiting) {
        return new Bootstrap()
                .group(eventLoop())
                .channelFactory(() -> {
                    Channel channel = channels.newChannel();
                    if (port.isForClients() && channel instanceof EpollDatagramChannel epoll) {
                        epoll.config().setMaxDatagramPayloadSize(Scratch.SLOT_BYTES);
                    }
                    return channel;
                })
                .option(ChannelOption.ALLOCATOR, ByteBufAllocator.DEFAULT)
                .option(ChannelOption.RECVBUF_ALLOCATOR, scratch.receiver(calls))
                .option(ChannelOption.WRITE_BUFFER_WATER_MARK, waiting)
                .handler(port);
    }

    private static Future<Void> future(ChannelFuture done) {
        Promise<Void> promise = Promise.promise();
        done.addListener(ended -> {
            if (ended.isSuccess()) {
                promise.complete();
            } else {
                promise.fail(ended.cause());
            }
        });
        return promise.future();
    }

    /** Runs {@code task} on the loop: at once when that calls. From any thread. */
    void onLoop(Runnable task) {
        if (eventLoop().inEventLoop()) {
            task.run();
        } else {
            later(task);
        }
    }

    /** Runs {@code task} on the loop, soon; not when that has ended. From any thread. */
    void later(Runnable task) {
        try {
            eventLoop().execute(task);
        } catch (RejectedExecutionException e) {
            LOG.debug("The event loop has ended, with its sessions", e);
        }
    }

    /**
     * Returns whether there is memory for one more session. All sessions of the loop take as much as one client may:
     * senders can invent addresses, and sessions of many addresses would take the memory of everybody else. When they
     * hold as much, the oldest one that nothing proves ends.
     */
    boolean tryRoom() {
        long sessionsMax = Math.max(SESSIONS_MIN, loop().memory().shareMax() / DatagramSession.SESSION_BYTES);
        if (open.size() < sessionsMax) {
            return true;
        }
        return !unproven.isEmpty() && unproven.iterator().next().tryDisplace();
    }

    void proven(DatagramSession session) {
        unproven.remove(session);
    }

    void opened(DatagramSession session) {
        open.add(session);
        unproven.add(session);
        if (!ticking) {
            ticking = true;
            loop().scheduler().schedule(this::tick, TICK_MILLIS);
        }
    }

    void closed(DatagramSession session) {
        open.remove(session);
        unproven.remove(session);
    }

    private void tick() {
        // Some of them end meanwhile.
        List.copyOf(open).forEach(DatagramSession::tick);
        ticking = !open.isEmpty();
        if (ticking) {
            loop().scheduler().schedule(this::tick, TICK_MILLIS);
        }
    }
}
