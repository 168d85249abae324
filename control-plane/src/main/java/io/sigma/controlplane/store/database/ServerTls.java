package io.sigma.controlplane.store.database;

import io.sigma.controlplane.callback.Attempt;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.SslMode;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * Asks a server whether it speaks TLS before a connection to it is made, by SSLRequest (PostgreSQL's documentation,
 * "Message Flow"). The client library asks too, but leaves its connection open when the answer is no: the server would
 * hold one more process for each connection, for its {@code authentication_timeout} of a minute. Thread-safe; does not
 * block.
 */
final class ServerTls {

    /** Length and code of SSLRequest. */
    private static final Buffer SSL_REQUEST = Buffer.buffer().appendInt(8).appendInt(80_877_103);

    private static final byte YES = 'S';

    private final NetClient client;
    private final int timeoutMillis;

    /** @param timeoutMillis for the answer of a server */
    ServerTls(Vertx vertx, long timeoutMillis) {
        this.timeoutMillis = Math.toIntExact(timeoutMillis);
        this.client = vertx.createNetClient(new NetClientOptions().setConnectTimeout(this.timeoutMillis));
    }

    /**
     * Returns {@code options} as they suit the server: without TLS where they only prefer it and the server has none.
     * Fails when they require it and the server has none, and when the server does not answer.
     */
    Future<PgConnectOptions> agreed(PgConnectOptions options) {
        SslMode mode = options.getSslMode();
        if (mode == SslMode.DISABLE || mode == SslMode.ALLOW || options.isUsingDomainSocket()) {
            return Future.succeededFuture(options);
        }
        return speaksTls(options).compose(speaks -> {
            if (speaks) {
                return Future.succeededFuture(options);
            }
            if (mode == SslMode.PREFER) {
                return Future.succeededFuture(new PgConnectOptions(options).setSslMode(SslMode.DISABLE));
            }
            return Future.failedFuture(new IOException("The database at %s:%d does not speak TLS (sslmode=%s)"
                    .formatted(options.getHost(), options.getPort(), mode.value)));
        });
    }

    private Future<Boolean> speaksTls(PgConnectOptions options) {
        Promise<Boolean> answer = Promise.promise();
        Future<NetSocket> connecting = Attempt.of(() -> client.connect(options.getPort(), options.getHost()));
        connecting
                .onSuccess(socket -> {
                    socket.handler(data -> answer.tryComplete(data.getByte(0) == YES));
                    socket.exceptionHandler(answer::tryFail);
                    socket.closeHandler(closed -> answer.tryFail(new IOException("The server closed the connection")));
                    socket.write(SSL_REQUEST);
                })
                .onFailure(answer::tryFail);
        Future<Boolean> said = answer.future().timeout(timeoutMillis, TimeUnit.MILLISECONDS);
        connecting.onSuccess(socket -> said.onComplete(done -> socket.close()));
        return said;
    }

    void close() {
        client.close();
    }
}
