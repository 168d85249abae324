package io.sigma.dataplane.engine.node;

import io.sigma.dataplane.engine.KnownNames;
import io.sigma.dataplane.engine.NameAddress;
import io.sigma.value.AddressGuard;
import io.sigma.value.AddressRefused;
import io.sigma.value.Addresses;
import io.vertx.core.Future;
import io.vertx.core.internal.VertxInternal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.List;

/**
 * Resolves the hosts of nodes. {@code NodeDialer} and {@code NodeProbes} call it. A name is resolved here, its
 * address is judged, and that very address is connected to: nobody can answer otherwise in between. While the name
 * service does not answer, the last known address is used. Thread-safe.
 */
public final class Destinations implements KnownNames {

    private final VertxInternal vertx;
    private final AddressGuard addresses;
    private final LastAddresses names;

    /**
     * @param vertx resolves names
     * @param addresses where nothing may be connected to
     */
    public Destinations(VertxInternal vertx, AddressGuard addresses) {
        this.vertx = vertx;
        this.addresses = addresses;
        this.names = new LastAddresses(vertx, name -> vertx.nameResolver().resolve(name));
    }

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
                : names.of(host).compose(address -> admitted(host, address, port));
    }

    @Override
    public List<NameAddress> known() {
        return names.known();
    }

    @Override
    public void know(Collection<NameAddress> known) {
        names.know(known);
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
