package io.sigma.dataplane.exchange;

/**
 * The scheme, host and port that the client asked for, as reported by a trusted peer. They may differ from those of the
 * peer's own request: the peer may have ended TLS, or use another host name towards the gateway.
 *
 * @param tls whether the client came by https
 * @param host in lower case without a trailing dot; an IPv6 literal in brackets
 * @param port that the client connected to
 * @param authority the host, with the port that was said with it unless it is that of the scheme
 */
public record Origin(boolean tls, String host, int port, String authority) {

    public String scheme() {
        return scheme(tls);
    }

    static String scheme(boolean tls) {
        return tls ? "https" : "http";
    }

    /** Returns host and port, so that nothing else needs to say the port. */
    public String fullAuthority() {
        boolean named = authority.length() > host.length() || port == (tls ? 443 : 80);
        return named ? authority : host + ":" + port;
    }
}
