package io.sigma.dataplane.filter.header;

import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.FieldLine;
import io.sigma.dataplane.exchange.FieldNames;
import io.sigma.dataplane.exchange.Fields;
import io.sigma.dataplane.exchange.ForwardingNames;
import io.sigma.dataplane.exchange.RequestHead;
import io.sigma.dataplane.exchange.TrustedProxies;
import io.sigma.model.ForwardedHeaders;
import io.sigma.value.Addresses;
import io.sigma.value.TrustedAddresses;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Tells a node who the client is: {@code Forwarded} (RFC 7239) and the {@code X-Forwarded-*} family. Both say the same.
 * A list has the hops to the client, to which the peer is added; scheme, host and port are those that the client asked
 * for, one value of each. What a trusted peer says of them is kept; what another one says was removed when the request
 * was admitted. Immutable.
 */
public final class ForwardedFields {

    private static final String FORWARDED = "forwarded";
    private static final String FOR = "x-forwarded-for";
    private static final String PROTO = "x-forwarded-proto";
    private static final String HOST = "x-forwarded-host";
    private static final String PORT = "x-forwarded-port";
    private static final String PREFIX = "x-forwarded-prefix";
    private static final String REAL_IP = "x-real-ip";
    /** A node that is not known (RFC 7239 §6.2). */
    private static final String UNKNOWN = "unknown";

    private static final FieldNames X_FIELDS = FieldNames.of(FOR, PROTO, HOST, PORT, REAL_IP);
    private static final FieldLine HTTP = new FieldLine(PROTO, "http");
    private static final FieldLine HTTPS = new FieldLine(PROTO, "https");
    private static final ThreadLocal<Known> KNOWN = ThreadLocal.withInitial(Known::new);

    private final boolean standard;
    private final boolean x;

    public ForwardedFields(ForwardedHeaders mode) {
        this.standard = mode == ForwardedHeaders.FORWARD || mode == ForwardedHeaders.ALL;
        this.x = mode == ForwardedHeaders.X_FORWARD || mode == ForwardedHeaders.ALL;
    }

    /**
     * Sets the fields of the request.
     *
     * @param prefix the prefix that is removed from the path; empty for none
     */
    public void apply(Exchange exchange, String prefix) {
        RequestHead request = exchange.request();
        Fields fields = request.fields();
        // Reads the other family of fields before it is removed: a trusted peer may send only one of them.
        List<String> hops = x && !fields.contains(FOR) && fields.contains(FORWARDED)
                ? hops(fields.all(FORWARDED), ForwardedFields::plainNode)
                : List.of();
        List<String> elements = standard ? elements(exchange, fields) : null;
        if (!x) {
            fields.removeAll(X_FIELDS);
            if (fields.mayHaveForwarding()) {
                fields.removeIf(ForwardingNames::isXForwarded);
            }
        }
        if (!standard || elements != null) {
            fields.remove(FORWARDED);
        }
        Known known = KNOWN.get();
        Known.Peer peer = known.peer(request.remoteAddress());
        if (x) {
            append(fields, hops, peer.forwardedFor);
            only(fields, exchange.tls() ? HTTPS : HTTP);
            if (exchange.authority().isEmpty()) {
                fields.remove(HOST);
            } else {
                only(fields, known.host(exchange.authority()));
            }
            only(fields, known.port(exchange.localPort()));
            if (!fields.contains(REAL_IP)) {
                fields.add(known.peer(exchange.clientAddress()).realIp);
            }
            if (!prefix.isEmpty()) {
                fields.set(PREFIX, prefix(fields.all(PREFIX), prefix));
            }
        }
        if (standard) {
            append(fields, elements == null ? List.of() : elements, known.element(exchange, peer.node));
        }
    }

    /**
     * Returns the elements that stand before that of the peer instead of those that it sent; null where those stay, or
     * there are none. Each client of the peer can write the family of fields that the peer does not know.
     */
    private static @Nullable List<String> elements(Exchange exchange, Fields fields) {
        boolean names = fields.contains(FORWARDED);
        if (names ? isKept(exchange, fields) : !fields.contains(FOR)) {
            return null;
        }
        List<String> hops = fields.contains(FOR)
                ? hops(fields.all(FOR), UnaryOperator.identity())
                : hops(fields.all(FORWARDED), ForwardedFields::plainNode);
        return hops.stream().map(hop -> "for=" + node(hop)).toList();
    }

