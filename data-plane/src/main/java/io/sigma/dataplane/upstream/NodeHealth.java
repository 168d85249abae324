package io.sigma.dataplane.upstream;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The known health of a node, and its last changes. Thread-safe: changes lock, requests read one volatile field. */
public final class NodeHealth {

    /** Events that are kept. */
    static final int EVENTS_MAX = 16;

    private static final int REASON_LENGTH_MAX = 256;

    private final NodeEndpoint endpoint;
    private final AtomicInteger failuresInARow = new AtomicInteger();
    private volatile boolean usable = true;
    private volatile long warmSince;
    /** Changes lock. */
    private volatile HealthState service = HealthState.HEALTHY;

    // Guarded by this.
    private HealthState checked = HealthState.UNKNOWN;
    private boolean ejected;
    private HealthState state = HealthState.UNKNOWN;
    private Instant since = Instant.now();
    private String reason = "";
    private @Nullable HealthListener listener;
    private final ArrayDeque<HealthEvent> events = new ArrayDeque<>();

    NodeHealth(NodeEndpoint endpoint) {
        this.endpoint = endpoint;
    }

    /**
     * The health at one moment.
     *
     * @param since when it came into this state
     * @param reason why, empty when nothing ever happened
     * @param events the last ones, oldest first
     */
    public record View(HealthState state, Instant since, String reason, List<HealthEvent> events) {}

    /** Returns what is known now. */
    public synchronized View view() {
        return new View(state, since, reason, List.copyOf(events));
    }

    /** Returns whether nothing is known against the node. */
    public boolean isUsable() {
        return usable;
    }

    /** Returns whether the node is in service and nothing is known against it. */
    boolean takesRequests() {
        return usable && service == HealthState.HEALTHY;
    }

    /** Returns when the node came or came back, by {@link System#nanoTime()}; 0 when it was always there. */
    long warmSince() {
        return warmSince;
    }

    /** Notes that the node takes requests from now on. */
    void warm(long now) {
        warmSince = now == 0 ? 1 : now;
    }

    public synchronized void listen(HealthListener hears) {
        listener = hears;
    }

    /**
     * Notes what the configuration says.
     *
     * @param says DOWN, DRAINING, or HEALTHY for a node in service
     */
    public synchronized void service(HealthState says) {
        if (service != says) {
            service = says;
            change(
                    HealthEvent.Cause.ADMIN,
                    says == HealthState.HEALTHY ? "put in service" : "configured as " + text(says));
        }
    }

    /**
     * Notes what the health checks say.
     *
     * @param says HEALTHY, UNHEALTHY, or UNKNOWN when there are none any more
     */
    public synchronized void checked(HealthState says, String why) {
        if (checked != says) {
            checked = says;
            change(says == HealthState.UNKNOWN ? HealthEvent.Cause.ADMIN : HealthEvent.Cause.ACTIVE, why);
        }
    }

    /** Returns what the health checks say. */
    public synchronized HealthState checked() {
        return checked;
    }

    /** Returns how many requests failed in a row. */
    public int failures() {
        return failuresInARow.get();
    }

    /** Goes on from so many failures in a row. */
    public void failures(int inARow) {
        failuresInARow.set(inARow);
    }

    /** Notes that the node is taken out, or taken in again, because of the way requests ended. */
    synchronized void ejected(boolean out, String why) {
        if (ejected != out) {
            ejected = out;
            failuresInARow.set(0);
            change(HealthEvent.Cause.PASSIVE, why);
        }
    }

    synchronized boolean isEjected() {
        return ejected;
    }

    /** Counts a failure and returns how many there were in a row. */
    int failed() {
        return failuresInARow.incrementAndGet();
    }

    /** Ends a row of failures; touches nothing when there was none. */
    void succeeded() {
        if (failuresInARow.get() != 0) {
            failuresInARow.set(0);
        }
    }

    private void change(HealthEvent.Cause cause, String why) {
        HealthState next = resolve();
        boolean wasUsable = usable;
        usable = !ejected && checked != HealthState.UNHEALTHY;
        if (usable && !wasUsable) {
            warm(System.nanoTime());
        }
        if (next == state) {
            return;
        }
        record(next, cause, why);
    }

    /** Notes what the circuit breaker of the upstream did, which changes nothing about the node. */
    synchronized void circuit(String what) {
        record(state, HealthEvent.Cause.CIRCUIT, what);
    }

    private void record(HealthState next, HealthEvent.Cause cause, String why) {
        String cut = why.length() > REASON_LENGTH_MAX ? why.substring(0, REASON_LENGTH_MAX) : why;
        HealthEvent event = new HealthEvent(Instant.now(), state, next, cause, cut);
        if (next != state) {
            state = next;
            since = event.at();
            reason = cut;
        }
        if (events.size() == EVENTS_MAX) {
            events.removeFirst();
        }
        events.addLast(event);
        if (listener != null) {
            listener.onChange(endpoint, event);
        }
    }

    private HealthState resolve() {
        if (service != HealthState.HEALTHY) {
            return service;
        }
        return ejected ? HealthState.EJECTED : checked;
    }

    private static String text(HealthState says) {
        return says == HealthState.DOWN ? "down" : "draining";
    }
}
