package io.sigma.value;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;

/**
 * The URL of an upstream node.
 *
 * @param tls whether the scheme is https
 * @param host name or IP literal, an IPv6 literal without brackets
 * @param port the port, or the default of the scheme
 * @param pathPrefix put before every path, without a trailing slash; empty when there is none
 */
public record NodeUrl(boolean tls, String host, int port, String pathPrefix) {

    private static final String EXPECTED =
            "http:// or https://, a host, an optional port 1..65535 and an optional path; no user, query or fragment";

    /**
     * Returns the parsed URL.
     *
     * @throws InvalidValue with the value and what was expected
     */
    public static NodeUrl parse(String text) {
        URI uri = uri(text);
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        boolean tls = scheme.equals("https");
        UrlAuthority authority = UrlAuthority.of(uri);
        boolean plain = uri.getRawQuery() == null && uri.getRawFragment() == null;
        boolean http = tls || scheme.equals("http");
        if (!http || authority == null || !plain) {
            throw InvalidValue.of(text, EXPECTED);
        }
        String host = authority.host();
        int port = authority.port() < 0 ? (tls ? 443 : 80) : authority.port();
        String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : HostPattern.normalise(host);
        return new NodeUrl(tls, bare, port, prefix(uri.getRawPath()));
    }

    private static URI uri(String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException e) {
            throw InvalidValue.of(text, EXPECTED);
        }
    }

    private static String prefix(String rawPath) {
        if (rawPath == null || rawPath.isEmpty()) {
            return "";
        }
        String normal = NormalPath.of(rawPath);
        return normal.endsWith("/") ? normal.substring(0, normal.length() - 1) : normal;
    }

    /** Returns {@code host:port}, an IPv6 host in brackets. */
    public String authority() {
        return Addresses.authority(host, port);
    }

    /** Returns the one text of all spellings of this URL: {@code http://10.0.0.1:8080/base}. */
    public String text() {
        return (tls ? "https://" : "http://") + authority() + pathPrefix;
    }
}
