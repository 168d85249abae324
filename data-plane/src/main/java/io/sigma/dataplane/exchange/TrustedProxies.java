package io.sigma.dataplane.exchange;

import io.sigma.value.AddressRange;
import io.sigma.value.Addresses;
import io.sigma.value.InvalidValue;
import java.net.InetAddress;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The peers whose word on who the client is counts. Immutable. */
public final class TrustedProxies {

    /** Hops that are looked at in a forwarding field, from the nearest; a longer field is the work of an attacker. */
    private static final int HOPS_MAX = 32;

    private static final FieldNames FORWARDING = FieldNames.of(
            "forwarded", "x-forwarded-for", "x-forwarded-proto", "x-forwarded-host", "x-forwarded-port", "x-real-ip");

    private final List<AddressRange> ranges;

    public TrustedProxies(List<AddressRange> ranges) {
        this.ranges = List.copyOf(ranges);
    }

    /**
     * Removes what a peer that is not trusted says of who the client is, before a route, a plugin or a node could believe
     * it.
     */
    public void strip(RequestHead request) {
        if (ranges.isEmpty() || !trusts(request.remoteAddress())) {
            request.fields().removeAll(FORWARDING);
        }
    }

    /** Returns whether what {@code peer} says is believed. */
    public boolean trusts(InetAddress peer) {
        for (AddressRange range : ranges) {
            if (range.contains(peer)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the address of the client: the peer, unless that is trusted; then the nearest hop that is not, by
     * X-Forwarded-For, or where that is absent by Forwarded (RFC 7239). A hop that is no address ends the search.
     */
    public InetAddress clientOf(RequestHead request) {
        InetAddress client = request.remoteAddress();
        if (ranges.isEmpty() || !trusts(client)) {
            return client;
        }
        List<String> hops = request.fields().all("x-forwarded-for");
        boolean standard = hops.isEmpty();
        if (standard) {
            hops = request.fields().all("forwarded");
        }
        int left = HOPS_MAX;
        for (int i = hops.size() - 1; i >= 0; i--) {
            String[] items = hops.get(i).split(",", -1);
            for (int j = items.length - 1; j >= 0 && left > 0; j--, left--) {
                InetAddress hop = parse(standard ? forParameter(items[j]) : items[j].strip());
                if (hop == null) {
                    return client;
                }
                client = hop;
                if (!trusts(hop)) {
                    return client;
                }
            }
        }
        return client;
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

    /** Returns the address of a hop, which may have a port; null when it has none. */
    private static @Nullable InetAddress parse(String hop) {
        String address = hop;
        int bracket = hop.indexOf(']');
        if (hop.startsWith("[") && bracket > 0) {
            address = hop.substring(1, bracket);
        } else if (hop.indexOf(':') >= 0 && hop.indexOf(':') == hop.lastIndexOf(':')) {
            address = hop.substring(0, hop.indexOf(':'));
        }
        try {
            return Addresses.parse(address);
        } catch (InvalidValue e) {
            return null;
        }
    }
}
