package io.sigma.dataplane.upstream.proxied;

import org.jspecify.annotations.Nullable;

/**
 * The TLS of a client's connection, as a PROXY header describes it.
 *
 * @param version such as {@code TLSv1.3}; null where the gateway passes TLS through, and knows the name alone
 * @param name that the client asked for (SNI, RFC 6066 §3); null for none
 * @param protocol that was agreed on by ALPN (RFC 7301); null for none
 * @param certificate null where the client has shown none
 */
public record ProxiedTls(
        @Nullable String version,
        @Nullable String name,
        @Nullable String protocol,
        @Nullable Certificate certificate) {

    /** Returns what is known of a connection that is passed through; null for nothing. */
    public static @Nullable ProxiedTls passed(@Nullable String name) {
        return name == null ? null : new ProxiedTls(null, name, null, null);
    }

    /**
     * The certificate of a client, which was verified, on this connection or on an earlier one of its session.
     *
     * @param commonName of its subject; null for none
     */
    public record Certificate(@Nullable String commonName) {}
}
