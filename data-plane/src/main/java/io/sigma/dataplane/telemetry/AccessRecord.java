package io.sigma.dataplane.telemetry;

import org.jspecify.annotations.Nullable;

/**
 * One request as it is logged.
 *
 * @param epochMillis when its head was complete
 * @param attempts how many times a node was chosen
 * @param totalNanos until the end of the response
 * @param connectNanos until a connection to a node was there, 0 when none was
 * @param firstByteNanos until the head of the node's response was there, 0 when it never was
 * @param clientAddress seen through the proxies that are trusted
 * @param clientSubject of the certificate that the client showed; null for none
 * @param clientVerify what became of asking for a certificate: SUCCESS or NONE; null where none was asked for
 * @param query that the node received; not in JSON, because clients put into it what nobody else is to read
 * @param target how and where it is written
 */
public record AccessRecord(
        long epochMillis,
        String proxyServer,
        @Nullable String router,
        @Nullable String route,
        @Nullable String proxyPass,
        @Nullable String upstream,
        @Nullable String node,
        String protocol,
        String method,
        String host,
        String path,
        int status,
        int attempts,
        long bytesIn,
        long bytesOut,
        long totalNanos,
        long connectNanos,
        long firstByteNanos,
        String remoteAddress,
        int remotePort,
        String clientAddress,
        @Nullable String clientSubject,
        @Nullable String clientVerify,
        @Nullable String consumer,
        @Nullable String requestId,
        @Nullable String query,
        @Nullable String referer,
        @Nullable String userAgent,
        @Nullable String error,
        LogTarget target) {}
