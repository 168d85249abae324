package io.sigma.dataplane.engine.relay;

import io.netty.buffer.ByteBuf;
import io.sigma.dataplane.exchange.Downstream;
import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.Fields;
import io.sigma.dataplane.exchange.GatewayError;
import io.sigma.dataplane.exchange.ResponseHead;
import io.sigma.dataplane.loop.Loop;
import org.jspecify.annotations.Nullable;

/** The client's side of an exchange, as a call sees it. Confined to the event loop of the client's connection. */
public interface ClientStream extends Downstream {

    Exchange exchange();

    Loop loop();

    RequestBody body();

    /** Returns the call in progress or the last one; null before the first. */
    @Nullable
    Call call();

    /** Makes {@code started} the one that hears when the client reads again. */
    void call(Call started);

    boolean isHttp2();

    /** Returns whether the exchange is over. */
    boolean isEnded();

    /** Returns whether a final response has begun. */
    boolean isHeadWritten();

    /** Notes whether the node is waited for, so that the client's connection is not idle meanwhile. */
    void waiting(boolean now);

    void writeContinue();

    void writeEarlyHints(Fields hints);

    /** Begins the response; a body follows piece by piece unless it has none. */
    void respond(ResponseHead head);

    /** Writes a piece of the body, which is the client's to release. */
    void write(ByteBuf piece);

    /**
     * Returns whether the client has to read before more should be written; {@link Call#onClientDrained} follows then.
     *
     * @param readAhead how much may wait beside what the connection takes, in bytes
     */
    boolean isFull(int readAhead);

    /**
     * Ends the response.
     *
     * @param trailers null for none
     */
    void finish(@Nullable Fields trailers);

    /** Answers 101 and passes bytes in both directions from then on; ends the exchange when either side ends. */
    void switchTo(ResponseHead head, NodeStream node, Runnable onClosed);

    /**
     * Ends the stream so that the client cannot take the response for complete.
     *
     * @param code tells an HTTP/2 client why
     */
    void abort(long code);

    /** Ends the exchange. */
    void end(@Nullable GatewayError error);
}
