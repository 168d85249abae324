package io.sigma.controlplane.api;

import io.sigma.settings.InvalidSettings;
import io.sigma.value.AddressRange;
import io.sigma.value.Addresses;
import io.sigma.value.InvalidValue;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds out where requests come from: from the peer or, where that is a proxy which is trusted, from where this says. Immutable.
 */
final class Clients {

    private static final String FORWARDED_FOR = "X-Forwarded-For";

    /** Hops that are looked at, from the nearest; a longer field is the work of an attacker. */
    private static final int HOPS_MAX = 32;

    private final List<AddressRange> trusted;

    /**
     * @param trusted addresses and CIDR blocks
     * @throws InvalidSettings when one is neither
     */
    Clients(List<String> trusted) {
        try {
            this.trusted = trusted.stream().map(AddressRange::parse).toList();
        } catch (InvalidValue e) {
            throw new InvalidSettings(List.of("adminTrustedProxies: " + e.getMessage()));
        }
    }

    Client of(HttpServerRequest request) {
        return Client.of(request, address(request));
    }

    /** Returns the address of the client in its canonical form; of what is no address the peer's. */
    String address(HttpServerRequest request) {
        SocketAddress peer = request.remoteAddress();
        if (trusted.isEmpty()) {
            return peer.hostAddress();
        }
        return address(peer.hostAddress(), request.headers().getAll(FORWARDED_FOR));
    }

    /** @param fields the values of X-Forwarded-For, to which each proxy adds whom it heard */
    String address(String peer, List<String> fields) {
        String client = peer;
        List<String> hops = List.of(String.join(",", fields).split(",", -1));
        int last = Math.max(0, hops.size() - HOPS_MAX);
        for (int i = hops.size() - 1; i >= last && isTrusted(parse(client)); i--) {
            InetAddress hop = parse(hops.get(i).strip());
            if (hop == null) {
                return client;
            }
            client = hop.getHostAddress();
        }
        return client;
    }

    private boolean isTrusted(@Nullable InetAddress address) {
        return address != null && trusted.stream().anyMatch(range -> range.contains(address));
    }

    /** Returns the address of a hop, which may have a port; null when it has none. */
    private static @Nullable InetAddress parse(String hop) {
        int bracket = hop.indexOf(']');
        String address = hop.startsWith("[") && bracket > 0
                ? hop.substring(1, bracket)
                : hop.indexOf(':') >= 0 && hop.indexOf(':') == hop.lastIndexOf(':')
                        ? hop.substring(0, hop.indexOf(':'))
                        : hop;
        try {
            return Addresses.parse(address);
        } catch (InvalidValue e) {
            return null;
        }
    }
}
