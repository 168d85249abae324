package io.sigma.dataplane.exchange;

import org.jspecify.annotations.Nullable;

/**
 * The measurements of an exchange, for the log and the metrics. Confined to the event loop of the client's connection.
 */
abstract class ExchangeRecord implements ByteCounter {

    private long startNanos;
    private @Nullable String userAgent;
    private String route = "";
    private int status;
    private int attempts;
    private long bytesIn;
    private long bytesOut;
    private long connectedNanos;
    private long firstByteNanos;
    private @Nullable GatewayError error;

    /**
     * Begins the record of a request.
     *
     * @param nanos when its head was complete, by {@link System#nanoTime()}
     */
    final void begin(RequestHead head, long nanos) {
        startNanos = nanos;
        userAgent = head.fields().get("user-agent");
    }

    /** Empties it for the record of another request, see {@link #begin}. */
    final void clear() {
        route = "";
        status = 0;
        attempts = 0;
        bytesIn = 0;
        bytesOut = 0;
        connectedNanos = 0;
        firstByteNanos = 0;
        error = null;
    }

    public final long startNanos() {
        return startNanos;
    }

    /** Returns the user agent as it was sent; header edits do not change it. */
    public final @Nullable String userAgent() {
        return userAgent;
    }

    /** Returns the id of the route that was matched; empty when none was. */
    public final String route() {
        return route;
    }

    public final void route(String matched) {
        route = matched;
    }

    /** Returns the status of the response, 0 while there is none. */
    public final int status() {
        return status;
    }

    public final void status(int sent) {
        status = sent;
    }

    /** Returns how many times a node was chosen for the request. */
    public final int attempts() {
        return attempts;
    }

    public final void attempts(int tries) {
        attempts = tries;
    }

    /** Returns the bytes of the request's body that arrived. */
    public final long bytesIn() {
        return bytesIn;
    }

    @Override
    public final void received(long bytes) {
        bytesIn += bytes;
    }

    /** Returns the bytes of the response's body that were written. */
    public final long bytesOut() {
        return bytesOut;
    }

    @Override
    public final void sent(long bytes) {
        bytesOut += bytes;
    }

    /** Returns when a connection to a node was obtained, 0 when none was. */
    public final long connectedNanos() {
        return connectedNanos;
    }

    public final void connectedNanos(long now) {
        connectedNanos = now;
    }

    /** Returns when the head of the node's response was there, 0 when it never was. */
    public final long firstByteNanos() {
        return firstByteNanos;
    }

    public final void firstByteNanos(long now) {
        firstByteNanos = now;
    }

    public final @Nullable GatewayError error() {
        return error;
    }

    /** Notes why the exchange failed; the first reason stays. */
    public final void fail(GatewayError reason) {
        if (error == null) {
            error = reason;
        }
    }
}
