package io.sigma.dataplane.upstream;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The load of one node, as measured by the requests of one event loop. Written on that loop only, without costly
 * fences; other loops may read a write slightly late.
 */
final class NodeLoad {

    /** After so long without a request half of what is known about latency is forgotten. */
    private static final double DECAY_NANOS = 10e9;

    private static final double SHORT = 1e-3;

    private static final VarHandle IN_FLIGHT;
    private static final VarHandle TUNNELS;
    private static final VarHandle REQUESTS;
    private static final VarHandle FAILURES;
    private static final VarHandle LATENCIES;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            IN_FLIGHT = lookup.findVarHandle(NodeLoad.class, "inFlight", int.class);
            TUNNELS = lookup.findVarHandle(NodeLoad.class, "tunnels", int.class);
            REQUESTS = lookup.findVarHandle(NodeLoad.class, "requests", long.class);
            FAILURES = lookup.findVarHandle(NodeLoad.class, "failures", long.class);
            LATENCIES = lookup.findVarHandle(NodeLoad.class, "latencyNanos", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private int inFlight;
    private int tunnels;
    private long requests;
    private long failures;
    private long latencyNanos;

    // Confined to the loop.
    private double peakNanos;
    private long peakAt;
    private long avoidedUntil;

    void begun() {
        IN_FLIGHT.setOpaque(this, inFlight + 1);
    }

    /**
     * @param nanos from the assignment to the head of the response, or to the failure
     */
    void ended(Outcome outcome, long nanos, long now) {
        IN_FLIGHT.setOpaque(this, inFlight - 1);
        if (outcome == Outcome.CANCELLED) {
            return;
        }
        REQUESTS.setOpaque(this, requests + 1);
        if (outcome.isFailure()) {
            FAILURES.setOpaque(this, failures + 1);
        } else {
            LATENCIES.setOpaque(this, latencyNanos + nanos);
        }
        if (outcome == Outcome.CONNECT_FAILED) {
            avoidedUntil = now + LoopTier.AVOID_NANOS;
        } else {
            observe(nanos, now);
        }
    }

    /** Peak-sensitive moving average as in Finagle: a slower response counts at once, faster ones over time. */
    private void observe(long nanos, long now) {
        double weight = decay(now);
        peakNanos = nanos > peakNanos ? nanos : peakNanos * weight + nanos * (1 - weight);
        peakAt = now;
    }

    /**
     * Returns what is left of what was known; for short times the beginning of the series is exact enough, and cheap.
     */
    private double decay(long now) {
        double elapsed = Math.max(0, now - peakAt) / DECAY_NANOS;
        return elapsed < SHORT ? 1 - elapsed : Math.exp(-elapsed);
    }

    /** Returns the expected latency; 0 while nothing is known. To be called on the loop. */
    double peakNanos(long now) {
        return peakNanos * decay(now);
    }

    /** Returns whether the node could not be reached a moment ago. To be called on the loop. */
    boolean isAvoided(long now) {
        if (avoidedUntil == 0) {
            return false;
        }
        if (avoidedUntil - now > 0) {
            return true;
        }
        avoidedUntil = 0;
        return false;
    }

    /** Notes that one of the requests lasts as long as its client wants, or that it is over. */
    void tunnels(int more) {
        TUNNELS.setOpaque(this, tunnels + more);
    }

    /** Returns how many of the requests last as long as their clients want. */
    int tunnels() {
        return (int) TUNNELS.getOpaque(this);
    }

    int inFlight() {
        return (int) IN_FLIGHT.getOpaque(this);
    }

    /** Returns how many requests ended in success or failure, ever. */
    long requests() {
        return (long) REQUESTS.getOpaque(this);
    }

    long failures() {
        return (long) FAILURES.getOpaque(this);
    }

    /** Returns the sum of the latencies of successes. */
    long latencyNanos() {
        return (long) LATENCIES.getOpaque(this);
    }
}
