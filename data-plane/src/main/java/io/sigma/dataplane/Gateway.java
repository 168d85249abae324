package io.sigma.dataplane;

import io.netty.util.internal.PlatformDependent;
import io.sigma.dataplane.configfile.ConfigFile;
import io.sigma.dataplane.discovery.Discoveries;
import io.sigma.dataplane.disk.GatewayDisk;
import io.sigma.dataplane.engine.Engine;
import io.sigma.dataplane.engine.relay.SpoolFiles;
import io.sigma.dataplane.engine.tls.SniKeys;
import io.sigma.dataplane.filter.FilterServices;
import io.sigma.dataplane.filter.content.CodingMemory;
import io.sigma.dataplane.flow.ErrorResponder;
import io.sigma.dataplane.flow.ExchangeServices;
import io.sigma.dataplane.flow.MirrorLimit;
import io.sigma.dataplane.flow.ServerDispatch;
import io.sigma.dataplane.link.ControlLink;
import io.sigma.dataplane.link.GatewayIdentity;
import io.sigma.dataplane.link.SnapshotClient;
import io.sigma.dataplane.listener.Listeners;
import io.sigma.dataplane.loop.MemoryBudget;
import io.sigma.dataplane.loop.Scheduling;
import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.dataplane.settings.OwnIdentity;
import io.sigma.dataplane.snapshot.ActiveSnapshot;
import io.sigma.dataplane.snapshot.RuntimeSnapshot;
import io.sigma.dataplane.snapshot.SnapshotApplier;
import io.sigma.dataplane.snapshot.SnapshotRefused;
import io.sigma.dataplane.snapshot.SnapshotSaver;
import io.sigma.dataplane.snapshot.SnapshotStore;
import io.sigma.dataplane.snapshot.SnapshotTarget;
import io.sigma.dataplane.snapshot.TargetCheck;
import io.sigma.dataplane.telemetry.AccessLog;
import io.sigma.dataplane.telemetry.GatewayMetrics;
import io.sigma.dataplane.telemetry.Readiness;
import io.sigma.dataplane.telemetry.TelemetryServer;
import io.sigma.dataplane.telemetry.TrafficSpans;
import io.sigma.dataplane.upstream.NodeEndpoint;
import io.sigma.dataplane.upstream.UpstreamCluster;
import io.sigma.dataplane.upstream.health.HealthMonitor;
import io.sigma.dataplane.upstream.health.HealthProber;
import io.sigma.dataplane.upstream.pool.SocketBudget;
import io.sigma.dataplane.watch.WatchedFiles;
import io.sigma.snapshot.Snapshot;
import io.sigma.value.AddressGuard;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running gateway. Thread-safe. */
public final class Gateway {

    private static final Logger LOG = LoggerFactory.getLogger(Gateway.class);

    /** How long a snapshot waits for the nodes of upstreams that are discovered; after that it is served without. */
    private static final long DISCOVERY_MILLIS = 3_000;

    /** Interval in which it is tried to open what is lacking of the revision that is served. */
    private static final long COMPLETE_MILLIS = 5_000;

    /**
     * For so long the JVM's compiler has a full share of the processor: a gateway under full load is slow until it is
     * done.
     */
    private static final long WARM_UP_MILLIS = 60_000;

    /** Copies of requests for mirrors may hold one of so many bytes of what is held for peers, beside it. */
    private static final int MIRROR_PART = 8;

    private final Vertx vertx;
    private final int stopDelayMillis;
    private final WatchedFiles files;
    private final Engine engine;
    private final AccessLog accessLog;
    private final ExecutorService worker;
    private final Listeners listeners;
    private final HealthMonitor health;
    private final Discoveries discoveries;
    private final SnapshotApplier applier;
    private final SnapshotSaver saver;
    private final GatewayDisk disk;
    private final ActiveSnapshot active = new ActiveSnapshot();
    private final GatewayMetrics metrics;
    private final SnapshotTarget target;
    /** Whose upstreams are watched. Confined to the thread that applies snapshots. */
    private RuntimeSnapshot watched = RuntimeSnapshot.none();

