package io.sigma.dataplane.exchange;

import org.jspecify.annotations.Nullable;

/**
 * Why an exchange failed.
 *
 * @param kind decides status, metric and log field
 * @param source whose doing it is
 * @param retryable whether nothing of the request has been sent, so that another node may be tried
 * @param cause for the debug log only; never shown to a client
 */
public record GatewayError(
        ErrorKind kind,
        Source source,
        boolean retryable,
        @Nullable Throwable cause) {

    /** The side that caused a failure. */
    public enum Source {
        DOWNSTREAM,
        GATEWAY,
        UPSTREAM
    }

    /** Returns a failure that the client caused. */
    public static GatewayError downstream(ErrorKind kind) {
        return downstream(kind, null);
    }

    /** Returns a failure that the client caused, after something of the request may have reached a node. */
    public static GatewayError downstream(ErrorKind kind, @Nullable Throwable cause) {
        return new GatewayError(kind, Source.DOWNSTREAM, false, cause);
    }

    /** Returns a failure of the gateway itself. */
    public static GatewayError gateway(ErrorKind kind, @Nullable Throwable cause) {
        return new GatewayError(kind, Source.GATEWAY, false, cause);
    }

    /** Returns a failure of the upstream after something of the request may have reached it. */
    public static GatewayError upstream(ErrorKind kind, @Nullable Throwable cause) {
        return new GatewayError(kind, Source.UPSTREAM, false, cause);
    }

    /** Returns a failure before anything of the request was sent to the upstream. */
    public static GatewayError unsent(ErrorKind kind, @Nullable Throwable cause) {
        return new GatewayError(kind, Source.UPSTREAM, true, cause);
    }
}
