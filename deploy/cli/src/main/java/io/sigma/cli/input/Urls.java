package io.sigma.cli.input;

import java.net.URI;
import java.net.URISyntaxException;

/** URLs that a command is given. Pure. */
public final class Urls {

    private Urls() {}

    /**
     * Returns an http or https URL.
     *
     * @param name of the option, with what separates it from the value
     * @param expected what to give instead
     * @throws InvalidInput when it is none, or has a user or a password in it, which would be printed and which nobody
     *     asks for
     */
    public static URI parse(String name, String url, String expected) {
        try {
            URI uri = new URI(url);
            boolean http = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
            if (http && uri.getHost() != null && uri.getRawUserInfo() == null && uri.getRawFragment() == null) {
                return uri;
            }
        } catch (URISyntaxException e) {
            // Falls through: both are answered in the same words.
        }
        throw new InvalidInput(name + "\"" + shown(url) + "\" (expected: " + expected + ")");
    }

    /** Returns the URL without a user and a password. */
    static String shown(String url) {
        int at = url.lastIndexOf('@');
        int begin = url.indexOf("//");
        return at < 0
                ? url
                : (begin < 0 || begin > at ? "" : url.substring(0, begin + 2)) + "[redacted]" + url.substring(at);
    }
}
