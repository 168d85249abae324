package io.sigma.dataplane.engine.node;

import io.sigma.value.AddressGuard;
import io.sigma.value.AddressRefused;
import io.sigma.value.Addresses;
import io.vertx.core.Future;
import io.vertx.core.internal.VertxInternal;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * Resolves the hosts of nodes. {@code NodeDialer} and {@code NodeProbes} call it. A name is resolved here, its
 * address is judged, and that very address is connected to: nobody can answer otherwise in between. Thread-safe.
 */
public record Destinations(VertxInternal vertx, AddressGuard addresses) {

    /**
     * Returns the address to connect to; completes on the context of the caller.
     *
     * @param host a name, or a literal without brackets
     * @return fails with {@link AddressRefused} when it may not be connected to
     */
    Future<InetSocketAddress> of(String host, int port) {
        boolean literal = Addresses.isIpv4(host) || Addresses.isIpv6(host);
        return literal
                ? admitted(host, Addresses.parse(host), port)
                : vertx.nameResolver().resolve(host).compose(address -> admitted(host, address, port));
    }

    private Future<InetSocketAddress> admitted(String host, InetAddress address, int port) {
        try {
            addresses.admit(host, address, port);
            return vertx.getOrCreateContext().succeededFuture(new InetSocketAddress(address, port));
        } catch (AddressRefused e) {
            return vertx.getOrCreateContext().failedFuture(e);
        }
    }
}
