package io.sigma.dataplane.engine.relay;

import io.netty.buffer.ByteBuf;
import io.sigma.dataplane.engine.uring.PipedBytes;
import io.sigma.dataplane.exchange.Fields;
import io.sigma.dataplane.loop.Prefetched;
import org.jspecify.annotations.Nullable;

/**
 * The events of a {@link NodeStream}. {@code Call} implements it, and the streams of both protocols call it. Called on
 * the stream's event loop, and never after the stream is released.
 */
public interface NodeEvents extends Prefetched {

    /** The stream is there; maybe called before {@link NodeConnection#open} returns. */
    void onOpen(NodeStream stream);

    /** The node reads again. */
    void onWritable();

    /**
     * The head of an interim response, which any 1xx other than 101 is.
     *
     * @param fields that may be changed until this returns
     */
    void onInterim(int status, Fields fields);

    /**
     * The head of the final response, or 101.
     *
     * @param fields that may be changed
     * @param persistent whether the node keeps the connection (RFC 9112 §9.3)
     */
    void onHead(int status, Fields fields, boolean persistent);

    /** A piece of the body, which is the receiver's to release. */
    void onData(ByteBuf piece);

    /** A piece of the body, which is the receiver's to release; comes only after {@link NodeStream#pipe}. */
    default void onPiped(PipedBytes piece) {
        piece.release();
    }

    /**
     * The response is complete.
     *
     * @param trailers null for none
     */
    void onEnd(@Nullable Fields trailers);

    /** The request or the response failed. */
    void onFailed(NodeFailure failure);
}
