package io.sigma.value;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Objects;

/** URLs that a gateway itself asks, such as that of an issuer's keys. Pure. */
public final class FetchUrl {

    private static final String EXPECTED = "an http or https URL with a host, without user and fragment";

    private FetchUrl() {}

    /**
     * Returns the parsed URL; it has a host.
     *
     * @throws InvalidValue with the value and what was expected
     */
    public static URI parse(String text) {
        URI uri;
        try {
            uri = new URI(text);
        } catch (URISyntaxException e) {
            throw InvalidValue.of(text, EXPECTED);
        }
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        boolean http = scheme.equals("http") || scheme.equals("https");
        // With a zone it is an address of a link, and no text that this project's readers of addresses know.
        if (!http || uri.getRawFragment() != null || UrlAuthority.of(uri) == null) {
            throw InvalidValue.of(text, EXPECTED);
        }
        return uri;
    }

    /** Returns the host of a parsed URL, an IPv6 literal without brackets. */
    public static String host(URI url) {
        String host = authority(url).host();
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    private static UrlAuthority authority(URI url) {
        return Objects.requireNonNull(UrlAuthority.of(url), "a parsed URL has a host");
    }

    /** Returns the port of a parsed URL, or the default of its scheme. */
    public static int port(URI url) {
        int port = authority(url).port();
        if (port > 0) {
            return port;
        }
        return "https".equalsIgnoreCase(url.getScheme()) ? 443 : 80;
    }
}
