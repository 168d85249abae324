package io.sigma.dataplane.upstream.proxied;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * The client connection that a PROXY header describes. Without both addresses it describes nothing.
 *
 * @param source the address of the client; null when it is not known
 * @param destination the address that the client connected to; null when it is not known
 * @param tls null where the client speaks plaintext
 */
public record ProxiedClient(
        @Nullable InetSocketAddress source,
        @Nullable InetSocketAddress destination,
        @Nullable ProxiedTls tls) {}
