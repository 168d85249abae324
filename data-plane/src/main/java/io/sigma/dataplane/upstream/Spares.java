package io.sigma.dataplane.upstream;

import io.sigma.dataplane.loop.Loop;

/**
 * Keeps connections of a pool ready that no request has asked for yet, one attempt at a time and never within a
 * request. Confined to the event loop of the pool.
 */
final class Spares implements Runnable {

    /**
     * Wait where there is no place or the node takes no requests, and after a failure, doubled with each further one.
     */
    private static final long WAIT_MILLIS = 1_000;

    private static final int DOUBLED_MAX = 5;

    /** A connection that was closed sooner, without a request, is a failure: the node does not want it. */
    private static final long LIVED_MILLIS = 1_000;

    private enum State {
        /** Not begun, or over. */
        OFF,
        /** No spare connection is known to be missing. */
        FULL,
        /** A spare connection is to be opened, or is being opened. */
        OPENING,
        WAITING
    }

    private final NodePool pool;
    private final NodeEndpoint endpoint;
    private final Loop loop;
    private final int wanted;
    private State state = State.OFF;
    private int failures;

    /**
     * @param wanted how many connections are to have room for a request
     */
    Spares(NodePool pool, NodeEndpoint endpoint, Loop loop, int wanted) {
        this.pool = pool;
        this.endpoint = endpoint;
        this.loop = loop;
        this.wanted = wanted;
    }

    void begin() {
        if (state == State.OFF) {
            state = State.FULL;
            refill();
        }
    }

    void end() {
        // An attempt that is under way ends by itself.
        state = State.OFF;
    }

    /** To be called when one was taken; opens another one later. */
    void refill() {
        if (state == State.FULL && pool.ready() < wanted) {
            state = State.OPENING;
            loop.scheduler().afterTurn(this);
        }
    }

    /** Notes that a spare connection was opened. */
    void opened() {
        failures = 0;
        leave(State.FULL);
        refill();
    }

    /** Notes that a spare connection could not be opened. */
    void failed() {
        leave(State.WAITING);
        retry();
    }

    /**
     * A connection of the pool is closed.
     *
     * @param isNew whether it never carried a request
     * @param ageMillis how long it was open
     */
    void onClosed(boolean isNew, long ageMillis) {
        if (state == State.FULL && isNew && ageMillis < LIVED_MILLIS) {
            state = State.WAITING;
            retry();
        } else {
            refill();
        }
    }

    private void leave(State next) {
        loop.spares().leave();
        if (state != State.OFF) {
            state = next;
        }
    }

    private void retry() {
        if (state == State.WAITING) {
            loop.scheduler().schedule(this::look, WAIT_MILLIS << Math.min(failures++, DOUBLED_MAX));
        }
    }

    private void look() {
        if (state == State.WAITING) {
            state = State.FULL;
            refill();
        }
    }

    /** The loop iteration that found one missing is over. */
    @Override
    public void run() {
        loop.spares().enter(this::open);
    }

    private void open() {
        if (state == State.OFF || pool.ready() >= wanted) {
            leave(State.FULL);
        } else if (!endpoint.health().takesRequests() || !pool.openSpare()) {
            leave(State.WAITING);
            if (state == State.WAITING) {
                loop.scheduler().schedule(this::look, WAIT_MILLIS);
            }
        }
    }
}
