package io.sigma.dataplane.telemetry;

import io.sigma.snapshot.TrafficEntry;
import io.sigma.snapshot.TrafficEntry.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Cuts what is counted into spans of time. Confined to one caller at a time; off the loops that carry traffic. */
public final class TrafficSpans {

    private final GatewayMetrics metrics;
    private final String gatewayId;
    private final int listedMax;
    private final Map<TrafficMeter, TrafficSum> before = new HashMap<>();

    /**
     * @param listedMax how many routes, and upstreams, a span lists by themselves; the rest is one entry,
     *     {@link GatewayMetrics#OTHER}
     */
    public TrafficSpans(GatewayMetrics metrics, String gatewayId, int listedMax) {
        this.metrics = metrics;
        this.gatewayId = gatewayId;
        this.listedMax = listedMax;
    }

    /** Returns what came since the call before: routes and upstreams, the busiest first, and the whole gateway. */
    public List<TrafficEntry> next() {
        Map<String, TrafficSum> routes = since(metrics.routeTraffic());
        Map<String, TrafficSum> upstreams = since(metrics.upstreamTraffic());
        List<TrafficEntry> entries = new ArrayList<>();
        TrafficSum all = new TrafficSum();
        routes.values().forEach(all::add);
        if (!all.isNothing()) {
            entries.add(all.entry(Kind.GATEWAY, gatewayId));
        }
        list(Kind.ROUTE, routes, entries);
        list(Kind.UPSTREAM, upstreams, entries);
        return entries;
    }

    private Map<String, TrafficSum> since(Map<TrafficMeter, String> meters) {
        Map<String, TrafficSum> spans = new HashMap<>();
        meters.forEach((meter, id) -> {
            TrafficSum now = meter.sum();
            TrafficSum last = before.put(meter, now);
            TrafficSum span = last == null ? now : now.since(last);
            if (!span.isNothing()) {
                spans.computeIfAbsent(id, absent -> new TrafficSum()).add(span);
            }
        });
        return spans;
    }

    private void list(Kind kind, Map<String, TrafficSum> spans, List<TrafficEntry> entries) {
        TrafficSum rest = spans.getOrDefault(GatewayMetrics.OTHER, new TrafficSum());
        List<Map.Entry<String, TrafficSum>> busiest = spans.entrySet().stream()
                .filter(span -> !span.getKey().equals(GatewayMetrics.OTHER))
                .sorted(Comparator.comparingLong(span -> -span.getValue().requests()))
                .toList();
        for (int i = 0; i < busiest.size(); i++) {
            if (i < listedMax) {
                entries.add(busiest.get(i).getValue().entry(kind, busiest.get(i).getKey()));
            } else {
                rest.add(busiest.get(i).getValue());
            }
        }
        if (!rest.isNothing()) {
            entries.add(rest.entry(kind, GatewayMetrics.OTHER));
        }
    }
}
