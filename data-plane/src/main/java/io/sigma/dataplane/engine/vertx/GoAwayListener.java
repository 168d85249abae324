package io.sigma.dataplane.engine.vertx;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Stream;
import java.util.function.IntConsumer;

/**
 * Hears of GOAWAY in place of Vert.x, which would fail streams that are paused while they end, and keep what the frame said
 * in memory that nobody releases. Everything else is passed on. Confined to the event loop.
 */
final class GoAwayListener implements Http2Connection.Listener {

    private final Http2Connection.Listener next;
    private final IntConsumer onGoAway;

    private GoAwayListener(Http2Connection.Listener next, IntConsumer onGoAway) {
        this.next = next;
        this.onGoAway = onGoAway;
    }

    /**
     * Takes the place of the handler's own listener.
     *
     * @param onGoAway takes the last stream that the peer looks at, before those beyond it are closed
     */
    static void install(Http2ConnectionHandler handler, IntConsumer onGoAway) {
        if (handler instanceof Http2Connection.Listener listener) {
            handler.connection().removeListener(listener);
            handler.connection().addListener(new GoAwayListener(listener, onGoAway));
        }
    }

    @Override
    public void onGoAwayReceived(int lastStreamId, long errorCode, ByteBuf debugData) {
        onGoAway.accept(lastStreamId);
    }

    @Override
    public void onGoAwaySent(int lastStreamId, long errorCode, ByteBuf debugData) {
        next.onGoAwaySent(lastStreamId, errorCode, debugData);
    }

    @Override
    public void onStreamAdded(Http2Stream stream) {
        next.onStreamAdded(stream);
    }

    @Override
    public void onStreamActive(Http2Stream stream) {
        next.onStreamActive(stream);
    }

    @Override
    public void onStreamHalfClosed(Http2Stream stream) {
        next.onStreamHalfClosed(stream);
    }

    @Override
    public void onStreamClosed(Http2Stream stream) {
        next.onStreamClosed(stream);
    }

    @Override
    public void onStreamRemoved(Http2Stream stream) {
        next.onStreamRemoved(stream);
    }
}
