package io.sigma.check;

import io.sigma.value.Addresses;
import io.sigma.value.HostPattern;
import java.util.Locale;

/** Hosts and URLs that a gateway connects to or names. */
final class Locations {

    private Locations() {}

    /** Returns whether {@code host} is a name or an IP literal, an IPv6 one in brackets. */
    static boolean isHost(String host) {
        return HostPattern.isHost(host.toLowerCase(Locale.ROOT)) && (Addresses.isIpv4(host) || !endsInNumber(host));
    }

    /** Returns whether {@code host} is a name or an IP literal without brackets. */
    static boolean isAddressOrName(String host) {
        return Addresses.isIpv6(host) || (!host.startsWith("[") && isHost(host));
    }

    /** Returns whether {@code text} is {@code host[:port]}. */
    static boolean isAuthority(String text) {
        int colon = text.startsWith("[") ? text.indexOf(':', text.indexOf(']') + 1) : text.indexOf(':');
        String port = colon < 0 ? "80" : text.substring(colon + 1);
        boolean digits = !port.isEmpty() && port.length() <= 5 && port.chars().allMatch(c -> c >= '0' && c <= '9');
        boolean number = digits && Integer.parseInt(port) >= 1 && Integer.parseInt(port) <= 65535;
        return number && isHost(colon < 0 ? text : text.substring(0, colon));
    }

    /** Returns whether the last label is a number: some resolvers read such a name as an address (WHATWG URL §3.5). */
    private static boolean endsInNumber(String host) {
        String last = host.substring(host.lastIndexOf('.') + 1);
        return !last.isEmpty() && last.chars().allMatch(c -> c >= '0' && c <= '9');
    }
}
