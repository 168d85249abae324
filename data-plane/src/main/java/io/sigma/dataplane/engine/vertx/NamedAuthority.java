package io.sigma.dataplane.engine.vertx;

import io.sigma.dataplane.exchange.Authority;

/**
 * An authority as a client wrote it and as it is understood.
 *
 * @param sent as in the Host field or the target
 * @param text host in normal form, with the port unless it is that of the scheme
 */
record NamedAuthority(String sent, Authority authority, String text) {

    static NamedAuthority parse(String sent, boolean tls) {
        Authority authority = Authority.parse(sent, tls);
        return new NamedAuthority(sent, authority, authority.text(tls));
    }
}
