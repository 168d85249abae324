package io.sigma.dataplane.filter;

import io.sigma.value.AddressGuard;
import io.sigma.value.AddressRefused;
import io.sigma.value.FetchUrl;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;

/**
 * The host of a URL that a client of the JDK, or one that asks its name service, is about to connect to. All its
 * addresses are judged each time; the JDK remembers them for some seconds, so that they are those that are connected
 * to. Thread-safe.
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
