package io.sigma.dataplane.engine.vertx;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.sigma.dataplane.engine.ServerBinding;
import io.sigma.dataplane.engine.http2.Http2Limits;
import io.sigma.dataplane.loop.HeldMemory;
import io.sigma.model.ProxyProtocol;
import io.sigma.model.ProxyServer;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.NetServerOptions;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * The options of one server of Vert.x, which it reads when it makes a connection. They follow the proxy server, so that a change of
 * it counts for the next connection and needs no other socket. Confined to the event loop once the server is made.
 */
final class ServerOptions {

    /** Longest wait for the header of the PROXY protocol. */
    private static final int PROXY_SECONDS = 5;

    private static final int CHUNK_BYTES_MAX = 64 * 1024;
    /** Method, version and the spaces between, beside the target. */
    private static final int REQUEST_LINE_EXTRA = 64;

    private final ServerBinding binding;
    private final HttpServerOptions http;
    /** Vert.x's copy, of which it reads what is done before HTTP begins; null until the server listens. */
    private @Nullable NetServerOptions tcp;

    private ProxyServer known;

    ServerOptions(ProxyServer source, ServerBinding binding) {
        this.binding = binding;
        this.known = source;
        this.http = new HttpServerOptions()
                .setMaxChunkSize(CHUNK_BYTES_MAX)
                .setHandle100ContinueAutomatically(false)
                .setPerFrameWebSocketCompressionSupported(false)
                .setPerMessageWebSocketCompressionSupported(false)
                .setHttp2RstFloodMaxRstFramePerWindow(Http2Limits.RESETS_MAX)
                .setHttp2RstFloodWindowDuration(Http2Limits.RESETS_SECONDS)
                .setProxyProtocolTimeout(PROXY_SECONDS)
                .setTcpNoDelay(true);
        set(source);
    }

    private void set(ProxyServer source) {
        known = source;
        set(http, source);
    }

    /** @throws IllegalArgumentException when a value of {@code source} is not possible */
    static void set(HttpServerOptions http, ProxyServer source) {
        http.setMaxInitialLineLength(source.limits().targetBytesMax() + REQUEST_LINE_EXTRA)
                .setMaxHeaderSize(source.limits().headBytesMax())
                .setHttp2ClearTextEnabled(source.http2().enabled())
                .setInitialSettings(settings(source));
    }

    /** Returns what a client is told that speaks HTTP/2 with Vert.x. */
    static Http2Settings settings(ProxyServer source) {
        return new Http2Settings()
                .setMaxConcurrentStreams(source.http2().streamsMax())
                .setMaxHeaderListSize(source.limits().headBytesMax());
    }

    HttpServerOptions http() {
        return http;
    }

    /** Notes the copy that Vert.x made. */
    void listens(NetServerOptions copy) {
        tcp = copy;
    }

    /** Takes over the proxy server as it is now, for the connection that begins. */
    @SuppressWarnings("ReferenceEquality") // What did not change is the same object.
    ProxyServer follow() {
        ProxyServer now = binding.source();
        if (now != known) {
            set(now);
        }
        return now;
    }

    /**
     * Makes {@code accepted} a connection of Vert.x, if there is a place for it.
     *
     * @param vertx does so
     * @param proxied whether it begins with a header of the PROXY protocol
     * @param memory of the event loop
     */
    void accept(Channel accepted, ChannelHandler vertx, ProxyProtocol proxied, HeldMemory memory) {
        if (BeforeHttp.begin(accepted, binding, this, memory, proxied)) {
            add(accepted, vertx, proxied);
        }
    }

    /**
     * Makes {@code accepted}, which counts for its client, a connection of Vert.x.
     *
     * @param vertx does so
     * @param proxied whether it begins with a header of the PROXY protocol
     */
    void add(Channel accepted, ChannelHandler vertx, ProxyProtocol proxied) {
        NetServerOptions read = tcp;
        if (read != null) {
            read.setUseProxyProtocol(proxied != ProxyProtocol.OFF);
        }
        if (proxied == ProxyProtocol.OPTIONAL) {
            accepted.pipeline().addLast(new OptionalHeader(isTrusted(accepted)));
        }
        accepted.pipeline().addLast(vertx);
    }

    /** Whoever may say where a connection came from is one whose forwarding fields are believed. */
    boolean isTrusted(Channel channel) {
        return channel.remoteAddress() instanceof InetSocketAddress peer && binding.trusts(peer.getAddress());
    }
}
