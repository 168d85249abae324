package io.sigma.dataplane.listener;

import io.sigma.check.StreamCheck;
import io.sigma.dataplane.disk.GatewayDisk;
import io.sigma.dataplane.engine.Engine;
import io.sigma.dataplane.engine.ListenerHandle;
import io.sigma.dataplane.engine.ServerBinding;
import io.sigma.dataplane.engine.TlsMaterial;
import io.sigma.dataplane.snapshot.RuntimeServer;
import io.sigma.dataplane.snapshot.RuntimeSnapshot;
import io.sigma.dataplane.snapshot.SnapshotRefused;
import io.sigma.dataplane.watch.WatchedFiles;
import io.sigma.model.Certificate;
import io.sigma.model.ProxyServer;
import io.sigma.model.ServerTls;
import io.vertx.core.Future;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open listeners. A snapshot's new ones are opened before it is served and its superfluous ones closed after, so a
 * snapshot whose listeners cannot be opened changes nothing. To be used by one snapshot at a time. What is noted of an
 * opened listener is part of the chain of futures: a handler beside the chain may still run when the chain goes on
 * elsewhere.
 */
public final class Listeners {

    private static final Logger LOG = LoggerFactory.getLogger(Listeners.class);

    /** Longest wait for a context of TLS to be made. */
    private static final long CHANGE_SECONDS = 30;

    private final Engine engine;
    private final TlsReader tlsReader;
    private final Function<RuntimeServer, ServerBinding> bindings;
    private final int drainMillis;
    private final ListenAddresses addresses;
    private volatile Map<String, OpenServer> open = Map.of();
    /** Those that let exchanges finish, whose address may not be free yet. */
    private final Set<OpenServer> closing = ConcurrentHashMap.newKeySet();
    /** Those that there were when {@link #open} was prepared. */
    private Map<String, Certificate> certificates = Map.of();
    /** Why proxy servers of what is served are not open, by their ids. */
    private volatile SortedMap<String, SnapshotRefused> missing = Collections.emptySortedMap();

    /**
     * @param bindings returns what a listener serves, given the proxy server that it is opened for
     * @param listenHost address of proxy servers that ask for every address; null leaves them that
     * @param files reads certificates in files, and reads them again when they change
     * @param disk has the files of certificates
     */
    public Listeners(
            Engine engine,
            Function<RuntimeServer, ServerBinding> bindings,
            int drainMillis,
            @Nullable String listenHost,
            WatchedFiles files,
            GatewayDisk disk) {
        this.tlsReader = new TlsReader(files, disk);
        this.addresses = new ListenAddresses(listenHost);
        this.engine = engine;
        this.bindings = bindings;
        this.drainMillis = drainMillis;
    }

    /** The listeners that were opened for a snapshot: to be kept or closed again. */
    public final class Prepared {

        private final Map<String, Certificate> certificates;
        private final Map<String, OpenServer> next = new HashMap<>();
        private final List<OpenServer> opened = new ArrayList<>();
        private final List<OpenServer> superfluous = new ArrayList<>();
        private final List<OpenServer> changed = new ArrayList<>();
        private final SortedMap<String, SnapshotRefused> missing;

        private Prepared(Map<String, Certificate> certificates, SortedMap<String, SnapshotRefused> missing) {
            this.certificates = certificates;
            this.missing = missing;
        }

        /** Closes what the snapshot does not have any more; to be called once it is served. */
        public void keep() {
            open = Map.copyOf(next);
            Listeners.this.certificates = certificates;
            Listeners.this.missing = Collections.unmodifiableSortedMap(missing);
            // A listener may be here twice: it has another address now, and that address cannot be opened.
            Set.copyOf(superfluous).forEach(Listeners.this::closeGently);
        }

        /** Closes what was opened for the snapshot. */
        public Future<Void> undo() {
            List<Future<Void>> undone = new ArrayList<>();
            opened.forEach(listener -> undone.add(listener.handle().close(0)));
            changed.forEach(listener -> {
                if (listener.tls() != null) {
                    undone.add(listener.handle().changeTls(listener.source(), listener.tls()));
                }
            });
            return Future.join(undone).transform(ignored -> Future.succeededFuture());
        }
    }

    private void begin() {
        tlsReader.begin(open.values().stream().map(OpenServer::source).toList());
    }

    /**
     * Opens what {@code snapshot} has beyond what is open. Reads TLS files and looks names up, so it is not for an
     * event loop.
     *
     * @return fails with {@link SnapshotRefused} when that is not possible; nothing has changed then
     */
    public Future<Prepared> prepare(RuntimeSnapshot snapshot) {
        Prepared prepared = new Prepared(snapshot.source().state().certificates(), new TreeMap<>());
        if (isOpen(snapshot)) {
            prepared.next.putAll(open);
            return Future.succeededFuture(prepared);
        }
        begin();
        Future<Void> steps = Future.succeededFuture();
        for (RuntimeServer server : snapshot.servers().values()) {
            steps = steps.compose(ignored -> step(server, prepared));
        }
        return prepared(prepared, steps);
    }

