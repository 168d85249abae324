package io.sigma.dataplane.engine.accept;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.unix.UnixChannel;
import io.netty.channel.unix.UnixChannelOption;
import io.sigma.dataplane.engine.ListenerBinding;
import io.sigma.dataplane.engine.ListenerHandle;
import io.sigma.dataplane.engine.tls.ListenerTls;
import io.sigma.dataplane.engine.uring.TunedIoUring;
import io.sigma.dataplane.upstream.pool.SocketBudget;
import io.sigma.model.ProxyServer;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.impl.transports.EpollTransport;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.spi.transport.Transport;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The sockets that listen. {@code GatewayEngine} opens listeners on them. The listeners of an address share its
 * sockets: there are two for a moment while one replaces the other. The sockets are closed with the last listener.
 * Where the kernel can share an address (SO_REUSEPORT), each event loop has its own socket. Elsewhere one loop accepts
 * for all. Thread-safe.
 */
public final class ListeningSockets {

    /** The kernel may free an address a moment after its sockets were closed, so it is tried again for 350 ms. */
    private static final int TRIES = 8;

    private static final long PAUSE_MILLIS = 50;

    private final Vertx vertx;
    private final Transport transport;
    private final List<TrafficLoop> loops;
    private final boolean ownSockets;
    /** The reserve descriptors of the loops that accept, in the order of the loops. */
    private final List<ReserveDescriptor> reserves;
    /** By address. Guarded by this. */
    private final Map<String, Shared> open = new HashMap<>();
    /** Guarded by this. */
    private final InheritedSockets inherited = new InheritedSockets();

    /** When the sockets of an address are closed that nobody uses any more. Guarded by this. */
    private final Map<String, Future<Void>> closing = new HashMap<>();

    private static final class Shared {
        private final List<Channel> sockets = new ArrayList<>();
        /** Descriptors that another process has bound, and that nothing accepts from yet. */
        private final List<Integer> waiting = new ArrayList<>();

        private Future<Void> bound = Future.succeededFuture();
        private int users = 1;
    }

    /**
     * @param loops that accept, each for itself where the kernel can share an address
     * @param sockets counts the connections that are refused because the process has no descriptor left
     */
    public ListeningSockets(Vertx vertx, Transport transport, List<TrafficLoop> loops, SocketBudget sockets) {
        this.vertx = vertx;
        this.transport = transport;
        this.loops = loops;
        this.ownSockets = loops.size() > 1
                && vertx.isNativeTransportEnabled()
                && System.getProperty("os.name").equals("Linux");
        this.reserves = (ownSockets ? loops : loops.subList(0, 1))
                .stream()
                        .map(loop -> new ReserveDescriptor(sockets.refusedWithoutDescriptor()))
                        .toList();
    }

    /**
     * Opens a listener on all loops.
     *
     * @param source names the address, which may not be that of the binding yet
     * @param tls the TLS of its connections; null for plaintext
     * @return fails when the address cannot be bound; nothing is open then
     */
    public Future<ListenerHandle> open(
            ProxyServer source, @Nullable ListenerTls tls, ListenerBinding binding, ListenerProtocol protocol) {
        return OpenListener.open(this, source, tls, binding, protocol).map(listener -> listener);
    }

    List<TrafficLoop> loops() {
        return loops;
    }

    /**
     * Listens at an address, on behalf of a listener that is among those of each loop already.
     *
     * @return fails when the address is taken; nothing is open then, and there is nothing to release
     */
    synchronized Future<Void> claim(String host, int port) {
        String address = address(host, port);
        Shared known = open.get(address);
        if (known != null) {
            known.users++;
            return known.bound;
        }
        Shared made = new Shared();
        open.put(address, made);
        made.waiting.addAll(inherited.take(address));
        if (!made.waiting.isEmpty()) {
            return made.bound;
        }
        made.bound = closing.getOrDefault(address, Future.succeededFuture())
                .transform(ignored -> bind(made, host, port, TRIES))
                .onFailure(ignored -> forget(address, made));
        return made.bound;
    }

