package io.sigma.dataplane;

import io.sigma.dataplane.disk.GatewayDisk;
import io.sigma.dataplane.engine.relay.SpoolFiles;
import io.sigma.dataplane.engine.tls.SniKeys;
import io.sigma.dataplane.filter.FilterServices;
import io.sigma.dataplane.filter.header.SpanMemory;
import io.sigma.dataplane.flow.ErrorResponder;
import io.sigma.dataplane.flow.ExchangeServices;
import io.sigma.dataplane.flow.MirrorLimit;
import io.sigma.dataplane.flow.ServerDispatch;
import io.sigma.dataplane.link.ControlLink;
import io.sigma.dataplane.listener.Listeners;
import io.sigma.dataplane.loop.Scheduling;
import io.sigma.dataplane.settings.AccessLogSettings;
import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.dataplane.snapshot.ActiveSnapshot;
import io.sigma.dataplane.snapshot.SnapshotApplier;
import io.sigma.dataplane.snapshot.SnapshotRefused;
import io.sigma.dataplane.snapshot.SnapshotTarget;
import io.sigma.dataplane.snapshot.store.SnapshotSaver;
import io.sigma.dataplane.snapshot.store.SnapshotStore;
import io.sigma.dataplane.takeover.HandOver;
import io.sigma.dataplane.telemetry.AccessLog;
import io.sigma.dataplane.telemetry.GatewayMetrics;
import io.sigma.dataplane.telemetry.Readiness;
import io.sigma.dataplane.telemetry.TelemetryServer;
import io.sigma.dataplane.upstream.pool.SocketBudget;
import io.sigma.dataplane.watch.WatchedFiles;
import io.sigma.value.AddressGuard;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.SortedMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running gateway. Thread-safe. */
public final class Gateway {

    private static final Logger LOG = LoggerFactory.getLogger(Gateway.class);

    /** Interval in which it is tried to open what is lacking of the revision that is served. */
    private static final long COMPLETE_MILLIS = 5_000;

    /** The JVM's compiler has a full share of the processor meanwhile: full load is slow until it is done. */
    private static final long WARM_UP_MILLIS = 60_000;

    /** Copies of requests for mirrors may hold one of so many bytes of what is held for peers, beside it. */
    private static final int MIRROR_PART = 8;

    private final Vertx vertx;
    private final int stopDelayMillis;
    private final WatchedFiles files;
    private final GatewayEngine engine;
    private final AccessLog accessLog;
    private final ExecutorService worker;
    private final Listeners listeners;
    private final WatchedUpstreams upstreams;
    private final SnapshotApplier applier;
    private final SnapshotSaver saver;
    private final GatewayDisk disk;
    private final ActiveSnapshot active = new ActiveSnapshot();
    private final GatewayMetrics metrics;
    private final SnapshotTarget target;
    private final Following following;
    private final GatewayState learned;
    private final Succession succession;

    private volatile @Nullable TelemetryServer telemetry;
    private volatile long settling = -1;
    private volatile long completing = -1;
    private volatile boolean stopping;
    /** When the connections have ended after another process took over; null while none has. */
    private volatile @Nullable Future<Void> retired;

