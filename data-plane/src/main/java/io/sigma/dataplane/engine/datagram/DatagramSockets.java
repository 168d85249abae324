package io.sigma.dataplane.engine.datagram;

import io.netty.channel.unix.FileDescriptor;
import io.sigma.dataplane.engine.ListenerBinding;
import io.sigma.dataplane.engine.ListenerHandle;
import io.sigma.dataplane.engine.ServerBinding;
import io.sigma.dataplane.engine.node.NodeDialer;
import io.sigma.model.ProxyServer;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sockets that clients send datagrams to, by address. Where the kernel can share an address each event loop has
 * one, and the kernel gives all datagrams of a client's address and port to the same one. Listeners at one address
 * share them. Thread-safe.
 */
public final class DatagramSockets {

    private static final Logger LOG = LoggerFactory.getLogger(DatagramSockets.class);
    /** The prefix of the addresses of UDP sockets among the addresses of all sockets. */
    private static final String PREFIX = "udp/";

    private final List<DatagramLoop> loops;
    private final boolean ownSockets;
    private final NodeDialer dialer;
    /** Descriptors that another process has bound, and that no listener has, by address. Guarded by this. */
    private final Map<String, List<Integer>> inherited = new TreeMap<>();

    /** By address. Guarded by this. */
    private final Map<String, Shared> open = new HashMap<>();
    /** When the sockets of an address are closed that nobody uses any more. Guarded by this. */
    private final Map<String, Future<Void>> closing = new HashMap<>();

    /** The sockets of one address. Guarded by the object that has it. */
    static final class Shared {
        private final String address;
        private final List<ClientPort> ports = new ArrayList<>();
        /** Descriptors that another process has bound, by the port that will read from each. */
        private final Map<ClientPort, Integer> waiting = new LinkedHashMap<>();

        private Future<Void> bound = Future.succeededFuture();
        private int users = 1;

        private Shared(String address) {
            this.address = address;
        }
    }

    public DatagramSockets(Vertx vertx, List<DatagramLoop> loops, NodeDialer dialer) {
        this.loops = loops;
        this.dialer = dialer;
        this.ownSockets = loops.size() > 1
                && vertx.isNativeTransportEnabled()
                && System.getProperty("os.name").equals("Linux");
    }

    /**
     * Opens a listener.
     *
     * @param source names the address, which may not be that of the binding yet
     * @param budget counts sessions
     * @return fails when the address cannot be bound; nothing is open then
     */
    public Future<ListenerHandle> open(ProxyServer source, ServerBinding binding, ListenerBinding budget) {
        String address = address(source.host(), source.port());
        Shared shared = claim(address, new InetSocketAddress(source.host(), source.port()));
        return shared.bound.compose(ignored -> serve(shared, binding, budget));
    }

    private synchronized Shared claim(String address, InetSocketAddress at) {
        Shared known = open.get(address);
        if (known != null) {
            known.users++;
            return known;
        }
        Shared made = new Shared(address);
        open.put(address, made);
        List<Integer> given = inherited.remove(address);
        if (given != null) {
            for (int i = 0; i < given.size(); i++) {
                ClientPort port = new ClientPort(loops.get(i % loops.size()));
                made.ports.add(port);
                made.waiting.put(port, given.get(i));
            }
            return made;
        }
        made.bound = closing.getOrDefault(address, Future.succeededFuture())
                .transform(ignored -> bind(made, at))
                .recover(cause -> {
                    forget(made);
                    return close(made).transform(ignored -> Future.failedFuture(cause));
                });
        return made;
    }

    private synchronized void forget(Shared failed) {
        open.remove(failed.address, failed);
    }

    private Future<Void> bind(Shared shared, InetSocketAddress at) {
        if (ownSockets) {
            // The kernel would let another process of the same user take part in the address.
            try (DatagramSocket probe = new DatagramSocket(null)) {
                probe.setReuseAddress(false);
                probe.bind(at);
            } catch (SocketException e) {
                return Future.failedFuture(e);
            }
        }
        List<Future<Void>> bound = new ArrayList<>();
        for (DatagramLoop loop : ownSockets ? loops : loops.subList(0, 1)) {
            ClientPort port = new ClientPort(loop);
            bound.add(loop.bind(at, ownSockets, port).compose(opened -> {
                synchronized (this) {
                    shared.ports.add(port);
                }
                return run(loop, () -> port.opened(opened));
            }));
        }
        return Future.join(bound).mapEmpty();
    }

