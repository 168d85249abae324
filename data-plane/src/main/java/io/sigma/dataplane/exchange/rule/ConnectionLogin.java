package io.sigma.dataplane.exchange.rule;

import io.sigma.dataplane.exchange.Fields;

/**
 * Authentication that holds for a connection rather than for a request: NTLM, and Negotiate (RFC 4559), which may be
 * NTLM. Whoever sends the next request over such a connection is taken for the same user. Pure.
 */
public final class ConnectionLogin {

    private ConnectionLogin() {}

    /** Returns whether a request authenticates its connection. */
    public static boolean isIn(Fields request) {
        return names(request, "authorization");
    }

    /** Returns whether a response asks for that. */
    public static boolean isAskedFor(Fields response) {
        return names(response, "www-authenticate");
    }

    private static boolean names(Fields fields, String name) {
        if (!fields.contains(name)) {
            return false;
        }
        for (String value : fields.all(name)) {
            String scheme = value.strip();
            if (begins(scheme, "NTLM") || begins(scheme, "Negotiate")) {
                return true;
            }
        }
        return false;
    }

    private static boolean begins(String value, String scheme) {
        int length = scheme.length();
        return value.regionMatches(true, 0, scheme, 0, length)
                && (value.length() == length || value.charAt(length) == ' ' || value.charAt(length) == ',');
    }
}
