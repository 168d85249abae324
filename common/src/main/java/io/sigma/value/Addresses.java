package io.sigma.value;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;

/** IP literals, read without ever asking a name service. Pure. */
public final class Addresses {

    private static final int GROUPS = 8;

    private Addresses() {}

    /** Returns whether {@code text} is an IPv4 address in dotted decimal. */
    public static boolean isIpv4(String text) {
        // Makes no objects: a gateway asks for each hop of each request.
        int parts = 1;
        int digits = 0;
        int number = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '.') {
                if (digits == 0) {
                    return false;
                }
                parts++;
                digits = 0;
                number = 0;
            } else {
                boolean leadingZero = digits > 0 && number == 0;
                number = number * 10 + c - '0';
                digits++;
                if (c < '0' || c > '9' || leadingZero || number > 255) {
                    return false;
                }
            }
        }
        return parts == 4 && digits > 0;
    }

    /** Returns whether {@code text} is an IPv6 address without brackets or zone. */
    public static boolean isIpv6(String text) {
        if (text.length() < 2 || text.indexOf(':') < 0) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (!isIpv6Character(text.charAt(i))) {
                return false;
            }
        }
        try {
            InetAddress.getByName("[" + text + "]");
            return true;
        } catch (UnknownHostException e) {
            return false;
        }
    }

    /** Returns {@code host:port}, an IPv6 host in brackets (RFC 3986 §3.2.2). */
    public static String authority(String host, int port) {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }

    /**
     * Returns the address that {@code literal} (IPv4, or IPv6 with or without brackets) denotes.
     *
     * @throws InvalidValue when it is no IP literal
     */
    public static InetAddress parse(String literal) {
        boolean bracketed = literal.startsWith("[") && literal.endsWith("]");
        String bare = bracketed ? literal.substring(1, literal.length() - 1) : literal;
        if (!isIpv4(bare) && !isIpv6(bare)) {
            throw InvalidValue.of(literal, "an IP address");
        }
        try {
            return InetAddress.getByName(isIpv4(bare) ? bare : "[" + bare + "]");
        } catch (UnknownHostException e) {
            throw InvalidValue.of(literal, "an IP address");
        }
    }

    /**
     * Returns whether resolvers read {@code host} as an IPv4 address, though it may not be one in dotted decimal:
     * {@code 2852039166}, {@code 0xa9fea9fe} and {@code 0251.0376.0251.0376} are 169.254.169.254 (WHATWG URL, "ends in
     * a number"). A dot at the end changes nothing.
     */
    public static boolean endsInNumber(String host) {
        String name = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
        String last = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
        boolean hexadecimal = last.startsWith("0x")
                && last.substring(2).chars().allMatch(c -> c < 0x80 && Character.digit(c, 16) >= 0);
        return hexadecimal || (!last.isEmpty() && last.chars().allMatch(c -> c >= '0' && c <= '9'));
    }

    private static boolean isIpv6Character(int c) {
        return (c < 0x80 && Character.digit(c, 16) >= 0) || c == ':' || c == '.';
    }

    /**
     * Returns the one text of an address (IPv6: RFC 5952 §4), without a scope, which means something on one machine
     * only.
     */
    public static String text(InetAddress address) {
        if (!(address instanceof Inet6Address)) {
            return address.getHostAddress();
        }
        byte[] octets = address.getAddress();
        int[] groups = new int[GROUPS];
        for (int i = 0; i < GROUPS; i++) {
            groups[i] = (octets[2 * i] & 0xff) << 8 | (octets[2 * i + 1] & 0xff);
        }
        int start = longestZeros(groups);
        int end = start;
        while (end < GROUPS && groups[end] == 0) {
            end++;
        }
        StringBuilder text = new StringBuilder(39);
        for (int i = 0; i < GROUPS; i++) {
            if (i == start) {
                text.append("::");
                i = end - 1;
            } else {
                boolean first = i == 0 || (i == end && start < GROUPS);
                text.append(first ? "" : ":").append(Integer.toHexString(groups[i]));
            }
        }
        return text.toString();
    }

    /** Returns where the first of the longest runs of at least two zeros begins; {@code GROUPS} when there is none. */
    private static int longestZeros(int[] groups) {
        int best = GROUPS;
        int longest = 1;
        for (int i = 0; i < GROUPS; i++) {
            int j = i;
            while (j < GROUPS && groups[j] == 0) {
                j++;
            }
            if (j - i > longest) {
                best = i;
                longest = j - i;
            }
        }
        return best;
    }
}
