package io.sigma.dataplane.match;

/** The entry that a {@link RouteTable} finds. */
public interface Routed {

    /** Returns when it applies. */
    RouteRule rule();
}
