package io.sigma.dataplane.snapshot;

import io.sigma.dataplane.telemetry.UpstreamMeters;
import io.sigma.dataplane.upstream.UpstreamCluster;

/** An upstream that a proxy pass forwards to. Compared by identity of its parts. Immutable. */
public record PassTarget(UpstreamCluster cluster, UpstreamMeters meters) {}