    private volatile @Nullable TelemetryServer telemetry;
    private volatile @Nullable ConfigFile configFile;
    private volatile @Nullable SnapshotClient snapshotClient;
    private volatile long settling = -1;
    private volatile long completing = -1;
    private volatile boolean stopping;

    private Gateway(Vertx vertx, GatewaySettings settings, SocketBudget sockets, @Nullable ControlLink link) {
        this.vertx = vertx;
        this.stopDelayMillis = settings.stopDelayMillis();
        int loops = settings.eventLoops() > 0
                ? settings.eventLoops()
                : Runtime.getRuntime().availableProcessors();
        this.disk = GatewayDisk.of(settings);
        this.metrics = new GatewayMetrics(settings.metricSeriesMax(), loops);
        AddressGuard addresses = new AddressGuard(
                settings.upstreamAllow(),
                settings.upstreamDeny(),
                port -> port == telemetryPort() || (link != null && link.isControlPort(port)),
                metrics.counter(
                        "sigma.addresses.refused",
                        "Connections that were not made because their address is not allowed."));
        this.files = new WatchedFiles(
                disk,
                settings.filePollMillis(),
                metrics.counter("sigma.files.reread", "Changed files of the configuration that were loaded."));
        MemoryBudget memory = new MemoryBudget(
                settings.heldBytesMax() == 0
                        ? MemoryBudget.bytesOfProcess(PlatformDependent.maxDirectMemory())
                        : settings.heldBytesMax(),
                metrics.counter(
                        "sigma.held.refused", "Requests that were refused because clients used too much memory."),
                metrics.counter("sigma.held.ended", "Connections that were closed because they used too much memory."));
        metrics.gauge("sigma.held.bytes", "Memory that clients and nodes use, in bytes.", memory::held);
        metrics.gauge("sigma.held.bytes.max", "Memory that clients and nodes may use, in bytes.", memory::bytesMax);
        this.worker = Executors.newVirtualThreadPerTaskExecutor();
        SpoolFiles spools = new SpoolFiles(
                settings.dataDir().resolve("spool"),
                settings.spoolBytesMax(),
                settings.spoolResponseBytesMax(),
                SocketBudget.spoolsOfProcess(),
                worker);
        metrics.gauge("sigma.spool.bytes", "Bytes of responses that wait on the disk for clients.", spools::bytes);
        metrics.gauge(
                "sigma.coding.bytes",
                "Memory that compressors of responses use, in bytes.",
                CodingMemory.ofProcess()::bytes);
        this.engine = new GatewayEngine(
                vertx,
                loops,
                settings.tls(),
                id -> active.current().clientKey(id),
                path -> active.current().authorities(path),
                addresses,
                sockets,
                memory,
                spools);
        LongAdder shed = metrics.counter(
                "sigma.access.log.shed", "Lines of the access log that were dropped because the queue was full.");
        this.accessLog = new AccessLog(
                settings.accessLog(),
                disk,
                engine.eventLoops().size(),
                settings.accessLogQueueMax(),
                shed,
                metrics.counter(
                        "sigma.access.log.lost",
                        "Lines of the access log that could not be written, for example to a full disk."));
        LongAdder refusedByServers = new LongAdder();
        sockets.eachClientMax(
                settings.connectionsPerAddressMax() == 0 ? Integer.MAX_VALUE : settings.connectionsPerAddressMax());
        metrics.gauge(
                "sigma.connections.refused.by.address",
                "Connections that were closed at once because their client address had reached its share.",
                () -> sockets.refusedByAddress() + refusedByServers.sum());
        ExchangeServices services = new ExchangeServices(
                engine,
                new ErrorResponder(),
                accessLog,
                engine.eventLoops(),
                new MirrorLimit(engine.eventLoops().size(), memory.bytesMax() / MIRROR_PART),
                worker);
        this.listeners = new Listeners(
                engine,
                server -> new ServerDispatch(services, active, server, refusedByServers),
                settings.drainMillis(),
                settings.listenHost(),
                files,
                disk);
        this.discoveries =
                new Discoveries(key -> new NodeEndpoint(key, engine.connector(), engine.eventLoops()), addresses);
        this.health = new HealthMonitor(counted(engine.prober()), new NodeChangeLog(metrics));
        this.applier = SnapshotApplier.of(
                engine.connector(),
                engine.eventLoops(),
                metrics,
                FilterServices.of(engine.eventLoops(), worker, addresses, files, disk),
                active,
                new SnapshotApplier.Preparation() {
                    @Override
                    public Future<SnapshotApplier.Prepared> prepare(RuntimeSnapshot next) {
                        return Gateway.this.prepare(next, listeners::prepare);
                    }

                    @Override
                    public Future<SnapshotApplier.Prepared> prepareInPart(RuntimeSnapshot next) {
                        return Gateway.this.prepare(next, listeners::prepareInPart);
                    }

                    @Override
                    public void judge(RuntimeSnapshot next) {
                        TargetCheck.check(
                                next.source().state(), active.current().source().state(), addresses);
                    }

                    @Override
                    public void check(RuntimeSnapshot next, boolean unnamed) {
                        checkDiscoveries(next, unnamed);
                        listeners.check(next);
                    }
                });
        files.onChange(() -> applier.betweenSnapshots(listeners::followFiles));
        metrics.gauge(
                "sigma.files.stale",
                "Files of the configuration whose content cannot be used. Their earlier content stays in use.",
                files::stale);
        this.saver = new SnapshotSaver(new SnapshotStore(settings.dataDir()));
        LongAdder refused = metrics.counter("sigma.config.refused", "Snapshots that the gateway refused.");
        this.target = new Target(applier, settings.configFile() == null ? saver : null, refused);
        metrics.gauge(
                "sigma.config.revision",
                "The revision that is served completely; 0 for none.",
                () -> applier.current().revision());
        metrics.gauge(
                "sigma.listeners.missing",
                "Proxy servers that are configured and do not listen.",
                () -> listeners.missing().size());
    }

