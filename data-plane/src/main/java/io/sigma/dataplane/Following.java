package io.sigma.dataplane;

import io.sigma.dataplane.configfile.ConfigFile;
import io.sigma.dataplane.link.ControlLink;
import io.sigma.dataplane.link.GatewayIdentity;
import io.sigma.dataplane.link.SnapshotClient;
import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.dataplane.settings.OwnIdentity;
import io.sigma.dataplane.snapshot.SnapshotTarget;
import io.sigma.dataplane.telemetry.GatewayMetrics;
import io.sigma.dataplane.telemetry.TrafficSpans;
import io.sigma.dataplane.upstream.health.HealthMonitor;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Where a gateway gets its configuration from: a file, or control planes. Thread-safe. */
final class Following {

    private final Vertx vertx;
    private final GatewayEngine engine;
    private final GatewayMetrics metrics;
    private final SnapshotTarget target;
    private final HealthMonitor health;
    private final RouteTester tester;

    private volatile @Nullable ConfigFile configFile;
    private volatile @Nullable SnapshotClient snapshotClient;

    /**
     * @param target gets what is configured
     * @param health is reported to control planes
     * @param tester answers the questions of control planes
     */
    Following(
            Vertx vertx,
            GatewayEngine engine,
            GatewayMetrics metrics,
            SnapshotTarget target,
            HealthMonitor health,
            RouteTester tester) {
        this.vertx = vertx;
        this.engine = engine;
        this.metrics = metrics;
        this.target = target;
        this.health = health;
        this.tester = tester;
    }

    /**
     * Serves a file, and follows its changes.
     *
     * @return fails when it cannot be served
     */
    Future<Void> load(Path path) {
        ConfigFile file = new ConfigFile(path, target);
        configFile = file;
        return file.open();
    }

    /** Follows control planes; completes when that has begun. */
    Future<Void> follow(GatewaySettings settings, ControlLink link) {
        metrics.gauge(
                "sigma.gateway.certificate.expires.timestamp.seconds",
                "Expiry of the certificate for control planes, in seconds since 1970. 0 without a certificate.",
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
                                tester,
                                new TrafficSpans(
                                        metrics,
                                        identity.id(),
                                        settings.telemetry().trafficTopMax())::next);
                        started.complete();
                    });
                    return started.future();
                });
    }

    /** Follows nothing any more; may be called again. */
    Future<Void> close() {
        ConfigFile file = configFile;
        configFile = null;
        if (file != null) {
            file.close();
        }
        SnapshotClient client = snapshotClient;
        snapshotClient = null;
        return client == null ? Future.succeededFuture() : client.close();
    }
}
