package io.sigma.value;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * Host and port of a URL. The JDK reads no host in which there is an underscore, though it is a registered name (RFC
 * 3986 §3.2.2) and what names of containers often have.
 *
 * @param host as it is written, an IPv6 literal in brackets
 * @param port -1 when none is named
 */
public record UrlAuthority(String host, int port) {

    /** Returns those of {@code url}; null when it has a user, no host, or what is no port. */
    public static @Nullable UrlAuthority of(URI url) {
        String text = url.getRawAuthority();
        if (text == null || text.indexOf('@') >= 0) {
            return null;
        }
        int colon = text.indexOf(':', text.startsWith("[") ? Math.max(0, text.indexOf(']')) : 0);
        String host = colon < 0 ? text : text.substring(0, colon);
        int port = colon < 0 ? -1 : port(text.substring(colon + 1));
        return port == 0 || !isHost(HostPattern.normalise(host)) ? null : new UrlAuthority(host, port);
    }

    /**
     * Returns whether a URL may have {@code host}, which is normalised, with an IPv6 literal in brackets; false for a
     * name that resolvers would read as an IPv4 address, such as {@code 0x7f.1}.
     */
    public static boolean isHost(String host) {
        return HostPattern.isHost(host) && (Addresses.isIpv4(host) || !Addresses.endsInNumber(host));
    }

    /** Returns 0 for what is none. */
    private static int port(String text) {
        boolean digits = !text.isEmpty() && text.length() <= 5 && text.chars().allMatch(c -> c >= '0' && c <= '9');
        int port = digits ? Integer.parseInt(text) : 0;
        return port > 65_535 ? 0 : port;
    }
}