    private Future<Void> bind(Shared shared, String host, int port, int tries) {
        return bind(shared, host, port)
                .recover(cause -> close(shared).transform(ignored -> {
                    shared.sockets.clear();
                    return tries > 1 && cause instanceof BindException
                            ? vertx.timer(PAUSE_MILLIS, TimeUnit.MILLISECONDS)
                                    .compose(later -> bind(shared, host, port, tries - 1))
                            : Future.failedFuture(cause);
                }));
    }

    private synchronized void forget(String address, Shared failed) {
        open.remove(address, failed);
    }

    /** Gives back what was claimed; completes when the address is free, or still used by others. */
    synchronized Future<Void> release(String host, int port) {
        String address = address(host, port);
        Shared shared = open.get(address);
        if (shared == null || --shared.users > 0) {
            return Future.succeededFuture();
        }
        open.remove(address);
        InheritedSockets.close(shared.waiting);
        shared.waiting.clear();
        Future<Void> closed = shared.bound.transform(ignored -> close(shared));
        closing.put(address, closed);
        return closed.onComplete(ignored -> closed(address, closed));
    }

    private synchronized void closed(String address, Future<Void> done) {
        closing.remove(address, done);
    }

    /** Returns whether sockets can be given to another process, and be taken from it. */
    public boolean canHandOver() {
        return (ownSockets || loops.size() == 1) && (usesEpoll() || TunedIoUring.takesSockets(transport()));
    }

    /**
     * Takes sockets that another process has bound. A listener of such an address gets them, and accepts nothing before
     * {@link #acceptInherited}. Those of an address that a listener has already are not needed.
     *
     * @param sockets descriptors by address; each is closed by this object
     */
    public synchronized void inherit(Map<String, List<Integer>> sockets) {
        sockets.forEach((address, descriptors) -> {
            if (open.containsKey(address)) {
                InheritedSockets.close(descriptors);
            } else {
                InheritedSockets.close(inherited.take(address));
                inherited.add(address, descriptors);
            }
        });
    }

    /** Returns whether a listener of that address gets sockets that another process has bound. */
    public synchronized boolean isInherited(String host, int port) {
        return inherited.has(address(host, port));
    }

    /** Returns the addresses of inherited sockets that no listener has. */
    public synchronized Set<String> leftOver() {
        return inherited.left();
    }

    /**
     * Begins to accept from inherited sockets, and closes those that no listener has.
     *
     * @return completes when all accept; fails when an event loop does not take one
     */
    public synchronized Future<Void> acceptInherited() {
        inherited.close();
        List<Future<Void>> accepting = new ArrayList<>();
        open.forEach((address, shared) -> {
            for (int i = 0; i < shared.waiting.size(); i++) {
                int place = i % reserves.size();
                int fd = shared.waiting.get(i);
                ChannelFuture registering = bootstrap(loops.get(place), reserves.get(place), address, inherited(fd))
                        .register();
                shared.sockets.add(registering.channel());
                accepting.add(future(registering));
            }
            shared.waiting.clear();
        });
        return Future.join(accepting).mapEmpty();
    }

    /**
     * Returns the descriptors of all sockets by address, for a process that accepts on {@code otherLoops} event loops.
     * They stay those of this process.
     */
    public synchronized Map<String, List<Integer>> descriptors(int otherLoops) {
        Map<String, List<Integer>> descriptors = new TreeMap<>();
        open.forEach((address, shared) -> {
            List<Integer> listening = shared.sockets.stream()
                    .filter(Channel::isActive)
                    .map(channel -> ((UnixChannel) channel).fd().intValue())
                    .toList();
            if (!listening.isEmpty()) {
                descriptors.put(address, InheritedSockets.forLoops(listening, otherLoops));
            }
        });
        return descriptors;
    }

