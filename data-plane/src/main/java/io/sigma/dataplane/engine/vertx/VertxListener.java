package io.sigma.dataplane.engine.vertx;

import io.sigma.dataplane.engine.ListenerHandle;
import io.sigma.dataplane.engine.ServerBinding;
import io.sigma.model.Protocol;
import io.sigma.model.ProxyServer;
import io.sigma.model.ServerHttp2;
import io.sigma.model.ServerTls;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.impl.HttpServerConnection;
import io.vertx.core.http.impl.HttpServerImpl;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.ServerSSLOptions;
import io.vertx.core.net.impl.ConnectionBase;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** One server on each event loop, all on one port. Thread-safe. */
final class VertxListener implements ListenerHandle {

    /** Streams that a client may reset, or may make the gateway reset, within so many seconds. */
    private static final int RESETS_MAX = 200;

    private static final int RESETS_SECONDS = 10;
    private static final int CHUNK_BYTES_MAX = 64 * 1024;
    /** Method, version and the spaces between, beside the target. */
    private static final int REQUEST_LINE_EXTRA = 64;

    private static final Http1Guard GUARD = new Http1Guard();

    private final List<HttpServer> servers;

    private VertxListener(List<HttpServer> servers) {
        this.servers = List.copyOf(servers);
    }

    /**
     * Opens a listener.
     *
     * @return fails when the address cannot be bound or the certificate cannot be read; nothing is open then
     */
    static Future<VertxListener> open(VertxEngine engine, ProxyServer source, ServerBinding binding) {
        List<Future<HttpServer>> opening = new ArrayList<>();
        for (VertxLoop loop : engine.loops()) {
            opening.add(open(engine, loop, source, binding));
        }
        return Future.join(opening)
                .map(all -> new VertxListener(all.<HttpServer>list()))
                .recover(cause -> closeOpened(opening).transform(ignored -> Future.failedFuture(cause)));
    }

    private static Future<HttpServer> open(
            VertxEngine engine, VertxLoop loop, ProxyServer source, ServerBinding binding) {
        HttpServerOptions options = options(source);
        boolean tls = options.isSsl();
        Promise<HttpServer> promise = Promise.promise();
        VertxInternal guarded = new GuardedVertx(
                engine.vertx(),
                binding,
                loop,
                source.limits().idleTimeoutMillis(),
                source.http2().only());
        loop.context().runOnContext(ignored -> {
            HttpServer server = new HttpServerImpl(guarded, options);
            server.requestHandler(request -> {
                throw new IllegalStateException("each connection has a handler of its own");
            });
            server.connectionHandler(connection -> {
                HttpServerConnection http = (HttpServerConnection) connection;
                ConnectionBase socket = (ConnectionBase) connection;
                ClientConnection client = new ClientConnection(engine, loop, binding, tls, socket);
                http.handler(client::onRequest);
                http.invalidRequestHandler(client::onInvalidRequest);
                if (socket.channel().pipeline().get("httpDecoder") != null) {
                    socket.channel().pipeline().addBefore("handler", "sigmaGuard", GUARD);
                    UnpooledCopy.guard(socket.channel());
                }
            });
            server.listen(source.port(), source.host()).onComplete(promise);
        });
        return promise.future();
    }

    private static Future<Void> closeOpened(List<Future<HttpServer>> opening) {
        List<Future<Void>> closing = opening.stream()
                .filter(Future::succeeded)
                .map(opened -> opened.result().close())
                .toList();
        return Future.join(closing).mapEmpty();
    }

    @Override
    public Future<Void> changeTls(String certPath, String keyPath) {
        // All servers of a port share one certificate, the one of the first.
        return servers.getFirst().updateSSLOptions(tls(certPath, keyPath), true).mapEmpty();
    }

    @Override
    public Future<Void> close(long drainMillis) {
        return Future.join(servers.stream()
                        .map(server -> server.shutdown(drainMillis, TimeUnit.MILLISECONDS))
                        .toList())
                .mapEmpty();
    }

    private static HttpServerOptions options(ProxyServer source) {
        var limits = source.limits();
        HttpServerOptions options = new HttpServerOptions()
                .setMaxInitialLineLength(limits.targetBytesMax() + REQUEST_LINE_EXTRA)
                .setMaxHeaderSize(limits.headBytesMax())
                .setMaxChunkSize(CHUNK_BYTES_MAX)
                .setHandle100ContinueAutomatically(false)
                .setPerFrameWebSocketCompressionSupported(false)
                .setPerMessageWebSocketCompressionSupported(false)
                .setInitialSettings(new Http2Settings()
                        .setMaxConcurrentStreams(source.http2().streamsMax())
                        .setMaxHeaderListSize(limits.headBytesMax()))
                .setHttp2ClearTextEnabled(source.http2().enabled())
                .setHttp2RstFloodMaxRstFramePerWindow(RESETS_MAX)
                .setHttp2RstFloodWindowDuration(RESETS_SECONDS)
                .setTcpNoDelay(true);
        ServerTls tls = source.tls();
        if (source.protocol() == Protocol.HTTPS && tls != null) {
            ServerSSLOptions ssl = tls(tls.certPath(), tls.keyPath());
            options.setSsl(true)
                    .setUseAlpn(true)
                    .setAlpnVersions(alpn(source.http2()))
                    .setKeyCertOptions(ssl.getKeyCertOptions())
                    .setEnabledSecureTransportProtocols(ssl.getEnabledSecureTransportProtocols());
        }
        return options;
    }

    private static List<HttpVersion> alpn(ServerHttp2 http2) {
        if (http2.only()) {
            return List.of(HttpVersion.HTTP_2);
        }
        return http2.enabled() ? List.of(HttpVersion.HTTP_2, HttpVersion.HTTP_1_1) : List.of(HttpVersion.HTTP_1_1);
    }

    private static ServerSSLOptions tls(String certPath, String keyPath) {
        return new ServerSSLOptions()
                .setKeyCertOptions(new PemKeyCertOptions().setCertPath(certPath).setKeyPath(keyPath))
                .setEnabledSecureTransportProtocols(Set.of("TLSv1.2", "TLSv1.3"));
    }
}
