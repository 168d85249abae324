package io.sigma.dataplane.upstream;

import io.sigma.model.CircuitBreaker;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps requests from an upstream that fails. Every event loop counts into a window of its own; they are summed up when
 * a request fails. Thread-safe.
 */
public final class Circuit {

    private static final Logger LOG = LoggerFactory.getLogger(Circuit.class);
    private static final long NANOS_PER_MILLI = 1_000_000;

    // The slots of a loop's window: it consists of two halves, so that it slides a bit.
    private static final int SINCE = 0;
    private static final int REQUESTS = 1;
    private static final int FAILURES = 2;
    private static final int REQUESTS_BEFORE = 3;
    private static final int FAILURES_BEFORE = 4;
    private static final int SLOTS = 5;

    /** The state of the circuit. */
    enum State {
        CLOSED,
        OPEN,
        HALF_OPEN
    }

    /**
     * @param until when OPEN ends, or another round of probes begins
     */
    private record Phase(State state, long since, long until, AtomicInteger admitted, AtomicInteger succeeded) {

        static Phase of(State state, long since, long until) {
            return new Phase(state, since, until, new AtomicInteger(), new AtomicInteger());
        }
    }

    private final String upstream;
    private final CircuitBreaker settings;
    private volatile Consumer<String> onChange;
    private final AtomicLongArray[] windows;
    private final AtomicReference<Phase> phase;
    private final long halfNanos;
    private final LongAdder openings = new LongAdder();

    /**
     * @param onChange hears, in words, of each change; on an event loop, so it must not block
     */
    Circuit(String upstream, CircuitBreaker settings, int loops, long now, Consumer<String> onChange) {
        this.onChange = onChange;
        this.upstream = upstream;
        this.settings = settings;
        this.halfNanos = settings.windowMillis() * NANOS_PER_MILLI / 2;
        this.windows = new AtomicLongArray[loops];
        for (int i = 0; i < loops; i++) {
            windows[i] = new AtomicLongArray(SLOTS);
            windows[i].set(SINCE, now);
        }
        this.phase = new AtomicReference<>(Phase.of(State.CLOSED, now, now));
    }

    /** From now on {@code listener} alone is notified of changes, as in the constructor. */
    void tell(Consumer<String> listener) {
        onChange = listener;
    }

    CircuitBreaker settings() {
        return settings;
    }

    State state() {
        return current().state();
    }

    /** Returns 0 for closed, 1 for half open, 2 for open. */
    public int level() {
        return switch (state()) {
            case CLOSED -> 0;
            case HALF_OPEN -> 1;
            case OPEN -> 2;
        };
    }

    /** Returns how often it opened. */
    public long openings() {
        return openings.sum();
    }

    private Phase current() {
        return Objects.requireNonNull(phase.get());
    }

    /** Returns whether a request may go on. */
    boolean admit(long now) {
        Phase current = current();
        if (current.state() == State.CLOSED) {
            return true;
        }
        if (now - current.until() >= 0) {
            Phase probing = Phase.of(State.HALF_OPEN, now, now + settings.openMillis() * NANOS_PER_MILLI);
            if (phase.compareAndSet(current, probing) && current.state() == State.OPEN) {
                LOG.info("Upstream {}: the circuit lets {} probe requests through", upstream, settings.probeRequests());
                onChange.accept("the circuit is half open");
            }
            current = current();
        }
        return switch (current.state()) {
            case CLOSED -> true;
            case OPEN -> false;
            case HALF_OPEN -> current.admitted().getAndIncrement() < settings.probeRequests();
        };
    }

    /**
     * Counts a request; on its loop.
     *
     * @param begunAt when it was assigned: what began before the probes says nothing about now
     */
    void ended(int loop, boolean failure, long begunAt, long now) {
        Phase current = current();
        switch (current.state()) {
            case CLOSED -> count(loop, failure, current, now);
            case HALF_OPEN -> {
                if (begunAt - current.since() >= 0) {
                    probed(current, failure, now);
                }
            }
            case OPEN -> {
                // It was under way when the circuit opened.
            }
        }
    }

    private void count(int loop, boolean failure, Phase current, long now) {
        AtomicLongArray window = windows[loop];
        slide(window, now);
        window.setOpaque(REQUESTS, window.getPlain(REQUESTS) + 1);
        if (!failure) {
            return;
        }
        window.setOpaque(FAILURES, window.getPlain(FAILURES) + 1);
        long requests = 0;
        long failures = 0;
        for (AtomicLongArray each : windows) {
            if (now - each.getOpaque(SINCE) < 2 * halfNanos) {
                requests += each.getOpaque(REQUESTS) + each.getOpaque(REQUESTS_BEFORE);
                failures += each.getOpaque(FAILURES) + each.getOpaque(FAILURES_BEFORE);
            }
        }
        if (requests >= settings.requestsMin() && failures * 100 >= settings.failurePercent() * requests) {
            open(current, failures + " of " + requests + " requests failed", now);
        }
    }

    private void slide(AtomicLongArray window, long now) {
        long age = now - window.getPlain(SINCE);
        if (age < halfNanos) {
            return;
        }
        boolean adjacent = age < 2 * halfNanos;
        window.setOpaque(REQUESTS_BEFORE, adjacent ? window.getPlain(REQUESTS) : 0);
        window.setOpaque(FAILURES_BEFORE, adjacent ? window.getPlain(FAILURES) : 0);
        window.setOpaque(REQUESTS, 0);
        window.setOpaque(FAILURES, 0);
        window.setOpaque(SINCE, now);
    }

    private void probed(Phase current, boolean failure, long now) {
        if (failure) {
            open(current, "a probe request failed", now);
        } else if (current.succeeded().incrementAndGet() >= settings.probeRequests()) {
            Phase closed = Phase.of(State.CLOSED, now, now);
            if (phase.compareAndSet(current, closed)) {
                // Earlier counts must not open it again; a loop that counts just now may keep a trace.
                for (AtomicLongArray window : windows) {
                    window.set(SINCE, now - 2 * halfNanos);
                }
                LOG.info("Upstream {}: the circuit is closed again", upstream);
                onChange.accept("the circuit is closed");
            }
        }
    }

    private void open(Phase current, String reason, long now) {
        Phase open = Phase.of(State.OPEN, now, now + settings.openMillis() * NANOS_PER_MILLI);
        if (phase.compareAndSet(current, open)) {
            openings.increment();
            LOG.warn("Upstream {}: the circuit is open for {} ms: {}", upstream, settings.openMillis(), reason);
            onChange.accept("the circuit is open: " + reason);
        }
    }
}
