package io.sigma.dataplane.engine.http2;

import io.sigma.model.ProxyServer;

/**
 * The limits of a client on one connection. {@code Http2LinkBuilder} sets up the codec by it.
 *
 * @param streamsMax at a time
 * @param headBytesMax of the fields of one request, as RFC 9113 §6.5.2 counts
 */
public record Http2Limits(int streamsMax, int headBytesMax) {

    /** Streams that a client may reset, or may make the gateway reset, within {@link #RESETS_SECONDS}. */
    public static final int RESETS_MAX = 200;

    public static final int RESETS_SECONDS = 10;

    /** Returns those of {@code server}. */
    public static Http2Limits of(ProxyServer server) {
        return new Http2Limits(server.http2().streamsMax(), server.limits().headBytesMax());
    }
}
