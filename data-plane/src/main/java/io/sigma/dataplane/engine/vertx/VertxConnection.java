package io.sigma.dataplane.engine.vertx;

import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.sigma.dataplane.engine.relay.NodeConnection;
import io.sigma.dataplane.engine.relay.NodeEvents;
import io.sigma.dataplane.engine.relay.NodeFailure;
import io.vertx.core.Future;
import io.vertx.core.http.HttpClientConnection;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.http.impl.HttpClientConnectionInternal;
import io.vertx.core.http.impl.UnpooledHttpClientConnection;

/** A connection to a node over which HTTP/2 is spoken. Confined to its event loop. */
final class VertxConnection extends NodeConnection {

    private static final RequestOptions NONE = new RequestOptions();

    private final HttpClientConnectionInternal connection;
    private final HttpClientConnection http;
    private final int streamsMax;
    private int streams;
    private int goAwayStream = Integer.MAX_VALUE;
    private boolean open = true;

    /**
     * @param streamsMax how many requests it carries at a time at most
     */
    VertxConnection(HttpClientConnectionInternal connection, int streamsMax) {
        this.connection = connection;
        this.streamsMax = streamsMax;
        this.streams = bounded(connection.concurrency());
        connection.evictionHandler(ignored -> {
            // There is no pool of Vert.x that it could be taken from.
        });
        connection.concurrencyChangeHandler(this::onConcurrency);
        GoAwayListener.install(
                (Http2ConnectionHandler) connection.channelHandlerContext().handler(), lastStream -> {
                    goAwayStream = Math.min(goAwayStream, lastStream);
                    drain();
                });
        this.http = new UnpooledHttpClientConnection(connection);
        http.exceptionHandler(ignored -> {
            // Whoever uses the connection hears of it through the request; the connection is closed after it.
        });
        http.closeHandler(ignored -> {
            open = false;
            closed();
        });
    }

    @Override
    public void open(NodeEvents events) {
        request()
                .onComplete(
                        created -> events.onOpen(new VertxNodeStream(this, created, events)),
                        cause -> events.onFailed(NodeFailure.unsent(cause)));
    }

    /** Runs {@code task} when what happens now is over. */
    void later(Runnable task) {
        connection.context().runOnContext(ignored -> task.run());
    }

    private Future<HttpClientRequest> request() {
        // Vert.x would count the streams of a shared connection, and count wrong when one is given up before it is
        // begun.
        return new UnpooledHttpClientConnection(connection).request(NONE);
    }

    /** Takes no more requests: one failed in a way that may concern all. */
    void giveUp() {
        drain();
    }

    /** Returns whether the node said that it did not look at that stream. */
    boolean isBeyondGoAway(int stream) {
        return stream > goAwayStream;
    }

    /** Gives up or ends a request's use of it; a stream is closed only when the frame that ended it has been handled. */
    void endRequest(long client) {
        connection.context().runOnContext(ignored -> release(true, client));
    }

    private void onConcurrency(long concurrency) {
        streams = bounded(concurrency);
        streamsChanged();
    }

    private int bounded(long concurrency) {
        return Math.clamp(concurrency, 0, streamsMax);
    }

    @Override
    protected int streamsMax() {
        return streams;
    }

    @Override
    protected boolean isOpen() {
        return open && connection.channelHandlerContext().channel().isActive();
    }

    @Override
    protected void close() {
        open = false;
        http.close();
    }
}
