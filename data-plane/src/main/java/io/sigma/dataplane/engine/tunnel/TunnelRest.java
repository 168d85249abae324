package io.sigma.dataplane.engine.tunnel;

import io.sigma.model.ServerLimits;

/**
 * The idle timeouts of a tunnel. {@code Call} chooses it for each {@link Tunnel}.
 *
 * @param openMillis while both sides may send and have read everything, in milliseconds
 * @param stalledMillis while one of them has ended or does not read, in milliseconds
 */
public record TunnelRest(int openMillis, int stalledMillis) {

    /** Returns what {@code limits} say. */
    public static TunnelRest of(ServerLimits limits) {
        return new TunnelRest(limits.streamIdleTimeoutMillis(), limits.idleTimeoutMillis());
    }
}
