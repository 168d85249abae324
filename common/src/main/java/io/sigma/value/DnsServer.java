package io.sigma.value;

import java.net.InetAddress;
import java.net.InetSocketAddress;

/** The address of a DNS server. */
public final class DnsServer {

    private static final int PORT = 53;
    private static final String EXPECTED = "an IP address with an optional port; brackets around IPv6 with a port";

    private DnsServer() {}

    /**
     * Returns the address of {@code text}: {@code 10.0.0.53}, {@code 10.0.0.53:5353}, {@code ::1} or
     * {@code [::1]:5353}.
     *
     * @throws InvalidValue with the value and what was expected
     */
    public static InetSocketAddress parse(String text) {
        int colon = text.lastIndexOf(':');
        boolean bare = text.indexOf(':') != colon && !text.startsWith("[");
        boolean ported = !bare && colon > text.lastIndexOf(']');
        String host = ported ? text.substring(0, colon) : text;
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        try {
            int port = ported ? Integer.parseInt(text.substring(colon + 1)) : PORT;
            // People do not read a text with fewer than four parts as an address.
            boolean literal = Addresses.isIpv4(host) || host.indexOf(':') >= 0;
            if (literal && port >= 1 && port <= 65535) {
                return new InetSocketAddress(InetAddress.ofLiteral(host), port);
            }
        } catch (IllegalArgumentException e) {
            // Told below.
        }
        throw InvalidValue.of(text, EXPECTED);
    }
}
