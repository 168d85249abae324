package io.sigma.dataplane.match;

/** What a {@link RouteTable} finds. */
public interface Routed {

    /** Returns when it applies. */
    RouteRule rule();
}
