package io.sigma.dataplane.upstream;

import java.time.Instant;

/**
 * A change of a node's state.
 *
 * @param cause the source of the change
 * @param reason for people, in one line
 */
public record HealthEvent(Instant at, HealthState from, HealthState to, Cause cause, String reason) {

    /** The cause of a change of a node's state. */
    public enum Cause {
        /** A health check. */
        ACTIVE,
        /** The way requests ended. */
        PASSIVE,
        /** The circuit breaker of the upstream, which leaves the state of the node. */
        CIRCUIT,
        /** The configuration. */
        ADMIN
    }
}
