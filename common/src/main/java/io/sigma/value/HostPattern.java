package io.sigma.value;

import java.util.Locale;

/**
 * A virtual host: exact, or a leading wildcard label that stands for one or more labels.
 *
 * @param name in lower case without a trailing dot; for a wildcard, what follows {@code *.}
 */
public record HostPattern(String name, boolean wildcard) {

    private static final int LENGTH_MAX = 253;

    /**
     * Returns the parsed pattern.
     *
     * @throws InvalidValue with the value and what was expected
     */
    public static HostPattern parse(String text) {
        boolean wildcard = text.startsWith("*.");
        String name = normalise(wildcard ? text.substring(2) : text);
        if (!isHost(name) || (wildcard && name.startsWith("["))) {
            throw InvalidValue.of(text, "a host name, an IP literal, or *. and a host name; no port");
        }
        return new HostPattern(name, wildcard);
    }

    /** Returns {@code host} in the form in which hosts are compared: lower case, no trailing dot. */
    public static String normalise(String host) {
        String lower = host.toLowerCase(Locale.ROOT);
        return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
    }

    /**
     * Returns whether {@code host} (normalised, no port) is a registered name, IPv4 address or bracketed IPv6 address.
     */
    public static boolean isHost(String host) {
        if (host.startsWith("[")) {
            return host.endsWith("]") && Addresses.isIpv6(host.substring(1, host.length() - 1));
        }
        if (host.isEmpty() || host.length() > LENGTH_MAX) {
            return false;
        }
        for (String label : host.split("\\.", -1)) {
            if (label.isEmpty() || label.length() > 63 || !label.chars().allMatch(HostPattern::isLabelCharacter)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isLabelCharacter(int c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    }

    @Override
    public String toString() {
        return wildcard ? "*." + name : name;
    }
}
