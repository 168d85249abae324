package io.sigma.value;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;

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
        boolean plain = uri.getRawUserInfo() == null && uri.getRawFragment() == null;
        boolean port = uri.getPort() <= 65_535 && uri.getPort() != 0;
        // With a zone it is an address of a link, and no text that this project's readers of addresses know.
        boolean host = uri.getHost() != null && uri.getHost().indexOf('%') < 0;
        if (!http || !host || !plain || !port) {
            throw InvalidValue.of(text, EXPECTED);
        }
        return uri;
    }

    /** Returns the host of a parsed URL, an IPv6 literal without brackets. */
    public static String host(URI url) {
        String host = url.getHost();
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    /** Returns the port of a parsed URL, or the default of its scheme. */
    public static int port(URI url) {
        if (url.getPort() > 0) {
            return url.getPort();
        }
        return "https".equalsIgnoreCase(url.getScheme()) ? 443 : 80;
    }
}