    private Future<Void> bind(Shared shared, String host, int port) {
        InetSocketAddress address = new InetSocketAddress(host, port);
        if (ownSockets) {
            try {
                probe(address);
            } catch (IOException e) {
                return Future.failedFuture(e);
            }
        }
        List<Future<Void>> bound = new ArrayList<>();
        for (int i = 0; i < reserves.size(); i++) {
            ChannelFuture binding = bootstrap(loops.get(i), reserves.get(i), address(host, port), channels())
                    .bind(address);
            // Where no socket could be made, as without descriptors, the channel cannot be closed either.
            if (binding.channel().isOpen()) {
                shared.sockets.add(binding.channel());
            }
            bound.add(future(binding));
        }
        return Future.join(bound).mapEmpty();
    }

    /**
     * Looks whether somebody else listens there: the kernel would let another process of the same user take part in the
     * address.
     */
    private static void probe(InetSocketAddress address) throws IOException {
        try (Socket probe = new Socket()) {
            // Past connections do not matter, listeners do; nobody can connect to it, because it does not listen.
            probe.setReuseAddress(true);
            probe.bind(address);
        }
    }

    private ServerBootstrap bootstrap(
            TrafficLoop loop,
            ReserveDescriptor reserve,
            String address,
            ChannelFactory<? extends ServerChannel> channels) {
        EventLoop accepting = loop.context().nettyEventLoop();
        ServerBootstrap bootstrap =
                new ServerBootstrap().group(accepting, accepting).channelFactory(channels);
        transport.configure(new NetServerOptions(), false, bootstrap);
        // Setting a default again would be a system call for each connection.
        bootstrap.config().childOptions().forEach((option, value) -> {
            if (isStandard(option, value)) {
                bootstrap.childOption(option, null);
            }
        });
        bootstrap
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.ALLOCATOR, ByteBufAllocator.DEFAULT);
        if (ownSockets) {
            bootstrap.option(UnixChannelOption.SO_REUSEPORT, true);
        }
        ListenerEntry entry = new ListenerEntry(address, ownSockets ? List.of(loop) : loops);
        if (ownSockets || loops.size() == 1) {
            if (!TunedIoUring.accept(bootstrap, accepted -> entry.begin(loop, accepted), reserve::refuse)) {
                bootstrap.handler(new Refusing(reserve));
            }
        } else {
            entry.distribute(bootstrap, new Refusing(reserve));
        }
        return bootstrap.childHandler(entry);
    }

    private ChannelFactory<? extends ServerChannel> channels() {
        return vertx.isNativeTransportEnabled() ? transport.serverChannelFactory(false) : ListeningNioChannel::new;
    }

    private ChannelFactory<? extends ServerChannel> inherited(int fd) {
        return usesEpoll() ? () -> new EpollServerSocketChannel(fd) : TunedIoUring.inherited(fd);
    }

    private boolean usesEpoll() {
        return transport() instanceof EpollTransport;
    }

    private Transport transport() {
        return DelegatingTransport.real(transport);
    }

    /** Returns whether a socket, or Netty, has that value for itself. */
    private static boolean isStandard(ChannelOption<?> option, Object value) {
        return value.equals(option.equals(ChannelOption.TCP_NODELAY)) || value.equals(0);
    }

    /** Gives back what is kept for refusals, once nothing listens any more. */
    public synchronized void close() {
        inherited.close();
        for (int i = 0; i < reserves.size(); i++) {
            ReserveDescriptor reserve = reserves.get(i);
            loops.get(i).context().runOnContext(ignored -> reserve.close());
        }
    }

    private static Future<Void> close(Shared shared) {
        return Future.join(shared.sockets.stream()
                        .map(socket -> future(socket.close()))
                        .toList())
                .mapEmpty();
    }

    private static Future<Void> future(ChannelFuture done) {
        Promise<Void> promise = Promise.promise();
        done.addListener(ended -> {
            @Nullable Throwable cause = ended.cause();
            if (cause == null) {
                promise.complete();
            } else {
                promise.fail(cause);
            }
        });
        return promise.future();
    }

    /** Returns what an address is known by among the listeners of a loop. */
    static String address(String host, int port) {
        return host + ":" + port;
    }
}
