package io.sigma.dataplane.exchange;

import io.sigma.value.HostPattern;

/**
 * Host and port as a client names them (RFC 9110 §7.2).
 *
 * @param host in lower case without a trailing dot; an IPv6 literal in brackets; empty where HTTP/1.0 names none
 * @param port 1..65535
 */
public record Authority(String host, int port) {

    private static final int HTTP = 80;
    private static final int HTTPS = 443;

    /**
     * Returns what {@code text} (a Host field or the authority of a target) says.
     *
     * @throws InvalidRequest when it is not a host with an optional port
     */
    public static Authority parse(String text, boolean tls) {
        int colon = portColon(text);
        String host = HostPattern.normalise(colon < 0 ? text : text.substring(0, colon));
        if (!isHost(host)) {
            throw new InvalidRequest(ErrorKind.BAD_REQUEST, "host");
        }
        return new Authority(host, colon < 0 || colon == text.length() - 1 ? port(tls) : port(text, colon + 1));
    }

    /** Returns that of a request on HTTP/1.0 that names none: the host is empty (RFC 9112 §3.2, §3.3). */
    public static Authority none(boolean tls) {
        return new Authority("", port(tls));
    }

    /** Returns the host, with the port unless it is the one of the scheme. */
    public String text(boolean tls) {
        return port == port(tls) ? host : host + ":" + port;
    }

    private static int portColon(String text) {
        if (text.startsWith("[")) {
            int bracket = text.indexOf(']');
            if (bracket < 0 || (bracket + 1 < text.length() && text.charAt(bracket + 1) != ':')) {
                throw new InvalidRequest(ErrorKind.BAD_REQUEST, "host");
            }
            return bracket + 1 < text.length() ? bracket + 1 : -1;
        }
        return text.indexOf(':');
    }

    /** Looks at a registered name character by character; only what looks unusual is parsed. */
    private static boolean isHost(String host) {
        if (host.startsWith("[")) {
            return HostPattern.isHost(host);
        }
        int label = 0;
        for (int i = 0; i < host.length(); i++) {
            char c = host.charAt(i);
            boolean letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
            if (c == '.' ? label == 0 : !letter || ++label > 63) {
                return false;
            }
            label = c == '.' ? 0 : label;
        }
        return label > 0 && host.length() <= 253;
    }

    /** Returns the port of the scheme. */
    static int port(boolean tls) {
        return tls ? HTTPS : HTTP;
    }

    private static int port(String text, int start) {
        int port = 0;
        for (int i = start; i < text.length(); i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9 || i - start >= 5) {
                throw new InvalidRequest(ErrorKind.BAD_REQUEST, "port");
            }
            port = port * 10 + digit;
        }
        if (port < 1 || port > 65535) {
            throw new InvalidRequest(ErrorKind.BAD_REQUEST, "port");
        }
        return port;
    }
}