    private synchronized Future<ListenerHandle> serve(Shared shared, ServerBinding binding, ListenerBinding budget) {
        List<SocketListener> listeners = shared.ports.stream()
                .map(port -> new SocketListener(binding, budget, dialer, port))
                .toList();
        List<Future<Void>> added = new ArrayList<>();
        for (SocketListener listener : listeners) {
            listener.search().among(listeners);
            added.add(run(listener.port().loop(), () -> listener.port().add(listener)));
        }
        return Future.join(added).map(ignored -> new DatagramListener(this, shared, listeners));
    }

    private static Future<Void> run(DatagramLoop loop, Runnable task) {
        Promise<Void> done = Promise.promise();
        loop.later(() -> {
            task.run();
            done.complete();
        });
        return done.future();
    }

    /** Gives back what was claimed; completes when the address is free, or still used by others. */
    synchronized Future<Void> release(Shared shared) {
        if (--shared.users > 0) {
            return Future.succeededFuture();
        }
        open.remove(shared.address, shared);
        close(shared.waiting.values());
        shared.waiting.clear();
        Future<Void> closed = close(shared);
        closing.put(shared.address, closed);
        return closed.onComplete(ignored -> closed(shared.address, closed));
    }

    private synchronized void closed(String address, Future<Void> done) {
        closing.remove(address, done);
    }

    private synchronized Future<Void> close(Shared shared) {
        return Future.join(shared.ports.stream()
                        .map(port -> run(port.loop(), port::close))
                        .toList())
                .mapEmpty();
    }

    /** Reads nothing more from sockets that another process reads. */
    synchronized void retire(Shared shared) {
        shared.ports.forEach(port -> port.loop().later(port::pause));
    }

    // --- Another process

    /** Takes the sockets of datagrams among those that another process has bound; they are closed by this object. */
    public synchronized void inherit(Map<String, List<Integer>> sockets) {
        sockets.forEach((address, descriptors) -> {
            if (!address.startsWith(PREFIX)) {
                return;
            }
            if (open.containsKey(address)) {
                close(descriptors);
            } else {
                close(inherited.getOrDefault(address, List.of()));
                inherited.put(address, List.copyOf(descriptors));
            }
        });
    }

    /** Returns {@code sockets} without those of datagrams. */
    public static Map<String, List<Integer>> without(Map<String, List<Integer>> sockets) {
        Map<String, List<Integer>> others = new TreeMap<>(sockets);
        others.keySet().removeIf(address -> address.startsWith(PREFIX));
        return others;
    }

    /** Returns whether a listener of that address gets sockets that another process has bound. */
    public synchronized boolean isInherited(String host, int port) {
        return inherited.containsKey(address(host, port));
    }

    /** Returns the addresses of inherited sockets that no listener has. */
    public synchronized Set<String> leftOver() {
        return new TreeSet<>(inherited.keySet());
    }

    /**
     * Begins to read from inherited sockets, and closes those that no listener has.
     *
     * @return completes when all are read
     */
    public synchronized Future<Void> acceptInherited() {
        close();
        List<Future<Void>> reading = new ArrayList<>();
        open.values().forEach(shared -> {
            shared.waiting.forEach((port, fd) -> reading.add(
                    port.loop().adopt(fd, port).compose(opened -> run(port.loop(), () -> port.opened(opened)))));
            shared.waiting.clear();
        });
        return Future.join(reading).mapEmpty();
    }

    /**
     * Returns the descriptors of all sockets by address, each once: all datagrams of a client come to the same one.
     * They stay those of this process.
     */
    public synchronized Map<String, List<Integer>> descriptors() {
        Map<String, List<Integer>> descriptors = new TreeMap<>();
        open.forEach((address, shared) -> {
            List<Integer> bound = shared.ports.stream()
                    .map(ClientPort::descriptor)
                    .filter(fd -> fd >= 0)
                    .toList();
            if (!bound.isEmpty()) {
                descriptors.put(address, bound);
            }
        });
        return descriptors;
    }

    /** Closes inherited sockets that no listener has. */
    public synchronized void close() {
        inherited.values().forEach(DatagramSockets::close);
        inherited.clear();
    }

    private static void close(Collection<Integer> descriptors) {
        for (int fd : descriptors) {
            try {
                new FileDescriptor(fd).close();
            } catch (IOException e) {
                LOG.debug("Descriptor {} could not be closed", fd, e);
            }
        }
    }

    /** Returns what an address is known by, also to another process. */
    static String address(String host, int port) {
        return PREFIX + host + ":" + port;
    }
}
