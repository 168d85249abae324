package io.sigma.dataplane.engine;

import io.sigma.dataplane.exchange.ClientKey;
import io.sigma.model.ProxyServer;
import io.sigma.model.ServerLimits;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The limits of a listener and the peers that it trusts, whatever is spoken on its connections. {@code LoopListener}
 * asks it for each connection. Thread-safe.
 */
public interface ListenerBinding {

    /** Returns the proxy server as it is now: the next connection, head or request is measured by it. */
    ProxyServer source();

    /** Returns the limits of {@link #source()}. */
    default ServerLimits limits() {
        return source().limits();
    }

    /**
     * Notes a new connection.
     *
     * @param client whose it is, by {@link io.sigma.dataplane.exchange.ClientKey}; {@code NOBODY} for a proxy that is
     *     trusted
     * @return false when there are too many; it is then closed at once and {@link #disconnected} is not called
     */
    boolean connected(long client);

    /** Returns whether {@link #connected} refuses everybody for now: as many are connected as may be. */
    default boolean isFull() {
        return false;
    }

    /** Returns the client that a connection from {@code address} counts for. */
    default long clientOf(InetAddress address) {
        return trusts(address) ? ClientKey.NOBODY : ClientKey.of(address);
    }

    /**
     * Returns whom memory that is held for {@code client} counts for: its address, and of IPv6 its network; null when
     * others share it.
     */
    default @Nullable Object ownerOf(InetAddress client) {
        if (trusts(client)) {
            return null;
        }
        return client instanceof Inet6Address
                ? ByteBuffer.wrap(client.getAddress()).getLong()
                : client;
    }

    /** Returns whether {@code peer} may say where a connection came from. */
    boolean trusts(InetAddress peer);

    /** Notes that a connection is gone. */
    void disconnected(long client);
}
