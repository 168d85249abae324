package io.sigma.snapshot;

import io.sigma.model.ConnectionProtocol;
import org.jspecify.annotations.Nullable;

/**
 * A filter of a gateway's open connections. A null field matches all of them.
 *
 * @param id of the one that is to be closed, in the list; null for the list of those that match the rest
 * @param node its URL, as the list shows it
 * @param clientAddress an address or a CIDR block, as {@link io.sigma.value.AddressRange} reads it
 * @param limit how many are listed at most
 */
public record ConnectionQuestion(
        @Nullable String id,
        @Nullable String proxyServerId,
        @Nullable String upstreamId,
        @Nullable String node,
        @Nullable String clientAddress,
        @Nullable ConnectionProtocol protocol,
        int limit) {

    /** Returns what closes the connection with that id. */
    public static ConnectionQuestion close(String id) {
        return new ConnectionQuestion(id, null, null, null, null, null, 0);
    }
}