    /**
     * As {@link #prepare}, without the proxy servers that cannot be opened: {@link #missing()} has them once the
     * snapshot is served. One whose socket is open already stays as it is.
     */
    public Future<Prepared> prepareInPart(RuntimeSnapshot snapshot) {
        Prepared prepared = new Prepared(snapshot.source().state().certificates(), unusable(snapshot));
        begin();
        Future<Void> steps = Future.succeededFuture();
        for (RuntimeServer server : snapshot.servers().values()) {
            steps = steps.compose(ignored -> prepared.missing.containsKey(server.id())
                            ? Future.succeededFuture()
                            : step(server, prepared))
                    .recover(cause -> {
                        prepared.missing.put(server.id(), addresses.refusal(server.source(), cause));
                        return Future.succeededFuture();
                    })
                    .onSuccess(ignored -> keepAsItIs(server, prepared));
        }
        return prepared(prepared, steps);
    }

    private Future<Prepared> prepared(Prepared prepared, Future<Void> steps) {
        return steps.map(ignored -> {
                    open.forEach((id, listener) -> {
                        if (!prepared.next.containsKey(id)) {
                            prepared.superfluous.add(listener);
                        }
                    });
                    return prepared;
                })
                .recover(cause -> prepared.undo().transform(ignored -> Future.failedFuture(cause)));
    }

    private void keepAsItIs(RuntimeServer server, Prepared prepared) {
        OpenServer current = open.get(server.id());
        if (current != null
                && !prepared.next.containsKey(server.id())
                && SocketKey.of(current.source()).equals(SocketKey.of(server.source()))) {
            prepared.next.put(server.id(), current);
        }
    }

    /** Returns why proxy servers of the snapshot that is served are not open, by their ids. Thread-safe. */
    public SortedMap<String, SnapshotRefused> missing() {
        return missing;
    }

    /**
     * Looks whether {@code snapshot} could be prepared: reads TLS files, and tries addresses without listening on them.
     * Opens nothing; blocks.
     *
     * @throws SnapshotRefused when it could not
     */
    public void check(RuntimeSnapshot snapshot) {
        if (isOpen(snapshot)) {
            return;
        }
        SortedMap<String, SnapshotRefused> unusable = unusable(snapshot);
        if (!unusable.isEmpty()) {
            throw unusable.firstEntry().getValue();
        }
    }

    /** Returns why proxy servers of {@code snapshot} could not be opened, by their ids. */
    private SortedMap<String, SnapshotRefused> unusable(RuntimeSnapshot snapshot) {
        begin();
        SortedMap<String, SnapshotRefused> unusable = new TreeMap<>();
        Map<String, ListenAddresses.Taken> taken = new HashMap<>();
        // In an order, so that of two servers with one address always the same is refused.
        new TreeMap<>(snapshot.servers()).forEach((id, server) -> {
            try {
                check(server, snapshot, taken);
            } catch (SnapshotRefused e) {
                unusable.put(id, e);
            }
        });
        return unusable;
    }

    /**
     * @param taken the addresses of the servers that were looked at before; that of {@code server} is added
     */
    private void check(RuntimeServer server, RuntimeSnapshot snapshot, Map<String, ListenAddresses.Taken> taken) {
        ProxyServer source = server.source();
        TlsMaterial tls = tlsReader.mayRead(source)
                ? tlsReader.read(source, snapshot.source().state().certificates())
                : null;
        OpenServer current = open.get(server.id());
        boolean same = current != null && source.equals(current.source()) && Objects.equals(tls, current.tls());
        if (!same) {
            TlsReader.check(engine, source, tls);
        }
        ProxyServer placed = addresses.placed(source);
        InetSocketAddress address = new InetSocketAddress(placed.host(), placed.port());
        ListenAddresses.take(taken, server.id(), placed, address);
        if (isNewAddress(placed)) {
            ListenAddresses.check(placed, address);
        }
    }

    /** Presents what files contain now; to be called when they have changed, by who prepares snapshots. Blocks. */
    public void followFiles() {
        begin();
        Map<String, OpenServer> next = new HashMap<>();
        open.forEach((id, listener) -> next.put(id, followFiles(listener)));
        open = Map.copyOf(next);
    }

    private OpenServer followFiles(OpenServer listener) {
        try {
            TlsMaterial tls = tlsReader.read(listener.source(), certificates);
            if (tls == null || tls.equals(listener.tls())) {
                return listener;
            }
            listener.handle().changeTls(listener.source(), tls).await(CHANGE_SECONDS, TimeUnit.SECONDS);
            LOG.info(
                    "Proxy server {} presents another certificate",
                    listener.source().id());
            return listener.with(listener.source(), tls);
        } catch (Exception e) {
            // Whatever a change of TLS fails with, checked or not: the other listeners follow their files all the same.
            LOG.error(
                    "Proxy server {} keeps its earlier certificate: {}",
                    listener.source().id(),
                    e.getMessage());
            return listener;
        }
    }

