package io.sigma.identity;

/**
 * The cookie that says whose session of the dashboard a browser has. Browsers send it to every port of a host, so both
 * planes know its name: one sets it, and the other keeps it from nodes. Pure.
 */
public final class SessionCookie {

    /** Its name where clients do not use TLS; names of cookies have a case. */
    public static final String NAME = "sigma_session";

    /**
     * The prefix of cookies that browsers accept only from this host, for all of its paths, over TLS (RFC 6265bis
     * §4.1.3.2).
     */
    private static final String HOST_PREFIX = "__Host-";

    /** Its name where clients use TLS. */
    public static final String SECURE_NAME = HOST_PREFIX + NAME;

    private SessionCookie() {}

    /**
     * Returns a line of Cookie without this cookie and with all others as they are; an empty text when there is no
     * other.
     */
    public static String without(String line) {
        StringBuilder kept = new StringBuilder(line.length());
        int start = 0;
        while (start <= line.length()) {
            int semicolon = line.indexOf(';', start);
            int end = semicolon < 0 ? line.length() : semicolon;
            if (!isNamed(line, start, end)) {
                kept.append(kept.isEmpty() ? "" : ";").append(line, start, end);
            }
            start = end + 1;
        }
        return kept.toString().strip();
    }

    /** Returns whether a line of Set-Cookie sets this cookie. */
    public static boolean isSetBy(String line) {
        int semicolon = line.indexOf(';');
        return isNamed(line, 0, semicolon < 0 ? line.length() : semicolon);
    }

    /** Browsers read {@code =name=value} as a cookie without a name and send it as {@code name=value}. */
    private static boolean isNamed(String line, int start, int end) {
        int first = start;
        while (first < end && (isSpace(line.charAt(first)) || line.charAt(first) == '=')) {
            first++;
        }
        // Browsers look at the prefix without regard to its case.
        first += line.regionMatches(true, first, HOST_PREFIX, 0, HOST_PREFIX.length()) ? HOST_PREFIX.length() : 0;
        if (!line.startsWith(NAME, first)) {
            return false;
        }
        int equals = first + NAME.length();
        while (equals < end && isSpace(line.charAt(equals))) {
            equals++;
        }
        return equals < end && line.charAt(equals) == '=';
    }

    private static boolean isSpace(char c) {
        return c == ' ' || c == '\t';
    }
}
