package io.sigma.dataplane.filter;

import io.sigma.value.AddressGuard;
import io.sigma.value.AddressRefused;
import io.sigma.value.FetchUrl;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;

/**
 * The host of a URL that {@link GuardedClient} connects to. All its addresses are judged each time that its name is
 * resolved, and the client connects to these only: an answer of the name service that comes later is judged too.
 * Thread-safe.
 */
public record GuardedHost(URI url, AddressGuard addresses, Names names) {

    /** Tells the addresses of a name. */
    @FunctionalInterface
    public interface Names {
        InetAddress[] addresses(String host) throws UnknownHostException;
    }

    public GuardedHost(URI url, AddressGuard addresses) {
        this(url, addresses, InetAddress::getAllByName);
    }

    /**
     * Returns when it may be connected to. Blocks.
     *
     * @throws AddressRefused when one of its addresses may not be connected to
     * @throws UnknownHostException when it has none
     */
    public void admit() throws AddressRefused, UnknownHostException {
        admitted();
    }

    /**
     * As {@link #admit}; returns the addresses that were judged, for a client that connects to no others.
     *
     * @throws AddressRefused when one of its addresses may not be connected to
     * @throws UnknownHostException when it has none
     */
    public List<InetAddress> admitted() throws AddressRefused, UnknownHostException {
        String host = FetchUrl.host(url);
        InetAddress[] all = names.addresses(host);
        for (InetAddress address : all) {
            addresses.admit(host, address, FetchUrl.port(url));
        }
        return List.of(all);
    }
}
