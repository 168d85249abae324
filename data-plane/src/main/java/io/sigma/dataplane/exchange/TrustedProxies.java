package io.sigma.dataplane.exchange;

import io.sigma.value.AddressRange;
import io.sigma.value.TrustedAddresses;
import java.net.InetAddress;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

/** The peers whose word on who the client is counts. Immutable. */
public final class TrustedProxies {

    private static final FieldNames FORWARDING = FieldNames.of(
            "forwarded", "x-forwarded-for", "x-forwarded-proto", "x-forwarded-host", "x-forwarded-port", "x-real-ip");

    private final TrustedAddresses addresses;

    public TrustedProxies(List<AddressRange> ranges) {
        this.addresses = new TrustedAddresses(ranges);
    }

    /**
     * Removes what a peer that is not trusted says of who the client is, before a route, a plugin or a node could believe
     * it.
     */
    public void strip(RequestHead request) {
        if (!trusts(request.remoteAddress())) {
            request.fields().removeAll(FORWARDING);
        }
    }

    /** Returns whether what {@code peer} says is believed. */
    public boolean trusts(InetAddress peer) {
        return addresses.contains(peer);
    }

    /**
     * Returns the address of the client: the peer, unless that is trusted; then the nearest hop that is not, by
     * X-Forwarded-For, or where that is absent by Forwarded (RFC 7239). A hop that is no address ends the search.
     */
    public InetAddress clientOf(RequestHead request) {
        InetAddress peer = request.remoteAddress();
        if (addresses.isEmpty()) {
            return peer;
        }
        List<String> hops = request.fields().all("x-forwarded-for");
        return hops.isEmpty()
                ? addresses.clientBehind(peer, request.fields().all("forwarded"), TrustedProxies::forParameter)
                : addresses.clientBehind(peer, hops, UnaryOperator.identity());
    }

    /** Returns the value of {@code for} in an element of Forwarded; empty when there is none. */
    private static String forParameter(String element) {
        for (String pair : element.split(";", -1)) {
            String bare = pair.strip();
            if (bare.toLowerCase(Locale.ROOT).startsWith("for=")) {
                String value = bare.substring(4).strip();
                boolean quoted = value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"");
                return quoted ? value.substring(1, value.length() - 1) : value;
            }
        }
        return "";
    }
}
