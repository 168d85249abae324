package io.sigma.dataplane.engine.relay;

import io.netty.buffer.ByteBuf;
import io.sigma.dataplane.engine.Forward;
import io.sigma.dataplane.engine.tunnel.Tunnel;
import io.sigma.dataplane.engine.tunnel.TunnelEnd;
import io.sigma.dataplane.engine.uring.PipedBytes;
import io.sigma.dataplane.exchange.Fields;
import org.jspecify.annotations.Nullable;

/**
 * A request on a connection to a node. Both protocols implement it, and {@code Call} uses it. Confined to its event
 * loop.
 */
public interface NodeStream {

    boolean isHttp2();

    /**
     * Sends the head.
     *
     * @param fields without Host, which {@code forward} tells
     * @param bodyBytes length of the body: 0 for none, -1 when not known in advance
     */
    void send(String method, Forward forward, Fields fields, long bodyBytes);

    /** Writes a piece of the body, which is the stream's to release. */
    void write(ByteBuf piece);

    /** Returns whether {@link #write(PipedBytes)} may be called. */
    default boolean takesPiped() {
        return false;
    }

    /** Writes a piece of the body, which is the stream's to release. */
    default void write(PipedBytes piece) {
        throw new IllegalStateException("it takes no piped bytes");
    }

    /**
     * Returns whether the node has to read before more should be written; {@link NodeEvents#onWritable} follows then.
     */
    boolean isFull();

    /** Returns how much waits for the node to read, in bytes. */
    long held();

    /**
     * Returns a number that becomes another one, while nothing is written, when the node has taken some of what waits.
     */
    long progress();

    /**
     * Returns how much of what was written the node has not received: what waits here, and what the kernel says. On
     * HTTP/2 that of other streams counts, too. In bytes.
     */
    long undelivered();

    /**
     * Ends the request.
     *
     * @param trailers null for none; they are dropped where the protocol or the framing has no place for them
     */
    void end(@Nullable Fields trailers);

    /** Returns whether the end of the request has left, which on HTTP/2 waits for the node's window. */
    boolean isWritten();

    /** Stops reading the response. */
    void pause();

    void resume();

    /** Has the rest of the response's body arrive by {@link NodeEvents#onPiped}, where that is possible and pays. */
    default void pipe() {}

    /** Has what follows arrive by {@link NodeEvents#onData} again; some of it may still be under way. */
    default void unpipe() {}

    /**
     * Has {@code next} hear what is still to come.
     *
     * @return false when nothing is to come
     */
    boolean handOver(NodeEvents next);

    /**
     * Tells the node that nobody waits for its response. {@link NodeEvents} hears when the node has ended it, maybe at
     * once.
     */
    void giveUp();

    /** Returns whether the response has no length that was announced, so that it may last. */
    default boolean isOpenEnded() {
        return false;
    }

    /**
     * Takes its connection out of the bound on connections, see
     * {@link io.sigma.dataplane.upstream.PooledConnection#becomeTunnel}.
     *
     * @return false when that is not possible
     */
    boolean becomeTunnel();

    /** Returns what passes bytes once protocols were switched. */
    TunnelEnd tunnelEnd();

    /** Passes everything that arrives to {@code joined} from now on. */
    default void join(Tunnel joined) {
        // The listener does that.
    }

    /**
     * Ends the use of the connection, which is not given back, so that only who keeps it can use it again.
     *
     * @return the connection; null when it cannot be kept
     */
    default @Nullable NodeConnection keep() {
        return null;
    }

    /**
     * Returns whether it is done with its listener as soon as it is released; else something may still be under way to
     * it.
     */
    boolean isSilentOnceReleased();

    /**
     * Returns whether the connection has carried a request before, or waited for one: the node may be closing it just
     * now.
     */
    boolean isReused();

    /**
     * Ends the use of the connection.
     *
     * @param reusable whether request and response are complete, so that it can carry another one; else it is given up
     */
    void release(boolean reusable);
}
