package io.sigma.dataplane.engine.body;

import io.netty.buffer.ByteBuf;
import io.sigma.dataplane.engine.uring.PipedBytes;

/**
 * Takes the body of a request. {@code RequestRelay} and {@code TunnelBody} implement it, and {@code RequestBody} calls
 * it. Confined to the event loop.
 */
public interface BodySink {

    /** Takes a piece, which is the sink's to release. */
    void onBody(ByteBuf data);

    /** Takes a piece, which is the sink's to release; comes only after {@link RequestBody#pipe}. */
    void onBodyPiped(PipedBytes piece);

    void onBodyEnd();
}
