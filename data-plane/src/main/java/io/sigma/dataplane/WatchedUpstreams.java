package io.sigma.dataplane;

import io.sigma.dataplane.discovery.Discoveries;
import io.sigma.dataplane.engine.Engine;
import io.sigma.dataplane.snapshot.RuntimeSnapshot;
import io.sigma.dataplane.telemetry.GatewayMetrics;
import io.sigma.dataplane.upstream.NodeEndpoint;
import io.sigma.dataplane.upstream.UpstreamCluster;
import io.sigma.dataplane.upstream.health.HealthMonitor;
import io.sigma.dataplane.upstream.health.HealthProber;
import io.sigma.value.AddressGuard;
import java.util.List;
import java.util.Map;

/** Finds and checks the nodes of the upstreams of the snapshot that is served. To be used by one snapshot at a time. */
final class WatchedUpstreams {

    /**
     * The longest wait of a snapshot for discovered nodes, in milliseconds. After it, the snapshot is served without
     * them.
     */
    private static final long DISCOVERY_MILLIS = 3_000;

    private final GatewayMetrics metrics;
    private final HealthMonitor health;
    private final Discoveries discoveries;
    private RuntimeSnapshot watched = RuntimeSnapshot.none();

    WatchedUpstreams(Engine engine, AddressGuard addresses, GatewayMetrics metrics) {
        this.metrics = metrics;
        this.discoveries =
                new Discoveries(key -> new NodeEndpoint(key, engine.connector(), engine.eventLoops()), addresses);
        this.health = new HealthMonitor(counted(engine.prober()), new NodeChangeLog(metrics));
    }

    private HealthProber counted(HealthProber prober) {
        return (endpoint, check, done) -> prober.probe(endpoint, check, failure -> {
            metrics.checked(endpoint.key().upstreamId(), failure == null);
            done.accept(failure);
        });
    }

    HealthMonitor health() {
        return health;
    }

    Discoveries discoveries() {
        return discoveries;
    }

    /**
     * Looks whether the nodes of {@code next} could be discovered.
     *
     * @param unnamed whether those of upstreams that nothing names, too
     * @throws io.sigma.dataplane.snapshot.SnapshotRefused when they could not
     */
    void check(RuntimeSnapshot next, boolean unnamed) {
        // Where nothing but routes changed there is nothing to look at.
        if (!next.hasUpstreamsOf(watched)) {
            discoveries.check(next.clusters(), unnamed ? next.source().state().upstreams() : Map.of());
        }
    }

    /** Begins to discover the nodes of {@code next}, and waits for them. */
    void prepare(RuntimeSnapshot next) {
        discoveries.prepare(next.hasUpstreamsOf(watched) ? List.of() : next.clusters(), DISCOVERY_MILLIS);
    }

    /** Gives up what was prepared. */
    void discard() {
        discoveries.discard();
    }

    /** Watches the upstreams of a snapshot that is served now, and no others. */
    void keep(RuntimeSnapshot served) {
        if (served.hasUpstreamsOf(watched)) {
            return;
        }
        List<UpstreamCluster> clusters = served.clusters();
        discoveries.keep(clusters);
        health.watch(clusters);
        for (UpstreamCluster cluster : clusters) {
            String id = cluster.id();
            metrics.nodes(id, new WatchedUpstream(health, id));
        }
        watched = served;
    }

    void close() {
        health.close();
        discoveries.close();
    }
}
