package io.sigma.dataplane.engine.relay;

/** The states of a call. They are numbers, because each write of a reference costs a fence of the garbage collector. */
final class CallState {

    /** The call waits for the request body, or for the next loop iteration. */
    static final int HOLDING = 0;

    static final int CONNECTING = 1;
    /** The call has a connection to the node, and a stream is being opened on it. */
    static final int OPENING = 2;

    static final int SENDING = 3;
    /** All of the request is sent. */
    static final int AWAITING = 4;

    static final int RESPONDING = 5;
    static final int TUNNEL = 6;
    static final int OVER = 7;

    private CallState() {}
}
