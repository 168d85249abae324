package io.sigma.dataplane.engine.http2.node;

import java.io.IOException;

/** A node has reset a stream before its response was complete. */
final class StreamReset extends IOException {

    private static final long serialVersionUID = 1;

    StreamReset(long code) {
        super("the node reset the stream with code " + code);
    }
}
