package io.sigma.dataplane.engine.client;

import io.sigma.dataplane.exchange.Authority;

/**
 * An authority as a client wrote it and as it is understood.
 *
 * @param sent as in the Host field or the target
 * @param text host in normal form, with the port unless it is that of the scheme
 */
record NamedAuthority(String sent, Authority authority, String text) {

    /** The one of requests that name none, which HTTP/1.0 allows, by whether there is TLS; its host is empty. */
    private static final NamedAuthority NONE = none(false);

    private static final NamedAuthority NONE_ON_TLS = none(true);

    private static NamedAuthority none(boolean tls) {
        return new NamedAuthority("", Authority.none(tls), "");
    }

    static NamedAuthority absent(boolean tls) {
        return tls ? NONE_ON_TLS : NONE;
    }

    static NamedAuthority parse(String sent, boolean tls) {
        Authority authority = Authority.parse(sent, tls);
        return new NamedAuthority(sent, authority, authority.text(tls));
    }
}
