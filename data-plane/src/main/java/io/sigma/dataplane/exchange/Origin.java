package io.sigma.dataplane.exchange;

/**
 * What a client asked for as a trusted peer says it, where that is not what the peer itself asked for: the peer may
 * have taken TLS off, or may speak to the gateway by another name.
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
