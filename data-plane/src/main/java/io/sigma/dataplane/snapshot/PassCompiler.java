package io.sigma.dataplane.snapshot;

import io.sigma.dataplane.disk.GatewayDisk;
import io.sigma.dataplane.exchange.BodyBuffering;
import io.sigma.dataplane.filter.HeaderEditor;
import io.sigma.dataplane.filter.content.FileServer;
import io.sigma.dataplane.telemetry.GatewayMetrics;
import io.sigma.dataplane.upstream.UpstreamCluster;
import io.sigma.model.FixedResponse;
import io.sigma.model.Mirror;
import io.sigma.model.ProxyPass;
import io.sigma.model.SplitTarget;
import io.sigma.model.StaticFiles;
import io.sigma.value.LocationTemplate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Compiles the proxy passes of one snapshot; what did not change is carried over. Blocks; any thread, one at a time.
 */
final class PassCompiler {

    private final Map<String, RuntimePass> before;
    private final UpstreamCompiler upstreams;
    private final GatewayMetrics metrics;
    private final GatewayDisk disk;

    /**
     * @param before those of the snapshot before, by id
     */
    PassCompiler(
            Map<String, RuntimePass> before, UpstreamCompiler upstreams, GatewayMetrics metrics, GatewayDisk disk) {
        this.disk = disk;
        this.before = before;
        this.upstreams = upstreams;
        this.metrics = metrics;
    }

    /** Returns {@code source} compiled: the same object as before if neither it nor where it forwards to changed. */
    RuntimePass compile(String id, ProxyPass source) {
        TrafficSplit split = split(source);
        RuntimePass last = before.get(id);
        MirrorRule mirror = mirror(source);
        if (last != null && last.source().equals(source) && targetsOf(last).equals(targetsOf(split, mirror))) {
            return last;
        }
        HeaderEditor response = new HeaderEditor(source.responseHeaders());
        if (split != null) {
            return forwarding(source, response, split, mirror);
        }
        FixedResponse fixed = source.fixedResponse();
        if (fixed != null) {
            return new RuntimePass.Answering(source, response, fixed.status(), fixed.contentType(), fixed.body());
        }
        StaticFiles files = source.staticFiles();
        if (files != null) {
            var found = new io.sigma.dataplane.filter.content.StaticFiles(
                    disk.folder(files.rootPath()), files.index(), files.fallback());
            return new RuntimePass.Serving(
                    source,
                    response,
                    new FileServer(found, files.cacheControl(), response),
                    PathEdit.of(source.stripPrefix(), source.addPrefix()));
        }
        var redirect = Objects.requireNonNull(source.redirect());
        return new RuntimePass.Redirecting(
                source, response, redirect.status(), LocationTemplate.parse(redirect.location()));
    }

    private static RuntimePass forwarding(
            ProxyPass source, HeaderEditor response, TrafficSplit split, @Nullable MirrorRule mirror) {
        Integer total = source.timeouts().totalMillis();
        Long bodyBytesMax = source.requestBodyBytesMax();
        return new RuntimePass.ToUpstream(
                source,
                new HeaderEditor(source.requestHeaders()),
                response,
                split,
                mirror,
                PathEdit.of(source.stripPrefix(), source.addPrefix()),
                source.host(),
                bodyBytesMax == null ? Long.MAX_VALUE : bodyBytesMax,
                RetryRule.of(source.retry()),
                BodyBuffering.of(
                        source.buffering().requestBytes(), source.buffering().responseBytes()),
                source.preserveHost(),
                source.timeouts().connectMillis(),
                source.timeouts().responseMillis(),
                source.timeouts().idleMillis(),
                total == null ? Long.MAX_VALUE : total);
    }

    private static List<PassTarget> targetsOf(RuntimePass pass) {
        return pass instanceof RuntimePass.ToUpstream forwarding
                ? targetsOf(forwarding.split(), forwarding.mirror())
                : List.of();
    }

    private static List<PassTarget> targetsOf(@Nullable TrafficSplit split, @Nullable MirrorRule mirror) {
        List<PassTarget> all = new ArrayList<>(split == null ? List.of() : split.targets());
        if (mirror != null) {
            all.add(mirror.target());
        }
        return all;
    }

    private @Nullable MirrorRule mirror(ProxyPass source) {
        Mirror mirror = source.mirror();
        if (mirror == null) {
            return null;
        }
        UpstreamCluster cluster = upstreams.cluster(mirror.upstreamId(), source.httpsDegradeHttp());
        return new MirrorRule(new PassTarget(cluster, metrics.upstream(cluster.id())), mirror);
    }

    /** Returns where a proxy pass forwards to; null when it answers by itself. */
    private @Nullable TrafficSplit split(ProxyPass source) {
        if (source.upstreamId() != null) {
            return TrafficSplit.of(target(source, source.upstreamId()));
        }
        if (source.split() == null) {
            return null;
        }
        List<SplitTarget> targets = source.split().targets();
        return new TrafficSplit(
                targets.stream()
                        .map(target -> target(source, target.upstreamId()))
                        .toList(),
                targets.stream().mapToInt(SplitTarget::weight).toArray(),
                source.split().sticky());
    }

    private PassTarget target(ProxyPass source, String upstreamId) {
        UpstreamCluster cluster =
                upstreams.cluster(upstreamId, source.httpsDegradeHttp()).subset(source.subset());
        return new PassTarget(cluster, metrics.upstream(cluster.id()));
    }
}
