package io.sigma.value;

import java.net.InetAddress;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An entry of {@code upstreamAllow} and {@code upstreamDeny}: {@code metrics.example.com}, {@code 10.0.0.0/8}, {@code
 * 127.0.0.1:9100}, {@code [fd00::/8]:443}.
 *
 * @param host a name in lower case; null for a range
 * @param range addresses; null for a name
 * @param port 0 for every port
 */
record AddressRule(@Nullable String host, @Nullable AddressRange range, int port) {

    private static final String EXPECTED =
            "a host name, an address or a CIDR block, with an optional port 1..65535; brackets around IPv6 with a port";

    /**
     * Returns the parsed entry.
     *
     * @throws InvalidValue with the value and what was expected
     */
    static AddressRule parse(String text) {
        int colon = text.lastIndexOf(':');
        boolean bracketed = text.startsWith("[");
        boolean ported = bracketed ? text.indexOf("]:") > 0 : colon > 0 && text.indexOf(':') == colon;
        String place = ported ? text.substring(0, colon) : text;
        int port = ported ? port(text, text.substring(colon + 1)) : 0;
        if (bracketed) {
            if (!place.endsWith("]")) {
                throw InvalidValue.of(text, EXPECTED);
            }
            place = place.substring(1, place.length() - 1);
        }
        String name = HostPattern.normalise(place);
        // A text that ends in a number is not a name (WHATWG URL), so a misspelt address is not taken for a name.
        if (!bracketed && HostPattern.isHost(name) && !Addresses.endsInNumber(name)) {
            return new AddressRule(name, null, port);
        }
        try {
            return new AddressRule(null, AddressRange.parse(place), port);
        } catch (InvalidValue e) {
            throw InvalidValue.of(text, EXPECTED);
        }
    }

    private static int port(String text, String digits) {
        boolean number = digits.length() <= 5 && digits.chars().allMatch(c -> c >= '0' && c <= '9');
        int port = number && !digits.isEmpty() ? Integer.parseInt(digits) : 0;
        if (port < 1 || port > 65_535) {
            throw InvalidValue.of(text, EXPECTED);
        }
        return port;
    }

    /** Returns whether this is about the name {@code asked}. */
    boolean isOf(String asked, int askedPort) {
        return host != null && isOf(askedPort) && host.equals(HostPattern.normalise(asked.toLowerCase(Locale.ROOT)));
    }

    /** Returns whether this is about {@code address}. */
    boolean isOf(InetAddress address, int askedPort) {
        return range != null && isOf(askedPort) && range.contains(address);
    }

    private boolean isOf(int askedPort) {
        return port == 0 || port == askedPort;
    }
}
