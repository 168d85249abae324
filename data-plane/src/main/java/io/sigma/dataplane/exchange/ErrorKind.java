package io.sigma.dataplane.exchange;

import java.util.Locale;

/** Every way in which an exchange fails: its status, its name in metrics and logs, and what the client is told. */
public enum ErrorKind {
    BAD_REQUEST(400, "Bad Request", "The request is malformed."),
    UNAUTHORIZED(401, "Unauthorized", "Credentials are missing or not valid."),
    FORBIDDEN(403, "Forbidden", "This client is not allowed to do that."),
    NO_ROUTE(404, "Not Found", "Nothing is served here."),
    METHOD_NOT_ALLOWED(405, "Method Not Allowed", "The method is not allowed here."),
    NOT_ACCEPTABLE(406, "Not Acceptable", "None of the accepted media types is served here."),
    REQUEST_TIMEOUT(408, "Request Timeout", "The request did not arrive in time."),
    PRECONDITION(412, "Precondition Failed", "The resource does not meet the conditions of the request."),
    BODY_TOO_LARGE(413, "Content Too Large", "The body of the request is larger than allowed."),
    TARGET_TOO_LONG(414, "URI Too Long", "The target of the request is longer than allowed."),
    MEDIA_TYPE(415, "Unsupported Media Type", "The media type of the request is not supported here."),
    EXPECTATION(417, "Expectation Failed", "The gateway supports the expectation 100-continue only."),
    MISDIRECTED(421, "Misdirected Request", "This connection does not serve that host."),
    WEBSOCKET_VERSION(426, "Upgrade Required", "The gateway supports version 13 of WebSocket only."),
    RATE_LIMITED(429, "Too Many Requests", "Requests come too often."),
    TOO_MANY_AT_ONCE(429, "Too Many Requests", "Too many requests of this client run at the same time."),
    HEAD_TOO_LARGE(431, "Request Header Fields Too Large", "The head of the request is larger than allowed."),
    INTERNAL(500, "Internal Server Error", "The gateway failed to handle the request."),
    /** The expressions of the configuration take too long on this request. */
    MATCH_TOO_LONG(500, "Internal Server Error", "The request takes too long to match."),
    UNKNOWN_CODING(501, "Not Implemented", "The transfer coding of the request is not supported."),
    NO_SWITCH(501, "Not Implemented", "The upstream cannot switch to the requested protocol."),
    CONNECT_FAILED(502, "Bad Gateway", "No node of the upstream could be reached."),
    /** Where the node is may not be connected to: see {@code upstreamAllow} of the settings. */
    ADDRESS_REFUSED(502, "Bad Gateway", "No node of the upstream could be reached."),
    UPSTREAM_RESET(502, "Bad Gateway", "The upstream closed the connection before it answered."),
    BAD_RESPONSE(502, "Bad Gateway", "The upstream sent an invalid HTTP response."),
    QUEUE_FULL(503, "Service Unavailable", "Too many requests wait for the upstream."),
    WAIT_TOO_LONG(503, "Service Unavailable", "The upstream has more requests than it answers in time."),
    TUNNELS_FULL(503, "Service Unavailable", "Too many upgraded connections are open."),
    NO_NODE(503, "Service Unavailable", "No node of the upstream takes requests."),
    CIRCUIT_OPEN(503, "Service Unavailable", "The upstream fails too often and gets no requests for now."),
    UPSTREAM_FULL(503, "Service Unavailable", "Too many requests to the upstream are in progress."),
    /** The status is that of the plugin. */
    FAULT_INJECTED(503, "Service Unavailable", "Fault injected."),
    IDENTITY_UNKNOWN(503, "Service Unavailable", "The client's credentials cannot be checked at the moment."),
    HOLDS_TOO_MUCH(503, "Service Unavailable", "Too much memory is held for slow clients."),
    TOO_BUSY(503, "Service Unavailable", "Too many requests run at the same time."),
    NOT_READY(503, "Service Unavailable", "The gateway is not ready."),
    /** The gateway ends the connection of a client that has requests in progress: it stops, or an operator asked. */
    CONNECTION_ENDED(503, "Service Unavailable", "The gateway ended the connection."),
    CONNECT_TIMEOUT(504, "Gateway Timeout", "No connection to the upstream became available in time."),
    RESPONSE_TIMEOUT(504, "Gateway Timeout", "The upstream did not answer in time."),
    TOTAL_TIMEOUT(504, "Gateway Timeout", "The exchange took longer than allowed."),
    LOOP(508, "Loop Detected", "The request came back to the gateway that sent it."),
    VERSION(505, "HTTP Version Not Supported", "The HTTP version is not supported."),
    /** The client went away: nobody is left to be told. The status is for the log only, as nginx writes it. */
    READ_TOO_SLOW(499, "Client Closed Request", "The client read the response too slowly."),
    CLIENT_ABORTED(499, "Client Closed Request", "The client closed the connection."),
    /** The response broke off after its head was sent: the connection is aborted. */
    BODY_ABORTED(502, "Bad Gateway", "The upstream closed the connection within its response."),
    /** The response paused for too long after its head was sent: the connection is aborted. */
    BODY_TIMEOUT(504, "Gateway Timeout", "The upstream paused for too long within its response.");

    private final int status;
    private final String title;
    private final String detail;
    private final String label;

    ErrorKind(int status, String title, String detail) {
        this.status = status;
        this.title = title;
        this.detail = detail;
        this.label = name().toLowerCase(Locale.ROOT);
    }

    public int status() {
        return status;
    }

    /** Returns the reason phrase. */
    public String title() {
        return title;
    }

    /** Returns one sentence for the client that says nothing about what is behind the gateway. */
    public String detail() {
        return detail;
    }

    /** Returns whether there is only too much to do now, so that the same request may succeed in a moment. */
    public boolean isOverload() {
        return switch (this) {
            case QUEUE_FULL, WAIT_TOO_LONG, TUNNELS_FULL, UPSTREAM_FULL, CIRCUIT_OPEN, TOO_BUSY, HOLDS_TOO_MUCH -> true;
            default -> false;
        };
    }

    /** Returns the name in metrics and logs: {@code connect_timeout}. */
    public String label() {
        return label;
    }
}
