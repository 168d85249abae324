package io.sigma.value;

import java.net.InetAddress;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Proxies whose word on whom they speak for is believed, and the way through them to the client. Immutable. */
public final class TrustedAddresses {

    /** Hops that are looked at in forwarding fields, from the nearest; a longer field is the work of an attacker. */
    private static final int HOPS_MAX = 32;

    private final List<AddressRange> ranges;

    public TrustedAddresses(List<AddressRange> ranges) {
        this.ranges = List.copyOf(ranges);
    }

    public boolean isEmpty() {
        return ranges.isEmpty();
    }

    public boolean contains(InetAddress address) {
        // Not a stream: it is asked for each request.
        for (AddressRange range : ranges) {
            if (range.contains(address)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the client: the peer, unless that is trusted; then the nearest hop that is not. A hop that is no address
     * ends the search. Empty elements are ignored (RFC 9110 §5.6.1.2).
     *
     * @param fields the values of a forwarding field, lists whose last element the nearest proxy added
     * @param hopOf what of an element, without space around it, is the hop: an address with or without a port
     */
    public InetAddress clientBehind(InetAddress peer, List<String> fields, UnaryOperator<String> hopOf) {
        InetAddress client = peer;
        int left = HOPS_MAX;
        for (int i = fields.size() - 1; i >= 0; i--) {
            String[] elements = fields.get(i).split(",", -1);
            for (int j = elements.length - 1; j >= 0; j--) {
                String element = elements[j].strip();
                if (element.isEmpty()) {
                    continue;
                }
                InetAddress hop = left > 0 && contains(client) ? parse(hopOf.apply(element)) : null;
                if (hop == null) {
                    return client;
                }
                client = hop;
                left--;
            }
        }
        return client;
    }

    /**
     * Returns how many elements of the lists, counted from the last one, trusted proxies added: each names whom its
     * proxy spoke to, the first of them the client, or what is no address.
     *
     * @param fields as for {@link #clientBehind}, as is {@code hopOf}
     */
    public int hopsBehind(InetAddress peer, List<String> fields, UnaryOperator<String> hopOf) {
        InetAddress client = peer;
        int hops = 0;
        for (int i = fields.size() - 1; i >= 0; i--) {
            String[] elements = fields.get(i).split(",", -1);
            for (int j = elements.length - 1; j >= 0; j--) {
                String element = elements[j].strip();
                if (element.isEmpty()) {
                    continue;
                }
                if (hops >= HOPS_MAX || !contains(client)) {
                    return hops;
                }
                hops++;
                InetAddress hop = parse(hopOf.apply(element));
                if (hop == null) {
                    return hops;
                }
                client = hop;
            }
        }
        return hops;
    }

    private static @Nullable InetAddress parse(String hop) {
        int bracket = hop.indexOf(']');
        int colon = hop.indexOf(':');
        String address = hop;
        if (hop.startsWith("[") && bracket > 0) {
            address = hop.substring(1, bracket);
        } else if (colon >= 0 && colon == hop.lastIndexOf(':')) {
            address = hop.substring(0, colon);
        }
        try {
            return Addresses.parse(address);
        } catch (InvalidValue e) {
            return null;
        }
    }
}
