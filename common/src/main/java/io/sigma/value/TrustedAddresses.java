package io.sigma.value;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collections;
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
        // Neither a stream nor an iterator, which would be an object for each request.
        for (int i = 0; i < ranges.size(); i++) {
            if (ranges.get(i).contains(address)) {
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
            String list = fields.get(i);
            int start = list.length() + 1;
            while (start > 0) {
                int end = start - 1;
                start = elementStart(list, end);
                String element = list.substring(start, end).strip();
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
            String list = fields.get(i);
            int start = list.length() + 1;
            while (start > 0) {
                int end = start - 1;
                start = elementStart(list, end);
                String element = list.substring(start, end).strip();
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

    /**
     * Returns the elements of lists in their order, without space around them and without those that are empty. They
     * are read from the end, as {@link #clientBehind} reads them.
     */
    public static List<String> elements(List<String> fields) {
        List<String> elements = new ArrayList<>(1);
        for (int i = fields.size() - 1; i >= 0; i--) {
            String list = fields.get(i);
            int start = list.length() + 1;
            while (start > 0) {
                int end = start - 1;
                start = elementStart(list, end);
                String element = list.substring(start, end).strip();
                if (!element.isEmpty()) {
                    elements.add(element);
                }
            }
        }
        Collections.reverse(elements);
        return elements;
    }

    /**
     * Returns where the element that ends before {@code end} begins. A comma within a quoted string separates nothing
     * (RFC 7239 §4), unless that has no other end. It looks from the end, so that a quote that a stranger wrote changes
     * nothing of what proxies added behind it. Looks at each character of a list twice at most: an odd number of quotes
     * is left behind once.
     */
    private static int elementStart(String list, int end) {
        boolean quoted = false;
        int nearest = 0;
        for (int i = end - 1; i >= 0; i--) {
            char c = list.charAt(i);
            if (c == '"' && !isEscaped(list, i)) {
                quoted = !quoted;
            } else if (c == ',' && !quoted) {
                return i + 1;
            } else if (c == ',' && nearest == 0) {
                nearest = i + 1;
            }
        }
        return quoted ? nearest : 0;
    }

    /** Returns whether an odd number of backslashes stands before {@code at}. */
    private static boolean isEscaped(String list, int at) {
        int first = at;
        while (first > 0 && list.charAt(first - 1) == '\\') {
            first--;
        }
        return (at - first) % 2 == 1;
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
