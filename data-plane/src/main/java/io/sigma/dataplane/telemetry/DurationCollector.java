package io.sigma.dataplane.telemetry;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Shows Prometheus the durations of requests as a timer of Micrometer would: a histogram, and the longest one lately.
 * Micrometer has no histogram that loops fill on their own. Thread-safe.
 */
final class DurationCollector implements MultiCollector {

    private static final String NAME = "sigma_request_duration_seconds";
    private static final String HELP = "From the head of the request to the end of the response.";
    private static final double SECOND_NANOS = 1e9;

    private final long[] bounds;
    private final int loops;
    private final LongSupplier nanoTime;
    private final Map<String, LoopDurations[]> servers = new ConcurrentHashMap<>();

    /**
     * @param bounds of the buckets, in nanoseconds
     * @param nanoTime as {@link System#nanoTime()}
     */
    DurationCollector(long[] bounds, int loops, LongSupplier nanoTime) {
        this.bounds = bounds;
        this.loops = loops;
        this.nanoTime = nanoTime;
    }

    /** Returns where the durations of a proxy server are noted, for each event loop; the same ones for the same id. */
    LoopDurations[] of(String proxyServer) {
        return servers.computeIfAbsent(proxyServer, id -> {
            LoopDurations[] each = new LoopDurations[loops];
            Arrays.setAll(each, loop -> new LoopDurations(bounds, nanoTime.getAsLong()));
            return each;
        });
    }

    /** Returns whether a duration was noted. */
    boolean isUsed(String proxyServer) {
        LoopDurations[] each = servers.get(proxyServer);
        if (each != null) {
            for (LoopDurations loop : each) {
                for (int bucket = 0; bucket <= bounds.length; bucket++) {
                    if (loop.count(bucket) > 0) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    /** Shows nothing of a proxy server any more. */
    void forget(String proxyServer) {
        servers.remove(proxyServer);
    }

    @Override
    public MetricSnapshots collect() {
        List<HistogramDataPointSnapshot> histograms = new ArrayList<>();
        List<GaugeDataPointSnapshot> longest = new ArrayList<>();
        servers.forEach((proxyServer, each) -> {
            Labels labels = Labels.of("proxy_server", proxyServer);
            histograms.add(HistogramDataPointSnapshot.builder()
                    .classicHistogramBuckets(buckets(each))
                    .sum(Arrays.stream(each).mapToLong(LoopDurations::sum).sum() / SECOND_NANOS)
                    .labels(labels)
                    .build());
            long now = nanoTime.getAsLong();
            longest.add(GaugeDataPointSnapshot.builder()
                    .value(Arrays.stream(each)
                                    .mapToLong(loop -> loop.max(now))
                                    .max()
                                    .orElse(0)
                            / SECOND_NANOS)
                    .labels(labels)
                    .build());
        });
        return histograms.isEmpty()
                ? new MetricSnapshots()
                : new MetricSnapshots(
                        new HistogramSnapshot(new MetricMetadata(NAME, HELP), histograms),
                        new GaugeSnapshot(new MetricMetadata(NAME + "_max", HELP), longest));
    }

    private ClassicHistogramBuckets buckets(LoopDurations[] each) {
        ClassicHistogramBuckets.Builder buckets = ClassicHistogramBuckets.builder();
        for (int i = 0; i <= bounds.length; i++) {
            int bucket = i;
            buckets.bucket(
                    i < bounds.length ? bounds[i] / SECOND_NANOS : Double.POSITIVE_INFINITY,
                    Arrays.stream(each).mapToLong(loop -> loop.count(bucket)).sum());
        }
        return buckets.build();
    }
}
