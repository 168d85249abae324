package io.sigma.dataplane.snapshot;

import io.sigma.dataplane.filter.FilterServices;
import io.sigma.dataplane.loop.Loop;
import io.sigma.dataplane.telemetry.GatewayMetrics;
import io.sigma.dataplane.upstream.Connector;
import io.sigma.dataplane.upstream.UpstreamCluster;
import io.sigma.snapshot.ConfigState;
import io.sigma.snapshot.Snapshot;
import java.util.List;

/** A snapshot that nobody configured, served beside the one of the gateway and never in its place. */
public final class MadeUpSnapshot implements AutoCloseable {

    private final ActiveSnapshot active = new ActiveSnapshot();
    private final RuntimeSnapshot served;

    /**
     * Compiles {@code state} and serves it. Blocks.
     *
     * @param metrics that nobody reads
     * @throws SnapshotRefused when it cannot be compiled
     */
    public MadeUpSnapshot(
            ConfigState state, Connector connector, List<Loop> loops, GatewayMetrics metrics, FilterServices filters) {
        served = new SnapshotCompiler(connector, loops, metrics, filters)
                .compile(Snapshot.of(1, state), RuntimeSnapshot.none());
        served.parts().filters().serve();
        served.clusters().forEach(UpstreamCluster::serve);
        active.swap(served);
    }

    /** Returns where exchanges find it. */
    public ActiveSnapshot active() {
        return active;
    }

    /** Returns what is served. */
    public RuntimeSnapshot served() {
        return served;
    }

    /** Closes connections to nodes, and filters; to be called when the exchanges are over. */
    @Override
    public void close() {
        served.release(RuntimeSnapshot.none());
    }
}