    /**
     * Returns whether all that {@code snapshot} has is open as it is. Files may have changed just now: they are looked
     * at.
     */
    @SuppressWarnings("ReferenceEquality") // An unchanged value is the same object.
    private boolean isOpen(RuntimeSnapshot snapshot) {
        return snapshot.servers().size() == open.size()
                && snapshot.source().state().certificates() == certificates
                && snapshot.servers().values().stream().allMatch(server -> {
                    OpenServer current = open.get(server.id());
                    ServerTls tls = server.source().tls();
                    return current != null
                            && current.source() == server.source()
                            && (tls == null || tls.certPath() == null);
                });
    }

    /** An address on which something here listens is not free, and may still be had: its listener may move. */
    private boolean isNewAddress(ProxyServer placed) {
        return Stream.concat(open.values().stream(), closing.stream())
                        .map(listener -> addresses.placed(listener.source()))
                        .filter(there -> StreamCheck.isDatagrams(there) == StreamCheck.isDatagrams(placed))
                        .noneMatch(there -> there.host().equals(placed.host())
                                && there.port().equals(placed.port()))
                && !engine.isInherited(addresses.bound(placed));
    }

    private Future<Void> step(RuntimeServer server, Prepared prepared) {
        ProxyServer source = server.source();
        OpenServer current = open.get(server.id());
        boolean stays = current != null && SocketKey.of(current.source()).equals(SocketKey.of(source));
        if (!tlsReader.mayRead(source)) {
            // Nobody voted for that here: what is open goes on with the certificate that it has, the rest is served
            // without it.
            LOG.error("Proxy server {} has no certificate: the settings do not allow its files", server.id());
            if (current != null && stays) {
                prepared.next.put(server.id(), current);
            } else {
                prepared.missing.put(
                        server.id(),
                        new SnapshotRefused(
                                ListenAddresses.pointer(source, "tls"),
                                "the settings do not allow the files of its certificate"));
            }
            return Future.succeededFuture();
        }
        TlsMaterial tls;
        try {
            tls = tlsReader.read(source, prepared.certificates);
        } catch (SnapshotRefused e) {
            return Future.failedFuture(e);
        }
        if (current == null || !stays) {
            return openNew(server, tls, current, prepared);
        }
        OpenServer next = current.with(source, tls);
        if (tls == null
                || (tls.equals(current.tls())
                        && source.http2().equals(current.source().http2()))) {
            prepared.next.put(server.id(), next);
            return Future.succeededFuture();
        }
        return current.handle()
                .changeTls(source, tls)
                .<Void>map(ignored -> {
                    prepared.changed.add(current);
                    prepared.next.put(server.id(), next);
                    return null;
                })
                .recover(cause -> Future.failedFuture(new SnapshotRefused(
                        ListenAddresses.pointer(source, "tls"), "cannot be used: " + cause.getMessage())));
    }

    private Future<Void> openNew(
            RuntimeServer server, @Nullable TlsMaterial tls, @Nullable OpenServer current, Prepared prepared) {
        ProxyServer source = server.source();
        if (current != null) {
            prepared.superfluous.add(current);
        }
        ServerBinding binding = bindings.apply(server);
        return Future.<Void>succeededFuture()
                .compose(ignored -> engine.open(addresses.bound(source), tls, binding))
                .<Void>map(handle -> {
                    LOG.info("Proxy server {} listens on {}", server.id(), addresses.text(source));
                    OpenServer opened = new OpenServer(source, tls, binding, handle);
                    prepared.opened.add(opened);
                    prepared.next.put(server.id(), opened);
                    return null;
                })
                .recover(cause -> Future.failedFuture(addresses.refusal(source, cause)));
    }

    private void closeGently(OpenServer listener) {
        LOG.info(
                "Proxy server {} closes {}:{}",
                listener.source().id(),
                listener.source().host(),
                listener.source().port());
        closing.add(listener);
        listener.handle()
                .close(drainMillis)
                .onComplete(closed -> closing.remove(listener))
                .onFailure(cause -> LOG.warn("A listener did not close properly: {}", cause.getMessage()));
    }

    /** Closes all listeners, letting running exchanges finish. */
    public Future<Void> close() {
        return close(listener -> listener.handle().close(drainMillis));
    }

    /** As {@link #close}, while another process accepts from their sockets. */
    public Future<Void> retire() {
        return close(listener -> listener.handle().retire(drainMillis));
    }

    private Future<Void> close(Function<OpenServer, Future<Void>> way) {
        List<Future<Void>> ended = open.values().stream().map(way).toList();
        open = Map.of();
        return Future.join(ended).mapEmpty();
    }

    /** Returns what is open, by the ids of proxy servers. Thread-safe. */
    public Map<String, ListenerHandle> handles() {
        Map<String, ListenerHandle> handles = new TreeMap<>();
        open.forEach((id, listener) -> handles.put(id, listener.handle()));
        return handles;
    }
}
