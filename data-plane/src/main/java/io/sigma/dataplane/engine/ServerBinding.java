package io.sigma.dataplane.engine;

import io.sigma.dataplane.exchange.ClientKey;
import io.sigma.dataplane.exchange.Exchange;
import io.sigma.model.ProxyServer;
import io.sigma.model.ServerLimits;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/** What a listener serves. Thread-safe. */
public interface ServerBinding {

    /**
     * Returns what drives {@code exchange}; called on its event loop for each request.
     *
     * @param before what drove the request before, of which nothing is left, and which may be used again; null for none
     */
    ExchangeEvents open(Exchange exchange, @Nullable ExchangeEvents before);

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

    /** Returns the client that a connection from {@code address} counts for. */
    default long clientOf(InetAddress address) {
        return trusts(address) ? ClientKey.NOBODY : ClientKey.of(address);
    }

    /** Returns whether {@code peer} may say where a connection came from. */
    boolean trusts(InetAddress peer);

    /** Notes that a connection is gone. */
    void disconnected(long client);
}
