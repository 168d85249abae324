package io.sigma.dataplane.engine.relay;

/** What a call does at present. Numbers, because the collector fences each reference that is set. */
final class CallState {

    /** It waits for the body of its client, or for the next loop iteration. */
    static final int HOLDING = 0;

    static final int CONNECTING = 1;
    /** It has a connection, on which a stream is being opened. */
    static final int OPENING = 2;

    static final int SENDING = 3;
    /** All of the request is sent. */
    static final int AWAITING = 4;

    static final int RESPONDING = 5;
    static final int TUNNEL = 6;
    static final int OVER = 7;

    private CallState() {}
}