    /**
     * Starts a gateway that serves the file which the settings name, or what the last good snapshot on disk says and
     * {@link #snapshotTarget()} is given.
     *
     * @param vertx is not closed by the gateway
     * @return completes when the gateway serves what it has; fails when it cannot start, with
     *     {@link SnapshotRefused} when the file is not right
     */
    public static Future<Gateway> start(Vertx vertx, GatewaySettings settings) {
        return start(vertx, settings, null);
    }

    /**
     * Starts a gateway that serves the last good snapshot on disk as soon as it is compiled, and then follows a control
     * plane.
     *
     * @param vertx is not closed by the gateway
     * @param link is opened and closed by the gateway; null for none
     * @return completes when the gateway serves what it has; fails when it cannot start
     */
    public static Future<Gateway> start(Vertx vertx, GatewaySettings settings, @Nullable ControlLink link) {
        return start(vertx, settings, link, SocketBudget.ofProcess());
    }

    static Future<Gateway> start(
            Vertx vertx, GatewaySettings settings, @Nullable ControlLink link, SocketBudget sockets) {
        Gateway gateway;
        try {
            gateway = new Gateway(vertx, settings, sockets, link);
        } catch (RuntimeException e) {
            return Future.failedFuture(e);
        }
        return TelemetryServer.open(
                        vertx, settings.telemetryHost(), settings.telemetryPort(), gateway.metrics, gateway.readiness())
                .compose(telemetry -> {
                    gateway.telemetry = telemetry;
                    return gateway.makeFolders(vertx);
                })
                .compose(ignored -> {
                    return settings.configFile() != null
                            ? gateway.load(settings.configFile())
                            : gateway.restore(new SnapshotStore(settings.dataDir()));
                })
                .compose(ignored -> link == null ? Future.succeededFuture() : gateway.follow(settings, link))
                .map(ignored -> {
                    gateway.completing = vertx.setPeriodic(COMPLETE_MILLIS, timer -> gateway.applier.completeWhole());
                    gateway.settling = vertx.setTimer(WARM_UP_MILLIS, timer -> gateway.settle(link));
                    return gateway;
                })
                .recover(cause -> gateway.close().transform(ignored -> Future.failedFuture(cause)));
    }

