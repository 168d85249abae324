package io.sigma.dataplane.engine.vertx;

import io.sigma.dataplane.upstream.PooledConnection;
import io.vertx.core.http.HttpClientConnection;
import io.vertx.core.http.impl.HttpClientConnectionInternal;
import io.vertx.core.http.impl.UnpooledHttpClientConnection;

/** A connection to a node. Confined to its event loop. */
final class VertxConnection extends PooledConnection {

    private final HttpClientConnection http;
    private boolean open = true;

    VertxConnection(HttpClientConnectionInternal connection) {
        UnpooledCopy.guard(connection.channelHandlerContext().channel());
        connection.evictionHandler(ignored -> {
            // There is no pool of Vert.x that it could be taken from.
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

    HttpClientConnection http() {
        return http;
    }

    @Override
    protected boolean isOpen() {
        return open;
    }

    @Override
    protected void close() {
        open = false;
        http.close();
    }
}
