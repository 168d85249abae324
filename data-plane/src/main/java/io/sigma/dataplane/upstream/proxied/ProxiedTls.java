package io.sigma.dataplane.upstream.proxied;

import org.jspecify.annotations.Nullable;

/**
 * What a PROXY header says about the TLS of a client's connection.
 *
 * @param version such as {@code TLSv1.3}
 * @param name that the client asked for (SNI, RFC 6066 §3); null for none
 * @param protocol that was agreed on by ALPN (RFC 7301); null for none
 * @param certificate null where the client has shown none
 */
public record ProxiedTls(
        String version,
        @Nullable String name,
        @Nullable String protocol,
        @Nullable Certificate certificate) {

    /**
     * The certificate of a client, which was verified, on this connection or on an earlier one of its session.
     *
     * @param commonName of its subject; null for none
     */
    public record Certificate(@Nullable String commonName) {}
}
