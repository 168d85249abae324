package io.sigma.dataplane.exchange;

import java.util.Locale;

/** Why a connection of a proxy server of TCP or TLS ended, as logs and metrics name it. */
public enum StreamEnd {
    /** Both sides sent everything that they had. */
    COMPLETE,
    /** The client closed the connection while something could still be sent to it. */
    CLIENT_RESET,
    /** The node closed the connection while something could still be sent to it. */
    NODE_RESET,
    /** Nothing passed for too long. */
    IDLE_TIMEOUT,
    /** It was open for as long as the proxy pass allows. */
    LIFETIME,
    /** The gateway stops, the proxy server is gone, or the node takes no connections any more. */
    DRAINED,
    /** An operator closed it. */
    CLOSED,
    /** No router matched. */
    NO_ROUTER,
    /** The first message of TLS did not arrive in time. */
    HELLO_TIMEOUT,
    /** The client did not begin TLS, or its first message is not valid or too long. */
    BAD_HELLO,
    CONNECT_FAILED,
    CONNECT_TIMEOUT,
    ADDRESS_REFUSED,
    NO_NODE,
    TUNNELS_FULL,
    CIRCUIT_OPEN,
    UPSTREAM_FULL,
    TOO_BUSY,
    HOLDS_TOO_MUCH,
    /** A defect of the gateway. */
    INTERNAL;

    private final String label = name().toLowerCase(Locale.ROOT);

    /** Returns the name in metrics and logs: {@code client_reset}. */
    public String label() {
        return label;
    }

    /** Returns the end of a connection for which there was no node. */
    public static StreamEnd of(ErrorKind kind) {
        return switch (kind) {
            case CONNECT_FAILED -> CONNECT_FAILED;
            case CONNECT_TIMEOUT -> CONNECT_TIMEOUT;
            case ADDRESS_REFUSED -> ADDRESS_REFUSED;
            case NO_NODE -> NO_NODE;
            case TUNNELS_FULL -> TUNNELS_FULL;
            case CIRCUIT_OPEN -> CIRCUIT_OPEN;
            case UPSTREAM_FULL -> UPSTREAM_FULL;
            case TOO_BUSY -> TOO_BUSY;
            default -> INTERNAL;
        };
    }
}
