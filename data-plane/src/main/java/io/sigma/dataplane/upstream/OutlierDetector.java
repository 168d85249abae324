package io.sigma.dataplane.upstream;

import io.sigma.model.OutlierDetection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Ejects the nodes of one upstream whose requests end badly. Failures in a row are noticed on the event loops as they
 * happen, shares and latencies by {@link #tick}. Thread-safe.
 */
public final class OutlierDetector {

    private static final long NANOS_PER_MILLI = 1_000_000;
    /** Ejections that another process may report. More make no ejection longer. */
    private static final int EJECTIONS_MAX = 1_000;

    private final OutlierDetection settings;

    // Guarded by this.
    private List<Member> members = List.of();
    private final Map<NodeEndpoint, Tracked> records = new HashMap<>();
    private long windowSince;

    /** The counts of one node. */
    private static final class Tracked {
        private long requests;
        private long failures;
        private long latencyNanos;
        private int ejections;
        private long ejectedUntil;
        private long returnedAt;

        // Of the window that is over.
        private long requestsNow;
        private long failuresNow;
        private long latencyNow;
    }

    OutlierDetector(OutlierDetection settings, List<Member> members, long now) {
        this.settings = settings;
        this.windowSince = now;
        members(members, now);
    }

    OutlierDetection settings() {
        return settings;
    }

    synchronized void members(List<Member> next, long now) {
        members = next.stream().filter(Member::takesRequests).toList();
        records.keySet().removeIf(known -> next.stream().noneMatch(member -> member.endpoint() == known));
        for (Member member : next) {
            records.computeIfAbsent(member.endpoint(), endpoint -> {
                Tracked fresh = new Tracked();
                snapshot(endpoint, fresh);
                if (endpoint.health().isEjected()) {
                    fresh.ejections = 1;
                    fresh.ejectedUntil = now + settings.ejectionMillis() * NANOS_PER_MILLI;
                }
                return fresh;
            });
        }
    }

    /** To be called on any event loop when a request has ended. */
    void ended(NodeEndpoint endpoint, Outcome outcome, long now) {
        if (outcome == Outcome.SUCCESS) {
            endpoint.health().succeeded();
        } else if (outcome.isFailure()) {
            int inARow = endpoint.health().failed();
            int max = settings.consecutiveFailures();
            if (max > 0 && inARow >= max) {
                eject(endpoint, inARow + " failures in a row, the last one: " + text(outcome), now);
            }
        }
    }

    private static String text(Outcome outcome) {
        return switch (outcome) {
            case ERROR_STATUS -> "a 5xx";
            case CONNECT_FAILED -> "no connection";
            case RESET -> "an aborted connection";
            case TIMEOUT -> "a timeout";
            default -> "none";
        };
    }

    /** Lets nodes return whose time is over, and judges the window when it is over. Called a few times a second. */
    public synchronized void tick(long now) {
        records.forEach((endpoint, record) -> {
            if (endpoint.health().isEjected() && now - record.ejectedUntil >= 0) {
                record.returnedAt = now;
                endpoint.health().ejected(false, "its ejection is over");
            } else if (record.ejections > 0
                    && !endpoint.health().isEjected()
                    && now - record.returnedAt > ejectionNanos(record.ejections)) {
                // It has behaved for as long as it was out: the next ejection is shorter again.
                record.ejections--;
                record.returnedAt = now;
            }
        });
        if (now - windowSince >= settings.windowMillis() * NANOS_PER_MILLI) {
            windowSince = now;
            judge(now);
        }
    }

    private void judge(long now) {
        records.forEach(OutlierDetector::snapshot);
        long successes = 0;
        long latency = 0;
        for (Member member : members) {
            Tracked record = records.get(member.endpoint());
            if (record != null) {
                successes += record.requestsNow - record.failuresNow;
                latency += record.latencyNow;
            }
        }
        for (Member member : members) {
            Tracked record = records.get(member.endpoint());
            if (record == null || record.requestsNow < settings.requestsMin()) {
                continue;
            }
            long share = record.failuresNow * 100 / record.requestsNow;
            long mine = record.requestsNow - record.failuresNow;
            if (settings.failurePercent() > 0 && share >= settings.failurePercent()) {
                eject(member.endpoint(), share + " % of " + record.requestsNow + " requests failed", now);
            } else if (settings.latencyFactor() > 0 && mine > 0 && successes > mine) {
                double others = (double) (latency - record.latencyNow) / (successes - mine);
                double own = (double) record.latencyNow / mine;
                if (own > others * settings.latencyFactor()) {
                    eject(
                            member.endpoint(),
                            "a mean latency of %.1f ms where the others have %.1f ms"
                                    .formatted(own / NANOS_PER_MILLI, others / NANOS_PER_MILLI),
                            now);
                }
            }
        }
    }

    private static void snapshot(NodeEndpoint endpoint, Tracked record) {
        long requests = endpoint.requests();
        long failures = endpoint.failures();
        long latency = endpoint.latencyNanos();
        record.requestsNow = requests - record.requests;
        record.failuresNow = failures - record.failures;
        record.latencyNow = latency - record.latencyNanos;
        record.requests = requests;
        record.failures = failures;
        record.latencyNanos = latency;
    }

    private synchronized void eject(NodeEndpoint endpoint, String reason, long now) {
        Tracked record = records.get(endpoint);
        if (record == null || endpoint.health().isEjected() || !mayEject()) {
            return;
        }
        record.ejections++;
        record.ejectedUntil = now + ejectionNanos(record.ejections);
        endpoint.health().ejected(true, reason + "; for " + ejectionNanos(record.ejections) / NANOS_PER_MILLI + " ms");
    }

    /**
     * Returns how often a node was ejected without having behaved since, and for how long it still is, in milliseconds:
     * two numbers, the second one 0 when it takes requests.
     */
    public synchronized long[] ejections(NodeEndpoint endpoint, long now) {
        Tracked record = records.get(endpoint);
        if (record == null) {
            return new long[] {0, 0};
        }
        long left = endpoint.health().isEjected() ? Math.max(1, (record.ejectedUntil - now) / NANOS_PER_MILLI) : 0;
        return new long[] {record.ejections, left};
    }

    /** Goes on from what {@link #ejections} of another process returned. */
    public synchronized void ejections(NodeEndpoint endpoint, long[] ejections, String reason, long now) {
        Tracked record = records.get(endpoint);
        if (record == null) {
            return;
        }
        record.ejections = Math.clamp(ejections[0], 0, EJECTIONS_MAX);
        record.returnedAt = now;
        if (ejections[1] > 0) {
            record.ejectedUntil = now + Math.min(ejections[1], settings.ejectionMillisMax()) * NANOS_PER_MILLI;
            endpoint.health().ejected(true, reason);
        }
    }

    private long ejectionNanos(int ejections) {
        long millis = Math.min((long) settings.ejectionMillis() * ejections, settings.ejectionMillisMax());
        return millis * NANOS_PER_MILLI;
    }

    private boolean mayEject() {
        long out = members.stream()
                .filter(member -> member.endpoint().health().isEjected())
                .count();
        boolean firstOfMany = out == 0 && members.size() > 1 && settings.ejectedPercentMax() > 0;
        return firstOfMany || (out + 1) * 100 <= (long) settings.ejectedPercentMax() * members.size();
    }

    /** Lets every node return, because nobody watches them any more. */
    synchronized void close() {
        records.keySet().forEach(endpoint -> endpoint.health().ejected(false, "its failures are no longer counted"));
    }
}
