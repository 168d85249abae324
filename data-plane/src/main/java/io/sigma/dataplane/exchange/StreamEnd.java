package io.sigma.dataplane.exchange;

import java.util.Locale;

/** Why a connection of TCP or TLS, or a session of UDP, ended, as logs and metrics name it. */
public enum StreamEnd {
    /** Both sides sent everything that they had; in UDP, the node sent every response. */
    COMPLETE,
    /** The client closed the connection while something could still be sent to it. */
    CLIENT_RESET,
    /** The node closed the connection while something could still be sent to it. */
    NODE_RESET,
    /** The node's host said that nothing listens there, or the node cannot be reached. */
    NODE_UNREACHABLE,
    /** The node left a datagram without a response for too long. */
    RESPONSE_TIMEOUT,
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

    /** Why a datagram of a proxy server of UDP was not passed on, as metrics name it. */
    public enum Drop {
        /** It has more bytes than the proxy server allows. */
        TOO_LARGE,
        /** It has no bytes. */
        EMPTY,
        /** The proxy server, the client address or the process has as many sessions as it may. */
        SESSIONS_FULL,
        /** The proxy server is gone or the gateway stops, and the datagram belongs to no session. */
        CLOSING,
        /** Too much waits for the node of the session to be found. */
        WAITING_FULL,
        /** The kernel has no room for more to the node. */
        NODE_BUSY,
        /** The kernel has no room for more to clients. */
        CLIENT_BUSY,
        /** The kernel could not send it to the client. */
        UNSENT;

        private final String label = name().toLowerCase(Locale.ROOT);

        /** Returns the name in metrics: {@code too_large}. */
        public String label() {
            return label;
        }
    }
}
