package io.sigma.dataplane.upstream;

/** The state of a node as a gateway sees it; the first that applies. */
public enum HealthState {
    /** Out of service by configuration. */
    DOWN,
    /** Takes no new requests, by configuration. */
    DRAINING,
    /** Failed requests: it takes none for a while. */
    EJECTED,
    /** Failed its checks. */
    UNHEALTHY,
    /** Passed its checks. */
    HEALTHY,
    /** Was never checked, and takes requests. */
    UNKNOWN
}