    /** Lets what was in a hurry until the gateway served, and until its code was compiled, give way to the traffic. */
    private void settle(@Nullable ControlLink link) {
        Scheduling.othersForBackground();
        applier.settle();
        Vertx own = link == null ? null : link.ownVertx();
        if (own != null) {
            own.runOnContext(nothing -> Scheduling.forLittle());
        }
    }

    /** Where nothing but routes changed there is nothing to look at. */
    private void checkDiscoveries(RuntimeSnapshot next, boolean unnamed) {
        if (!next.hasUpstreamsOf(watched)) {
            discoveries.check(next.clusters(), unnamed ? next.source().state().upstreams() : Map.of());
        }
    }

    private Future<SnapshotApplier.Prepared> prepare(
            RuntimeSnapshot next, Function<RuntimeSnapshot, Future<Listeners.Prepared>> opened) {
        // Composed, so that what is thrown on the way ends the discoveries that have begun as well.
        return Future.<Void>succeededFuture()
                .compose(begun -> {
                    discoveries.prepare(next.hasUpstreamsOf(watched) ? List.of() : next.clusters(), DISCOVERY_MILLIS);
                    return opened.apply(next);
                })
                .<SnapshotApplier.Prepared>map(prepared -> new SnapshotApplier.Prepared() {
                    @Override
                    public void keep() {
                        prepared.keep();
                        watch(next);
                    }

                    @Override
                    public void undo() {
                        // Its discoveries end with the next preparation, which may have begun.
                        prepared.undo();
                    }
                })
                .onFailure(refused -> discoveries.discard());
    }

    private HealthProber counted(HealthProber prober) {
        return (endpoint, check, done) -> prober.probe(endpoint, check, failure -> {
            metrics.checked(endpoint.key().upstreamId(), failure == null);
            done.accept(failure);
        });
    }

    private void watch(RuntimeSnapshot snapshot) {
        if (snapshot.hasUpstreamsOf(watched)) {
            return;
        }
        List<UpstreamCluster> clusters = snapshot.clusters();
        discoveries.keep(clusters);
        health.watch(clusters);
        for (UpstreamCluster cluster : clusters) {
            String id = cluster.id();
            metrics.nodes(id, new WatchedUpstream(health, id));
        }
        watched = snapshot;
    }

    /** A gateway starts whatever its disk says; what is missing is missed where it is named. */
    private Future<Void> makeFolders(Vertx on) {
        return on.<Void>executeBlocking(() -> {
                    disk.makeFolders();
                    return null;
                })
                .recover(cause -> {
                    LOG.warn("The folders for files and logs cannot be made: {}", cause.toString());
                    return Future.succeededFuture();
                });
    }

    private Future<Void> load(Path path) {
        ConfigFile file = new ConfigFile(path, target);
        configFile = file;
        return file.open();
    }

    private Future<Void> follow(GatewaySettings settings, ControlLink link) {
        metrics.gauge(
                "sigma.gateway.certificate.expires.timestamp.seconds",
                "Expiry of the certificate for control planes, in seconds since 1970; 0 without one.",
                link::certificateEndSeconds);
        return vertx.executeBlocking(() -> new GatewayIdentity(
                        OwnIdentity.id(settings), OwnIdentity.host(), Version.text(), Instant.now()))
                .compose(identity -> {
                    Vertx own = link.ownVertx();
                    Executor loop = own == null ? engine.spareLoop() : task -> own.runOnContext(nothing -> task.run());
                    Promise<Void> started = Promise.promise();
                    loop.execute(() -> {
                        snapshotClient = SnapshotClient.start(
                                own == null ? vertx : own,
                                link,
                                target,
                                identity,
                                new HealthReports(health),
                                new RouteTester(active, applier.trials(), worker, SniKeys::presented, disk),
                                new TrafficSpans(metrics, identity.id(), settings.trafficTopMax())::next);
                        started.complete();
                    });
                    return started.future();
                });
    }

