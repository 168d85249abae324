package io.sigma.dataplane;

import io.sigma.dataplane.engine.Engine;
import io.sigma.dataplane.engine.vertx.VertxEngine;
import io.sigma.dataplane.exchange.ErrorResponder;
import io.sigma.dataplane.listener.Listeners;
import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.dataplane.snapshot.ActiveSnapshot;
import io.sigma.dataplane.snapshot.SnapshotApplier;
import io.sigma.dataplane.snapshot.SnapshotSaver;
import io.sigma.dataplane.snapshot.SnapshotStore;
import io.sigma.dataplane.snapshot.SnapshotTarget;
import io.sigma.dataplane.telemetry.AccessLog;
import io.sigma.dataplane.telemetry.GatewayMetrics;
import io.sigma.dataplane.telemetry.TelemetryServer;
import io.sigma.snapshot.Snapshot;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running gateway. Thread-safe. */
public final class Gateway {

    private static final Logger LOG = LoggerFactory.getLogger(Gateway.class);

    private final Vertx vertx;
    private final Engine engine;
    private final AccessLog accessLog;
    private final ExecutorService worker;
    private final Listeners listeners;
    private final SnapshotApplier applier;
    private final SnapshotSaver saver;
    private final ActiveSnapshot active = new ActiveSnapshot();
    private final GatewayMetrics metrics;
    private final SnapshotTarget target;
    private volatile @Nullable TelemetryServer telemetry;

    private Gateway(Vertx vertx, GatewaySettings settings) {
        this.vertx = vertx;
        int loops = settings.eventLoops() > 0
                ? settings.eventLoops()
                : Runtime.getRuntime().availableProcessors();
        this.metrics = new GatewayMetrics(settings.metricSeriesMax());
        this.engine = new VertxEngine(vertx, loops);
        this.worker = Executors.newVirtualThreadPerTaskExecutor();
        LongAdder shed =
                metrics.counter("sigma.access.log.shed", "Lines of the access log for which there was no room.");
        this.accessLog =
                new AccessLog(settings.accessLog(), engine.eventLoops().size(), settings.accessLogQueueMax(), shed);
        ExchangeServices services =
                new ExchangeServices(engine, new ErrorResponder(), accessLog, engine.eventLoops(), worker);
        this.listeners =
                new Listeners(engine, server -> new ServerDispatch(services, active, server), settings.drainMillis());
        this.applier = SnapshotApplier.of(
                engine.connector(),
                engine.eventLoops(),
                metrics,
                active,
                next -> listeners.prepare(next).map(prepared -> prepared::keep));
        this.saver = new SnapshotSaver(new SnapshotStore(settings.dataDir()));
        LongAdder refused = metrics.counter("sigma.config.refused", "Snapshots that could not be served.");
        this.target = new Target(applier, saver, refused);
        metrics.gauge(
                "sigma.config.revision",
                "The revision that is served; 0 when none is.",
                () -> active.current().source().revision());
    }

    /**
     * Starts a gateway: the last good snapshot on disk is served as soon as it is compiled, then whatever the settings name
     * as source of newer ones.
     *
     * @param vertx is not closed by the gateway
     * @return completes when the gateway serves what it has; fails when it cannot start
     */
    public static Future<Gateway> start(Vertx vertx, GatewaySettings settings) {
        Gateway gateway;
        try {
            gateway = new Gateway(vertx, settings);
        } catch (RuntimeException e) {
            return Future.failedFuture(e);
        }
        return TelemetryServer.open(
                        vertx, settings.telemetryHost(), settings.telemetryPort(), gateway.metrics, gateway::isReady)
                .compose(telemetry -> {
                    gateway.telemetry = telemetry;
                    return gateway.restore(vertx, new SnapshotStore(settings.dataDir()));
                })
                .map(ignored -> gateway)
                .recover(cause -> gateway.close().transform(ignored -> Future.failedFuture(cause)));
    }

    private Future<Void> restore(Vertx vertx, SnapshotStore store) {
        return vertx.executeBlocking(store::load).compose(snapshot -> {
            if (snapshot == null) {
                return Future.succeededFuture();
            }
            LOG.info("Starting with revision {} from disk", snapshot.revision());
            // What cannot be served any more, such as a port taken meanwhile, must not keep the gateway from starting.
            return applier.apply(snapshot).otherwiseEmpty();
        });
    }

    private record Target(SnapshotApplier applier, SnapshotSaver saver, LongAdder refused) implements SnapshotTarget {

        @Override
        public Future<Void> apply(Snapshot snapshot) {
            return applier.apply(snapshot)
                    .onSuccess(ignored -> saver.save(snapshot))
                    .onFailure(ignored -> refused.increment());
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

    /** Returns whether a snapshot is served. */
    public boolean isReady() {
        return active.current().source().revision() > 0;
    }

    /** Lets running exchanges finish, for the time that the settings give them, and closes everything. */
    public Future<Void> close() {
        applier.close();
        TelemetryServer open = telemetry;
        return listeners
                .close()
                .transform(ignored -> open == null ? Future.<Void>succeededFuture() : open.close())
                .transform(ignored -> vertx.executeBlocking(() -> {
                    engine.close();
                    saver.close();
                    accessLog.close();
                    worker.close();
                    return null;
                }));
    }
}