    /** Returns whether Forwarded has its grammar, and says nothing else than the other family where that is there. */
    private static boolean isKept(Exchange exchange, Fields fields) {
        List<Map<String, String>> said = ForwardedElements.read(fields.all(FORWARDED));
        if (said == null) {
            return false;
        }
        boolean hops = fields.contains(FOR);
        if (!hops && !fields.contains(PROTO) && !fields.contains(HOST)) {
            return true;
        }
        return (!hops
                        || hops(fields.all(FOR), ForwardedFields::plain)
                                .equals(said.stream()
                                        .map(element -> plain(element.getOrDefault("for", UNKNOWN)))
                                        .toList()))
                && said.stream().allMatch(element -> isOf(exchange, element));
    }

    /** Returns whether what an element says of scheme and host is what the client asked for. */
    private static boolean isOf(Exchange exchange, Map<String, String> element) {
        String host = element.get("host");
        return element.getOrDefault("proto", exchange.scheme()).equalsIgnoreCase(exchange.scheme())
                && (host == null
                        || host.equalsIgnoreCase(exchange.authority())
                        || host.equalsIgnoreCase(exchange.fullAuthority()));
    }

    /**
     * @param peer the peer in the form of a node (RFC 7239 §6)
     */
    private static String element(Exchange exchange, String peer) {
        // A host with a port or an IPv6 literal is no token, so it is quoted (RFC 7239 §4).
        String authority = exchange.fullAuthority();
        String host = authority.indexOf(':') >= 0 ? "\"" + authority + "\"" : authority;
        return "for=" + peer + (host.isEmpty() ? "" : ";host=" + host) + ";proto=" + exchange.scheme();
    }

    /**
     * Returns a hop of X-Forwarded-For as a node of Forwarded (RFC 7239 §6): with a port, or of IPv6, it is no token,
     * so it is quoted.
     */
    private static String node(String hop) {
        if (Addresses.isIpv6(hop)) {
            return "\"[" + hop + "]\"";
        }
        int colon = hop.startsWith("[") ? hop.indexOf(']') + 1 : hop.indexOf(':');
        boolean ported = colon > 0 && colon < hop.length();
        String name = ported ? hop.substring(0, colon) : hop;
        if (!isNodeName(name) || (ported && !isPort(hop, colon))) {
            return UNKNOWN;
        }
        return hop.indexOf(':') < 0 ? hop : "\"" + hop + "\"";
    }

    private static boolean isNodeName(String name) {
        boolean bracketed = name.startsWith("[") && name.endsWith("]");
        return Addresses.isIpv4(name)
                || (bracketed && Addresses.isIpv6(name.substring(1, name.length() - 1)))
                || name.equals(UNKNOWN)
                || isObfuscated(name);
    }

    /** Returns whether a colon and a port follow at {@code colon}. */
    private static boolean isPort(String hop, int colon) {
        String port = hop.substring(colon + 1);
        boolean number = !port.isEmpty() && port.length() <= 5 && port.chars().allMatch(c -> c >= '0' && c <= '9');
        return hop.charAt(colon) == ':' && (number || isObfuscated(port));
    }

    /** Returns whether a proxy made that name, or port, up in the place of the true one (RFC 7239 §6.3). */
    private static boolean isObfuscated(String name) {
        return name.length() > 1 && name.startsWith("_") && consistsOf(name, "._-");
    }

    /** Returns whom an element of Forwarded names, as X-Forwarded-For has it. */
    private static String plainNode(String element) {
        return plain(TrustedProxies.forParameter(element));
    }

    /** Returns a hop without its port and brackets. */
    private static String plain(String hop) {
        int bracket = hop.indexOf(']');
        int colon = hop.indexOf(':');
        if (hop.startsWith("[") && bracket > 0) {
            return hop.substring(1, bracket);
        }
        return colon >= 0 && colon == hop.lastIndexOf(':') ? hop.substring(0, colon) : hop;
    }

    /** Returns what {@code read} makes of each element; {@code unknown} (RFC 7239 §6.3) where that names nobody. */
    private static List<String> hops(List<String> values, UnaryOperator<String> read) {
        List<String> hops = new ArrayList<>();
        for (String element : TrustedAddresses.elements(values)) {
            String hop = read.apply(element);
            hops.add(isNode(hop) ? hop : UNKNOWN);
        }
        return hops;
    }