    private Future<Void> restore(SnapshotStore store) {
        return vertx.executeBlocking(store::load).compose(snapshot -> {
            if (snapshot == null) {
                return Future.succeededFuture();
            }
            LOG.info("Starting with revision {} from disk", snapshot.revision());
            // What cannot be served any more must not keep the gateway from starting.
            return applier.restore(snapshot).otherwiseEmpty();
        });
    }

    /**
     * @param saver null when snapshots come from a file, which is on disk already
     */
    private record Target(SnapshotApplier applier, @Nullable SnapshotSaver saver, LongAdder refused)
            implements SnapshotTarget {

        @Override
        public Future<Void> apply(Snapshot snapshot) {
            // A file whose listeners cannot all be opened is refused: whoever starts the gateway with it reads the
            // error.
            Future<Void> applied = saver == null ? applier.apply(snapshot) : applier.applyAtLeastInPart(snapshot);
            return applied.onFailure(ignored -> refused.increment()).onComplete(ignored -> {
                if (saver != null && applier.serves(snapshot)) {
                    saver.save(snapshot);
                }
            });
        }

        @Override
        public Future<Snapshot> assemble(boolean large, Callable<Snapshot> work) {
            return applier.assemble(large, work);
        }

        @Override
        public Future<Void> prepare(Snapshot candidate) {
            return applier.prepare(candidate);
        }

        @Override
        public void discard() {
            applier.discard();
        }

        @Override
        public Snapshot current() {
            return applier.current();
        }
    }

    /** Returns where snapshots are delivered. */
    public SnapshotTarget snapshotTarget() {
        return target;
    }

    /** Returns the port of metrics and health. */
    public int telemetryPort() {
        TelemetryServer open = telemetry;
        return open == null ? 0 : open.port();
    }

    /** Returns why proxy servers that are configured are not open, by their ids; empty when all are. */
    public SortedMap<String, SnapshotRefused> missingListeners() {
        return listeners.missing();
    }

    private Readiness readiness() {
        return new Readiness() {
            @Override
            public boolean isReady() {
                return Gateway.this.isReady();
            }

            @Override
            public int staleFiles() {
                return files.stale();
            }

            @Override
            public int missingListeners() {
                return listeners.missing().size();
            }
        };
    }

    /** Returns whether a snapshot is served, as a whole or in part, and will be. */
    public boolean isReady() {
        return !stopping && serves();
    }

    private boolean serves() {
        return active.current().source().revision() > 0;
    }

    /**
     * Says that it is not ready, goes on for as long as the settings say so that this is seen, lets running exchanges
     * finish for the time that the settings give them, and closes everything.
     */
    public Future<Void> close() {
        if (stopping || !serves() || stopDelayMillis == 0) {
            stopping = true;
            return closeNow();
        }
        stopping = true;
        LOG.info("Stops accepting in {} ms; not ready any more", stopDelayMillis);
        Promise<Void> seen = Promise.promise();
        vertx.setTimer(stopDelayMillis, timer -> seen.complete());
        return seen.future().compose(ignored -> closeNow());
    }

    private Future<Void> closeNow() {
        vertx.cancelTimer(settling);
        vertx.cancelTimer(completing);
        ConfigFile file = configFile;
        if (file != null) {
            file.close();
        }
        TelemetryServer open = telemetry;
        SnapshotClient client = snapshotClient;
        return (client == null ? Future.<Void>succeededFuture() : client.close())
                .transform(ignored -> {
                    applier.close();
                    health.close();
                    discoveries.close();
                    files.close();
                    return listeners.close();
                })
                .transform(ignored -> open == null ? Future.<Void>succeededFuture() : open.close())
                .transform(ignored -> vertx.executeBlocking(() -> {
                    engine.close();
                    applier.closeFilters();
                    saver.close();
                    accessLog.close();
                    worker.close();
                    return null;
                }));
    }
}
