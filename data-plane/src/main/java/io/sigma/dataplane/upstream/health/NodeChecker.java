package io.sigma.dataplane.upstream.health;

import io.sigma.dataplane.upstream.HealthState;
import io.sigma.dataplane.upstream.NodeEndpoint;
import io.sigma.model.HealthCheck;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks one node again and again, one check at a time. Confined to the thread of {@code timer}, but for stopping. */
final class NodeChecker implements ProbeQueue.Check {

    private static final Logger LOG = LoggerFactory.getLogger(NodeChecker.class);

    private final NodeEndpoint endpoint;
    private final HealthCheck check;
    private final HealthProber prober;
    private final ProbeQueue queue;
    private final ScheduledExecutorService timer;
    private final RandomGenerator random;
    private volatile boolean stopped;

    private HealthState state = HealthState.UNKNOWN;
    private int passed;
    private int failed;

    NodeChecker(
            NodeEndpoint endpoint,
            HealthCheck check,
            HealthProber prober,
            ProbeQueue queue,
            ScheduledExecutorService timer,
            RandomGenerator random) {
        this.endpoint = endpoint;
        this.check = check;
        this.prober = prober;
        this.queue = queue;
        this.timer = timer;
        this.random = random;
    }

    HealthCheck check() {
        return check;
    }

    /** Begins after the jitter. */
    void start() {
        schedule(0);
    }

    void stop() {
        stopped = true;
    }

    /**
     * Goes on from what the checks of another process said, unless a check has said something already. From any thread.
     */
    void know(HealthState says) {
        Runnable task = () -> {
            if (state == HealthState.UNKNOWN) {
                state = says;
            }
        };
        later(task, 0);
    }

    private void schedule(long millis) {
        long jitter = random.nextLong(check.intervalMillis() * (long) check.jitterPercent() / 100 + 1);
        later(this::probe, millis + jitter);
    }

    private void later(Runnable task, long millis) {
        try {
            timer.schedule(task, millis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            stopped = true;
        }
    }

    private void probe() {
        if (!stopped) {
            queue.enter(this);
        }
    }

    @Override
    public String upstreamId() {
        return endpoint.key().upstreamId();
    }

    @Override
    public boolean isStopped() {
        return stopped;
    }

    @Override
    public void begin() {
        try {
            prober.probe(endpoint, check, failure -> later(() -> probed(failure), 0));
        } catch (RuntimeException | Error e) {
            LOG.error("{} could not be checked; the gateway tries again", endpoint.name(), e);
            later(this::again, 0);
        }
    }

    private void again() {
        queue.leave(upstreamId());
        schedule(check.intervalMillis());
    }

    private void probed(@Nullable String failure) {
        if (stopped) {
            queue.leave(upstreamId());
            return;
        }
        try {
            judge(failure);
        } catch (RuntimeException | Error e) {
            // Whatever it was: a node that is not checked any more would stay as it is for ever.
            LOG.error("The result of the check of {} could not be reported", endpoint.name(), e);
        }
        again();
    }

    private void judge(@Nullable String failure) {
        passed = failure == null ? passed + 1 : 0;
        failed = failure == null ? 0 : failed + 1;
        boolean first = state == HealthState.UNKNOWN;
        if (failure == null && state != HealthState.HEALTHY && (first || passed >= check.rise())) {
            state = HealthState.HEALTHY;
            endpoint.health()
                    .checked(state, first ? "passed its first check" : "passed " + passed + " checks in a row");
        } else if (failure != null && state != HealthState.UNHEALTHY && (first || failed >= check.fall())) {
            state = HealthState.UNHEALTHY;
            endpoint.health()
                    .checked(
                            state,
                            (first ? "failed its first check: " : "failed " + failed + " checks in a row: ") + failure);
        }
    }
}
