package io.sigma.dataplane;

import io.sigma.dataplane.telemetry.UpstreamState;
import io.sigma.dataplane.upstream.HealthState;
import io.sigma.dataplane.upstream.NodeEndpoint;
import io.sigma.dataplane.upstream.health.HealthMonitor;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntSupplier;

/** An upstream as its metrics show it. Thread-safe. */
record WatchedUpstream(HealthMonitor monitor, String id) implements UpstreamState {

    @Override
    public int nodes() {
        return monitor.count(id)[0];
    }

    @Override
    public int usable() {
        return monitor.count(id)[1];
    }

    @Override
    public Map<String, IntSupplier> byState() {
        Map<String, IntSupplier> counts = new LinkedHashMap<>();
        for (HealthState state : HealthState.values()) {
            counts.put(state.name().toLowerCase(Locale.ROOT), () -> monitor.count(id, state));
        }
        return counts;
    }

    @Override
    public int inProgress() {
        return monitor.inProgress(id);
    }

    @Override
    public int tunnels() {
        return monitor.sum(id, NodeEndpoint::tunnels);
    }

    @Override
    public int waiting() {
        return monitor.sum(id, NodeEndpoint::queued);
    }

    @Override
    public int abandoned() {
        return monitor.sum(id, NodeEndpoint::abandonedNow);
    }

    @Override
    public int circuit() {
        return monitor.circuit(id);
    }

    @Override
    public long circuitOpenings() {
        return monitor.circuitOpenings(id);
    }
}
