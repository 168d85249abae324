package io.sigma.dataplane.engine.vertx;

import io.sigma.dataplane.engine.ListenerHandle;
import io.sigma.dataplane.engine.ServerBinding;
import io.sigma.dataplane.engine.TlsMaterial;
import io.sigma.dataplane.engine.http1.ClientLink;
import io.sigma.model.ProxyProtocol;
import io.sigma.model.ProxyServer;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.impl.HttpServerConnection;
import io.vertx.core.http.impl.HttpServerImpl;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.net.impl.ConnectionBase;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One server on each event loop, all on one port. Thread-safe. */
final class VertxListener implements ListenerHandle {

    /** Streams that a client may reset, or may make the gateway reset, within so many seconds. */
    private static final int RESETS_MAX = 200;

    private static final int RESETS_SECONDS = 10;
    /** Longest wait for the header of the PROXY protocol. */
    private static final int PROXY_SECONDS = 5;

    /** Name that Vert.x gives it. */
    static final String HTTP1_DECODER = "httpDecoder";

    private static final int CHUNK_BYTES_MAX = 64 * 1024;
    /** Method, version and the spaces between, beside the target. */
    private static final int REQUEST_LINE_EXTRA = 64;

    private final List<HttpServer> servers;
    private final @Nullable ListenerTls tls;

    private VertxListener(List<HttpServer> servers, @Nullable ListenerTls tls) {
        this.servers = List.copyOf(servers);
        this.tls = tls;
    }

    /**
     * Opens a listener.
     *
     * @return fails when the address cannot be bound or the authorities cannot be used; nothing is open then
     */
    static Future<VertxListener> open(
            VertxEngine engine, ProxyServer source, @Nullable TlsMaterial material, ServerBinding binding) {
        ListenerTls tls = material == null ? null : new ListenerTls(material, source.http2());
        List<Future<HttpServer>> opening = new ArrayList<>();
        for (VertxLoop loop : engine.loops()) {
            opening.add(open(engine, loop, source, tls, binding));
        }
        return Future.join(opening)
                .map(all -> new VertxListener(all.<HttpServer>list(), tls))
                .recover(cause -> closeOpened(opening).transform(ignored -> Future.failedFuture(cause)));
    }

    private static Future<HttpServer> open(
            VertxEngine engine, VertxLoop loop, ProxyServer source, @Nullable ListenerTls tls, ServerBinding binding) {
        HttpServerOptions options = options(source);
        if (tls != null) {
            tls.apply(options);
        }
        Promise<HttpServer> promise = Promise.promise();
        VertxInternal guarded = new GuardedVertx(
                engine.vertx(),
                binding,
                loop,
                source.limits(),
                options,
                source.http2().only(),
                source.proxyProtocol(),
                engine.nativeHttp1());
        loop.context().runOnContext(ignored -> {
            HttpServer server = new HttpServerImpl(guarded, options);
            server.requestHandler(request -> {
                throw new IllegalStateException("each connection has a handler of its own");
            });
            server.connectionHandler(connection -> {
                HttpServerConnection http = (HttpServerConnection) connection;
                ConnectionBase socket = (ConnectionBase) connection;
                ClientConnection client = new ClientConnection(engine, loop, binding, source.limits(), tls, socket);
                http.handler(client::onRequest);
                http.invalidRequestHandler(client::onInvalidRequest);
                Http2HeadGuard.guard(socket.channel());
                boolean http1 = socket.channel().pipeline().get(HTTP1_DECODER) != null;
                if (http1 && engine.nativeHttp1()) {
                    new ClientLink(
                                    client,
                                    loop.flusher(),
                                    tls == null && engine.vertx().transport().supportFileRegion())
                            .install(socket.channel().pipeline());
                } else if (http1) {
                    if (socket.channel().pipeline().get(Http1Guard.NAME) == null) {
                        socket.channel().pipeline().addBefore("handler", Http1Guard.NAME, Http1Guard.INSTANCE);
                    }
                    socket.channel().pipeline().addBefore("handler", null, new BodyGuard(client));
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
    public Future<Void> changeTls(TlsMaterial material) {
        // All servers of a port share one context, that of the first.
        return tls == null ? Future.succeededFuture() : tls.change(material, servers.getFirst());
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
                .setUseProxyProtocol(source.proxyProtocol() != ProxyProtocol.OFF)
                .setProxyProtocolTimeout(PROXY_SECONDS)
                .setTcpNoDelay(true);
        return options;
    }
}