    private Gateway(Vertx vertx, GatewaySettings settings, SocketBudget sockets, @Nullable ControlLink link) {
        this.vertx = vertx;
        this.stopDelayMillis = settings.stop().stopDelayMillis();
        int loops = settings.engine().loops();
        this.disk = GatewayDisk.of(settings);
        this.metrics = new GatewayMetrics(settings.telemetry().metricSeriesMax(), loops);
        AddressGuard addresses = new AddressGuard(
                settings.destinations().upstreamAllow(),
                settings.destinations().upstreamDeny(),
                port -> port == telemetryPort() || (link != null && link.isControlPort(port)),
                metrics.counter(
                        "sigma.addresses.refused",
                        "Connections that were not made because their address is not allowed."));
        this.files = new WatchedFiles(
                disk,
                settings.files().filePollMillis(),
                metrics.counter("sigma.files.reread", "Changed files of the configuration that were loaded."));
        this.worker = Executors.newVirtualThreadPerTaskExecutor();
        PeerBudgets budgets = PeerBudgets.of(settings, sockets, metrics);
        SpoolFiles spools = new SpoolFiles(
                settings.dataDir().resolve("spool"),
                settings.memory().spoolBytesMax(),
                settings.memory().spoolResponseBytesMax(),
                SocketBudget.spoolsOfProcess(),
                worker);
        metrics.gauge("sigma.spool.bytes", "Bytes of responses that wait on the disk for clients.", spools::bytes);
        GatewayEngine gatewayEngine = new GatewayEngine(
                vertx,
                loops,
                settings.engine().tls(),
                id -> active.current().clientKey(id),
                path -> active.current().authorities(path),
                addresses,
                budgets.sockets(),
                budgets.memory(),
                spools);
        this.engine = gatewayEngine;
        AccessLogSettings logs = settings.accessLogs();
        this.accessLog =
                new AccessLog(logs.accessLog(), disk, engine.eventLoops().size(), logs.accessLogQueueMax(), metrics);
        ExchangeServices services = new ExchangeServices(
                engine,
                new ErrorResponder(),
                accessLog,
                engine.eventLoops(),
                new MirrorLimit(engine.eventLoops().size(), budgets.memory().bytesMax() / MIRROR_PART),
                worker,
                settings.stop().drainMillis());
        this.listeners = new Listeners(
                engine,
                server -> new ServerDispatch(services, active, server, budgets.refusedByServers()),
                settings.stop().drainMillis(),
                settings.listeners().listenHost(),
                files,
                disk);
        this.upstreams = new WatchedUpstreams(engine, addresses, metrics);
        this.applier = SnapshotApplier.of(
                engine.connector(),
                engine.eventLoops(),
                metrics,
                FilterServices.of(
                        engine.eventLoops(),
                        worker,
                        addresses,
                        files,
                        disk,
                        settings.listeners().passesSessions()),
                active,
                new GatewayPreparation(
                        upstreams, listeners, active, addresses, new GatewayWarmUp(settings, gatewayEngine, disk)));
        files.onChange(() -> applier.betweenSnapshots(listeners::followFiles));
        metrics.gauge(
                "sigma.files.stale",
                "Files of the configuration whose content cannot be used. Their earlier content stays in use.",
                files::stale);
        this.saver = new SnapshotSaver(new SnapshotStore(settings.dataDir()));
        metrics.gauge(
                "sigma.snapshot.unsaved",
                "1 while the disk does not take the revision that is served. A restart would serve an older one.",
                saver::unsaved);
        LongAdder refused = metrics.counter("sigma.config.refused", "Snapshots that the gateway refused.");
        this.target = new GatewayTarget(applier, settings.files().configFile() == null ? saver : null, refused);
        this.following = new Following(
                vertx,
                engine,
                metrics,
                target,
                upstreams.health(),
                new RouteTester(
                        active,
                        applier.trials(),
                        worker,
                        engine.eventLoops(),
                        SniKeys::presented,
                        disk,
                        services.tail()));
        this.learned = new GatewayState(upstreams, engine.destinations(), active, listeners);
        this.succession = new Succession(
                vertx, engine, applier, active, learned, settings.files().configFile(), settings.dataDir());
        metrics.gauge(
                "sigma.config.revision",
                "The revision that is served completely. 0 if there is none.",
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
        return start(vertx, settings, link, SocketBudget.ofProcess(), false);
    }

    /**
     * As above, in place of the process that serves with the same data directory, if there is one. That one goes on
     * unless this one accepts.
     *
     * @return fails when that process hands nothing over, or this one cannot serve what it serves
     */
    public static Future<Gateway> takeOver(Vertx vertx, GatewaySettings settings, @Nullable ControlLink link) {
        return start(vertx, settings, link, SocketBudget.ofProcess(), true);
    }

    static Future<Gateway> start(
            Vertx vertx,
            GatewaySettings settings,
            @Nullable ControlLink link,
            SocketBudget sockets,
            boolean takesOver) {
        Gateway gateway;
        try {
            gateway = new Gateway(vertx, settings, sockets, link);
        } catch (RuntimeException e) {
            return Future.failedFuture(e);
        }
        Succession succession = gateway.succession;
        Supplier<Future<Void>> telemetry = () -> gateway.openTelemetry(settings);
        return (takesOver ? succession.begin() : Future.<Void>succeededFuture())
                // In a take-over the other process answers for both, until this one is ready.
                .compose(ignored -> succession.isUnderWay() ? Future.succeededFuture() : telemetry.get())
                .compose(ignored -> gateway.makeFolders(vertx))
                .compose(ignored -> settings.files().configFile() != null
                        ? gateway.following.load(settings.files().configFile())
                        : gateway.restore(new SnapshotStore(settings.dataDir())))
                .compose(ignored -> succession.take(telemetry))
                .compose(ignored -> link == null ? Future.succeededFuture() : gateway.following.follow(settings, link))
                .map(ignored -> {
                    gateway.completing = vertx.setPeriodic(COMPLETE_MILLIS, timer -> gateway.applier.completeWhole());
                    gateway.settling = vertx.setTimer(WARM_UP_MILLIS, timer -> gateway.settle(link));
                    return gateway;
                })
                .recover(cause -> {
                    gateway.stopping = true;
                    succession.close();
                    return gateway.closeNow().transform(ignored -> Future.failedFuture(cause));
                });
    }

    private Future<Void> openTelemetry(GatewaySettings settings) {
        return TelemetryServer.open(
                        vertx,
                        engine.spareLoop(),
                        settings.telemetry().telemetryHost(),
                        settings.telemetry().telemetryPort(),
                        succession.isUnderWay(),
                        metrics,
                        readiness())
                .onSuccess(open -> telemetry = open)
                .mapEmpty();
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

    private Future<Void> restore(SnapshotStore store) {
        return vertx.executeBlocking(store::load).compose(snapshot -> {
            if (snapshot == null) {
                return Future.succeededFuture();
            }
            LOG.info("Starting with revision {} from disk", snapshot.revision());
            // The gateway must start even if it can no longer serve this snapshot.
            return applier.restore(snapshot).otherwiseEmpty();
        });
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
        return new Readiness(
                this::isReady, files::stale, () -> listeners.missing().size(), saver::unsaved);
    }

    /** Returns whether a snapshot is served, as a whole or in part, and will be. */
    public boolean isReady() {
        return !stopping && active.current().source().revision() > 0;
    }

    /**
     * Says that it is not ready, goes on for as long as the settings say so that this is seen, lets running exchanges
     * finish for the time that the settings give them, and closes everything.
     */
    public Future<Void> close() {
        if (!isReady() || stopDelayMillis == 0) {
            stopping = true;
            return closeNow();
        }
        stopping = true;
        LOG.info("This gateway stops accepting connections in {} ms, and is not ready any more", stopDelayMillis);
        Promise<Void> seen = Promise.promise();
        vertx.setTimer(stopDelayMillis, timer -> seen.complete());
        return seen.future().compose(ignored -> closeNow());
    }

    /** Returns what another process gets that takes the place of this one; {@link #close} is to be called then. */
    public HandOver handOver(GatewaySettings settings) {
        return new GatewayHandOver(
                engine, active, learned, () -> stopping, settings.files().configFile(), this::leave);
    }

    /** Leaves the sockets to another process: connections drain, and the configuration does not change any more. */
    private Future<Void> leave() {
        stopping = true;
        TelemetryServer open = telemetry;
        telemetry = null;
        return stopFollowing()
                .transform(ignored -> {
                    retired = listeners.retire();
                    return open == null ? Future.<Void>succeededFuture() : open.close();
                })
                .transform(ignored -> vertx.executeBlocking(() -> {
                    saver.close();
                    return null;
                }));
    }

    /** Leaves the control planes and the file: nothing changes any more. */
    private Future<Void> stopFollowing() {
        vertx.cancelTimer(settling);
        vertx.cancelTimer(completing);
        return following.close();
    }

    private Future<Void> closeNow() {
        Future<Void> leaving = retired;
        TelemetryServer open = telemetry;
        return stopFollowing()
                .transform(ignored -> {
                    applier.close();
                    upstreams.close();
                    files.close();
                    return leaving == null ? listeners.close() : leaving;
                })
                .transform(ignored -> open == null ? Future.<Void>succeededFuture() : open.close())
                .transform(ignored -> vertx.executeBlocking(() -> {
                    engine.close();
                    applier.closeFilters();
                    SpanMemory.ofProcess().awaitClosed();
                    saver.close();
                    accessLog.close();
                    worker.close();
                    return null;
                }));
    }
}
