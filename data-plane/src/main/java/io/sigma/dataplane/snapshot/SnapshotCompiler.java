package io.sigma.dataplane.snapshot;

import io.sigma.check.StateCheck;
import io.sigma.dataplane.filter.FilterServices;
import io.sigma.dataplane.filter.chain.FilterPool;
import io.sigma.dataplane.loop.Loop;
import io.sigma.dataplane.telemetry.GatewayMetrics;
import io.sigma.dataplane.upstream.Connector;
import io.sigma.model.FieldError;
import io.sigma.plugin.InvalidExtension;
import io.sigma.snapshot.ConfigState;
import io.sigma.snapshot.ShardedMap;
import io.sigma.snapshot.Snapshot;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns a snapshot into what runs. What is equal in the snapshot before is carried over as the same object. Where
 * nothing but routes changed, the cost is that of these and a walk along the routes on the same hosts, else that of
 * what changed plus one look at each resource. Blocks; any thread.
 */
final class SnapshotCompiler {

    private static final Logger LOG = LoggerFactory.getLogger(SnapshotCompiler.class);

    private final Connector connector;
    private final List<Loop> loops;
    private final GatewayMetrics metrics;
    private final FilterServices filterServices;

    SnapshotCompiler(Connector connector, List<Loop> loops, GatewayMetrics metrics, FilterServices filterServices) {
        this.connector = connector;
        this.loops = List.copyOf(loops);
        this.metrics = metrics;
        this.filterServices = filterServices;
    }

    /**
     * Returns the compiled snapshot. Each resource that is not disabled is compiled, whether or not another one names
     * it, so that naming it later fails no snapshot.
     *
     * @throws SnapshotRefused when it cannot be served, for whatever reason
     */
    RuntimeSnapshot compile(Snapshot snapshot, RuntimeSnapshot before) {
        return compile(snapshot, before, true);
    }

    /**
     * As {@link #compile(Snapshot, RuntimeSnapshot)}.
     *
     * @param unnamed whether resources are compiled as well that nothing names; not where the gateway has nothing else
     *     to serve
     */
    RuntimeSnapshot compile(Snapshot snapshot, RuntimeSnapshot before, boolean unnamed) {
        ConfigState state = snapshot.state();
        ConfigState good = before.source().state();
        List<FieldError> errors = good.size() == 0 ? StateCheck.check(state) : StateDiff.check(state, good);
        if (!errors.isEmpty()) {
            throw new SnapshotRefused(
                    errors.getFirst().pointer(),
                    errors.stream()
                            .map(error -> error.pointer() + ": " + error.detail())
                            .collect(Collectors.joining("; ")));
        }
        boolean routesOnly = RouteChange.isAll(state, before);
        FilterPool filters = routesOnly
                ? before.parts().filters().next()
                : new FilterPool(filterServices, before.parts().filters(), state.consumers());
        Compilation compilation = new Compilation(this, state, before.parts(), filters, routesOnly);
        try {
            RuntimeSnapshot compiled = routesOnly
                    ? compilation.changeRoutes(snapshot, before)
                    : compilation.run(snapshot, before, unnamed);
            filters.complete();
            return compiled;
        } catch (InvalidExtension e) {
            compilation.undo(before);
            throw new SnapshotRefused(e.pointer(), e.detail());
        } catch (SnapshotRefused e) {
            compilation.undo(before);
            throw e;
        } catch (Throwable e) {
            // Not RuntimeException alone: whatever ends a compilation is a refusal, else nobody would hear of it.
            compilation.undo(before);
            LOG.error("Revision {} could not be compiled", snapshot.revision(), e);
            throw SnapshotRefused.defect(compilation.at(), e);
        }
    }

    UpstreamCompiler upstreams(ConfigState state, RuntimeSnapshot.Parts before) {
        return new UpstreamCompiler(state, before, connector, loops, filterServices.files());
    }

    PassCompiler passes(RuntimeSnapshot.Parts before, UpstreamCompiler upstreams) {
        return new PassCompiler(before.passes(), upstreams, metrics, filterServices.disk());
    }

    boolean passesSessions() {
        return filterServices.passesSessions();
    }

    GatewayMetrics metrics() {
        return metrics;
    }

    /**
     * Looks at the paths that what changed names, also where nothing compiles it because it is not enabled.
     *
     * @throws SnapshotRefused when the settings of the gateway do not open one
     */
    void checkPaths(Snapshot snapshot, RuntimeSnapshot before) {
        ConfigState good = before.source().state();
        NamedPaths.check(snapshot.state(), good, filterServices.disk());
        NamedLogs.check(snapshot.state(), good, filterServices.disk());
    }

    /** Says in the log what {@link #checkPaths} would refuse: it is served without that. */
    void tellPaths(Snapshot snapshot, RuntimeSnapshot before) {
        NamedPaths.tell(snapshot.state(), before.source().state(), filterServices.disk());
    }

    /** Lets the metrics forget what only a snapshot has that was never served, and {@code served} has not. */
    void forget(RuntimeSnapshot unserved, RuntimeSnapshot served) {
        forgetRoutes(unserved, served);
        forget(
                unserved.parts().clusters().keySet(),
                unserved.source().state().proxyServers().keySet(),
                served);
    }

    /** Lets the metrics forget routes that {@code served} lacks: else later ones would find no room for series. */
    void forgetRoutes(RuntimeSnapshot gone, RuntimeSnapshot served) {
        ShardedMap.forEachChange(served.parts().routes(), gone.parts().routes(), (id, there, here) -> {
            if (there == null && here != null) {
                metrics.forget(String.valueOf(here.router().server().id()), id);
            }
        });
    }

    void forget(Set<RuntimeSnapshot.ClusterKey> clusters, Set<String> servers, RuntimeSnapshot served) {
        Set<String> upstreams = clusters.stream()
                .map(RuntimeSnapshot.ClusterKey::upstreamId)
                .collect(Collectors.toCollection(HashSet::new));
        served.parts().clusters().keySet().forEach(key -> upstreams.remove(key.upstreamId()));
        upstreams.forEach(metrics::forgetUpstream);
        servers.stream().filter(id -> served.server(id) == null).forEach(metrics::forgetServer);
    }
}