    private static boolean isNode(String hop) {
        return !hop.isEmpty() && consistsOf(hop, ".:[]_-");
    }

    /** Returns whether {@code text} has letters, digits and {@code marks} alone. */
    private static boolean consistsOf(String text, String marks) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            if (!plain && marks.indexOf(c) < 0) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns the prefixes that proxies took off before, and {@code own} behind them: the path that the client sees.
     */
    private static String prefix(List<String> before, String own) {
        StringBuilder whole = new StringBuilder();
        for (String value : before) {
            for (String item : value.split(",", -1)) {
                String outer = item.strip();
                whole.append(outer.endsWith("/") ? outer.substring(0, outer.length() - 1) : outer);
            }
        }
        return whole.append(own).toString();
    }

    private static void only(Fields fields, FieldLine line) {
        fields.remove(line.name());
        fields.add(line);
    }

    private static void append(Fields fields, List<String> before, FieldLine line) {
        if (!before.isEmpty()) {
            fields.add(line.name(), String.join(", ", before) + ", " + line.value());
        } else {
            fields.append(line);
        }
    }

    /** Returns the address without a scope, which means something on this machine only. */
    public static String address(InetAddress address) {
        return KNOWN.get().peer(address).text;
    }

    /**
     * A cache of the field texts for peers, hosts and ports, and of elements of Forwarded, which most requests repeat.
     * Of two texts in one slot the later one stays.
     */
    private static final class Known {

        private static final int SLOTS = 512;

        /** A peer. */
        private static final class Peer {
            private final InetAddress address;
            private final String text;
            private final String node;
            private final FieldLine forwardedFor;
            private final FieldLine realIp;

            Peer(InetAddress address) {
                this.address = address;
                this.text = Addresses.text(address);
                this.node = node(text);
                this.forwardedFor = new FieldLine(FOR, text);
                this.realIp = new FieldLine(REAL_IP, text);
            }
        }

        /** An element of Forwarded, with what it says. */
        private record Element(String node, String authority, boolean tls, FieldLine line) {}

        private final @Nullable Peer[] peers = new @Nullable Peer[SLOTS];
        private final @Nullable FieldLine[] hosts = new @Nullable FieldLine[SLOTS];
        private final @Nullable FieldLine[] ports = new @Nullable FieldLine[SLOTS];
        private final int[] portNumbers = new int[SLOTS];
        private final @Nullable Element[] elements = new @Nullable Element[SLOTS];

        Peer peer(InetAddress address) {
            int hash = address.hashCode();
            int slot = (hash ^ hash >>> 8 ^ hash >>> 16) & (SLOTS - 1);
            Peer known = peers[slot];
            if (known == null || !known.address.equals(address)) {
                known = new Peer(address);
                peers[slot] = known;
            }
            return known;
        }

        FieldLine host(String authority) {
            int hash = authority.hashCode();
            int slot = (hash ^ hash >>> 16) & (SLOTS - 1);
            FieldLine known = hosts[slot];
            if (known == null || !known.value().equals(authority)) {
                known = new FieldLine(HOST, authority);
                hosts[slot] = known;
            }
            return known;
        }

        FieldLine element(Exchange exchange, String node) {
            String authority = exchange.fullAuthority();
            boolean tls = exchange.tls();
            int hash = authority.hashCode() * 31 + node.hashCode();
            int slot = (hash ^ hash >>> 16) & (SLOTS - 1);
            Element known = elements[slot];
            if (known == null || known.tls != tls || !known.node.equals(node) || !known.authority.equals(authority)) {
                FieldLine line = new FieldLine(FORWARDED, ForwardedFields.element(exchange, node));
                known = new Element(node, authority, tls, line);
                elements[slot] = known;
            }
            return known.line;
        }

        FieldLine port(int number) {
            int slot = number & (SLOTS - 1);
            FieldLine known = ports[slot];
            if (known == null || portNumbers[slot] != number) {
                known = new FieldLine(PORT, String.valueOf(number));
                ports[slot] = known;
                portNumbers[slot] = number;
            }
            return known;
        }
    }
}
