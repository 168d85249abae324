package io.sigma.controlplane.api.request;

import io.sigma.settings.InvalidSettings;
import io.sigma.value.AddressRange;
import io.sigma.value.Addresses;
import io.sigma.value.InvalidValue;
import io.sigma.value.TrustedAddresses;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Finds out where requests come from: from the peer or, where that is a proxy which is trusted, from where this says.
 * Immutable.
 */
public final class Clients {

    private static final String FORWARDED_FOR = "X-Forwarded-For";

    private final TrustedAddresses trusted;

    /**
     * @param trusted addresses and CIDR blocks
     * @throws InvalidSettings when one is neither
     */
    public Clients(List<String> trusted) {
        try {
            this.trusted = new TrustedAddresses(
                    trusted.stream().map(AddressRange::parse).toList());
        } catch (InvalidValue e) {
            throw new InvalidSettings(List.of("adminTrustedProxies: " + e.getMessage()));
        }
    }

    /** Returns the proxies that are believed. */
    public TrustedAddresses trusted() {
        return trusted;
    }

    /** Returns who sent {@code request}. */
    public Client of(HttpServerRequest request) {
        return Client.of(request, address(request));
    }

    /** Returns the address of the client in its canonical form; of what is no address the peer's. */
    public String address(HttpServerRequest request) {
        SocketAddress peer = request.remoteAddress();
        return address(peer.hostAddress(), request.headers().getAll(FORWARDED_FOR));
    }

    /** @param fields the values of X-Forwarded-For, to which each proxy adds whom it heard */
    public String address(String peer, List<String> fields) {
        try {
            return Addresses.text(trusted.clientBehind(Addresses.parse(peer), fields, UnaryOperator.identity()));
        } catch (InvalidValue e) {
            // Of a kind of sockets that has no addresses.
            return peer;
        }
    }
}
