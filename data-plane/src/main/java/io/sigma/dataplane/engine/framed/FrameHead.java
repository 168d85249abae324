package io.sigma.dataplane.engine.framed;

/** The values in the head of a frame. Reused for the next frame. Confined to the event loop. */
final class FrameHead {

    /** The kind of a frame. */
    enum Kind {
        REQUEST,
        /** A request that is not answered. */
        ONE_WAY,
        RESPONSE,
        /** Asks whether the connection lives. */
        HEARTBEAT,
        /** Says that the connection lives. */
        HEARTBEAT_ANSWER,
        /** Says that the sender takes no more requests. */
        LEAVING
    }

    Kind kind = Kind.REQUEST;
    /** The id, which the answer has too. */
    long id;
    /** The part of the request's form that an answer needs, packed by the protocol. */
    long form;
    /** The time that the client waits, in milliseconds. 0 if the frame has no time. */
    int timeoutMillis;
    /** The status of an answer in terms of the protocol; -1 where it has none. */
    int status;
    /** The outcome of an answer, as a status of HTTP. */
    int httpStatus;

    /** Where the name of the service begins within the frame, and its length. */
    int serviceAt;

    int serviceLength;
    /** The same of the method; no length for none. */
    int methodAt;

    int methodLength;
    /** The same of the header pairs. */
    int headersAt;

    int headersLength;

    /** Empties it. */
    void clear() {
        kind = Kind.REQUEST;
        id = 0;
        form = 0;
        timeoutMillis = 0;
        status = -1;
        httpStatus = 0;
        serviceAt = 0;
        serviceLength = 0;
        methodAt = 0;
        methodLength = 0;
        headersAt = 0;
        headersLength = 0;
    }
}
