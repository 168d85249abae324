package io.sigma.dataplane.engine.vertx;

import io.netty.channel.Channel;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.sigma.dataplane.engine.http1.Http1Loop;
import io.sigma.dataplane.engine.http1.NodeLink;
import io.sigma.dataplane.loop.Loop;
import io.sigma.dataplane.upstream.Connector;
import io.sigma.dataplane.upstream.NodeEndpoint;
import io.sigma.dataplane.upstream.PooledConnection;
import io.sigma.dataplane.upstream.SocketBudget;
import io.sigma.model.NodeProtocol;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.impl.CleanableHttpClient;
import io.vertx.core.http.impl.HttpChannelConnector;
import io.vertx.core.http.impl.HttpClientConnectionInternal;
import io.vertx.core.http.impl.HttpClientImpl;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.HostAndPort;
import io.vertx.core.net.SocketAddress;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections to nodes. A client serves all of a kind: only its connector is used, not its pool, whose slots a request that
 * is given up while it waits would keep. Thread-safe.
 */
final class NodeClients implements Connector {

    /** Longest that an attempt runs on after the request that caused it has stopped waiting. */
    private static final int CONNECT_MILLIS_MAX = 60_000;

    static final int HEAD_BYTES_MAX = 64 * 1024;
    static final int CHUNK_BYTES_MAX = 64 * 1024;
    /** What a node may send on one HTTP/2 stream ahead of a client that does not read, in bytes. */
    static final int STREAM_WINDOW_BYTES = 128 * 1024;

    /** That of a connection covers all streams, so that those of clients that do not read keep nothing from others. */
    private static final int CONNECTION_WINDOW_BYTES = Integer.MAX_VALUE;

    private final VertxInternal vertx;
    private final NodeTls tls;
    private final Destinations destinations;
    private final SocketBudget sockets;
    private final List<Http1Loop> http1Loops;
    /** Its connections are closed when this object is not reachable any more. */
    private final CleanableHttpClient client;
    /** For nodes with which HTTP/2 alone is spoken: a client offers, for equal trust, whatever it offered first. */
    private final CleanableHttpClient http2Client;

    /**
     * @param sockets what connections are counted in
     * @param http1Loops by the index of the loop
     */
    NodeClients(
            VertxInternal vertx,
            NodeTls tls,
            TlsEngines engines,
            Destinations destinations,
            SocketBudget sockets,
            List<Http1Loop> http1Loops) {
        this.sockets = sockets;
        this.http1Loops = List.copyOf(http1Loops);
        this.vertx = vertx;
        this.tls = tls;
        this.destinations = destinations;
        HttpClientOptions options = new HttpClientOptions()
                .setConnectTimeout(CONNECT_MILLIS_MAX)
                .setKeepAlive(true)
                .setKeepAliveTimeout(0)
                .setMaxHeaderSize(HEAD_BYTES_MAX)
                .setMaxInitialLineLength(HEAD_BYTES_MAX)
                .setMaxChunkSize(CHUNK_BYTES_MAX)
                .setHttp2ClearTextUpgrade(false)
                .setInitialSettings(new Http2Settings()
                        .setPushEnabled(false)
                        .setMaxHeaderListSize(HEAD_BYTES_MAX)
                        .setInitialWindowSize(STREAM_WINDOW_BYTES))
                .setHttp2ConnectionWindowSize(CONNECTION_WINDOW_BYTES)
                .setSslEngineOptions(engines.forNodes())
                .setTcpNoDelay(true);
        this.client = (CleanableHttpClient) vertx.createHttpClient(options);
        this.http2Client = (CleanableHttpClient) vertx.createHttpClient(options);
    }

    @Override
    public void connect(
            NodeEndpoint endpoint, Loop loop, Consumer<PooledConnection> onConnected, Consumer<Throwable> onFailed) {
        NodeEndpoint.Key key = endpoint.key();
        @Nullable ClientSSLOptions encryption;
        try {
            encryption = key.tls() ? tls.options(key) : null;
        } catch (IllegalStateException e) {
            loop.scheduler().execute(() -> onFailed.accept(e));
            return;
        }
        if (!sockets.tryNode()) {
            loop.scheduler().execute(() -> onFailed.accept(new SocketBudget.Exhausted()));
            return;
        }
        boolean http2 = key.protocol() == NodeProtocol.HTTP2;
        HttpClientImpl base = (HttpClientImpl) (http2 ? http2Client : client).delegate;
        destinations
                .of(key.url().host(), key.port())
                .compose(server -> connector(base, key, encryption, server).httpConnect(vertx.getOrCreateContext()))
                .onComplete(connection -> connected(connection, endpoint, loop, onConnected, onFailed), cause -> {
                    sockets.closed();
                    onFailed.accept(cause);
                });
    }

    private static HttpChannelConnector connector(
            HttpClientImpl base, NodeEndpoint.Key key, @Nullable ClientSSLOptions encryption, SocketAddress server) {
        return new HttpChannelConnector(
                base,
                base.netClient(),
                encryption,
                null,
                null,
                key.protocol() == NodeProtocol.HTTP2 ? HttpVersion.HTTP_2 : HttpVersion.HTTP_1_1,
                key.tls(),
                key.protocol() != NodeProtocol.HTTP1,
                HostAndPort.create(peerName(key), key.port()),
                server,
                false,
                0);
    }

    private void connected(
            HttpClientConnectionInternal connection,
            NodeEndpoint endpoint,
            Loop loop,
            Consumer<PooledConnection> onConnected,
            Consumer<Throwable> onFailed) {
        PooledConnection made;
        try {
            made = made(connection, endpoint, loop);
        } catch (IOException | RuntimeException | Error e) {
            // Its handlers are gone where it was closed meanwhile. Whoever waits has a place for it.
            connection.close();
            onFailed.accept(e);
            return;
        }
        onConnected.accept(made);
    }

    /** @throws IOException when the node does not speak what it has to */
    private PooledConnection made(HttpClientConnectionInternal connection, NodeEndpoint endpoint, Loop loop)
            throws IOException {
        NodeEndpoint.Key key = endpoint.key();
        Channel channel = connection.channelHandlerContext().channel();
        channel.closeFuture().addListener(ignored -> sockets.closed());
        // Vert.x's own writes a warning for each connection that is closed.
        connection.evictionHandler(ignored -> {});
        TlsEnd.watch(channel.pipeline());
        TlsPieces.joinIn(channel.pipeline());
        PausedReads.watch(channel.pipeline());
        boolean http2 = connection.channelHandlerContext().handler() instanceof Http2ConnectionHandler;
        if (key.protocol() == NodeProtocol.HTTP2 && !http2) {
            throw new IOException("the node does not speak HTTP/2");
        }
        return http2
                ? new VertxConnection(connection, key.pool().streamsMax())
                : NodeLink.install(channel.pipeline(), http1Loops.get(loop.index()));
    }

    /** Returns the name that is asked for and checked on TLS. */
    private static String peerName(NodeEndpoint.Key key) {
        String name = key.clientTls().serverName();
        return key.tls() && name != null ? name : key.url().host();
    }

    void close() {
        client.close();
        http2Client.close();
    }
}
