package io.sigma.dataplane.engine.vertx;

import io.netty.channel.Channel;
import io.netty.util.NetUtil;
import io.sigma.dataplane.engine.ServerBinding;
import io.sigma.dataplane.engine.relay.ClientSocket;
import io.sigma.dataplane.engine.relay.HalfClose;
import io.sigma.dataplane.engine.relay.RequestLine;
import io.sigma.dataplane.engine.relay.SpoolFiles;
import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.Fields;
import io.sigma.dataplane.exchange.RequestHead;
import io.sigma.dataplane.loop.Loop;
import io.sigma.model.ProxyServer;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.impl.ConnectionBase;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Objects;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** What the requests of one connection of a client have in common. Confined to its event loop. */
final class ClientConnection implements ClientSocket {

    private static final long H2_PROTOCOL_ERROR = 1;
    /** 0.0.0.0, which no rule means: the address of a client that is gone already. */
    private static final InetAddress UNKNOWN = InetAddress.ofLiteral("0.0.0.0");

    private final VertxEngine engine;
    private final VertxLoop loop;
    private final ServerBinding binding;
    private final @Nullable ListenerTls tls;
    private final @Nullable String requestedName;
    private final @Nullable String clientSubject;
    private final Channel channel;
    private @Nullable NamedAuthority lastAuthority;
    private @Nullable RequestHead lastHead;
    private final ClientGuard guard;
    private final InetAddress remoteAddress;
    private final int remotePort;
    private final int localPort;
    /** The exchange that Vert.x handed over last. */
    private @Nullable VertxDownstream current;
    /** Requests that were decoded, those of them that Vert.x handed over, and the one whose body is malformed. */
    private long decoded;

    private long begun;
    private long malformed = -1;
    private boolean closing;
    /** Whose limits a client knows that speaks HTTP/2 with Vert.x. */
    private ProxyServer server;

    @Override
    public int prefetch(int distance) {
        return switch (distance) {
            case 0 -> (int) begun + (current == null ? 1 : 0);
            case 1 -> guard.prefetch(0);
            default -> 0;
        };
    }

    ClientConnection(
            VertxEngine engine,
            VertxLoop loop,
            ServerBinding binding,
            @Nullable ListenerTls tls,
            ConnectionBase connection) {
        this(
                engine,
                loop,
                binding,
                tls,
                connection.channel(),
                Objects.requireNonNull(connection.channel().pipeline().get(ClientGuard.class)),
                tls == null ? null : connection.sslSession(),
                remote(connection));
        if (channel.pipeline().get(VertxListener.HTTP1_DECODER) == null) {
            guard.noHeads();
        }
    }

    /** One in plaintext that Vert.x does not know. */
    ClientConnection(VertxEngine engine, VertxLoop loop, ServerBinding binding, Channel channel, ClientGuard guard) {
        this(engine, loop, binding, null, channel, guard, null, address(channel.remoteAddress()));
    }

    private ClientConnection(
            VertxEngine engine,
            VertxLoop loop,
            ServerBinding binding,
            @Nullable ListenerTls tls,
            Channel channel,
            ClientGuard guard,
            @Nullable SSLSession session,
            @Nullable InetSocketAddress remote) {
        this.engine = engine;
        this.loop = loop;
        this.binding = binding;
        this.server = binding.source();
        this.tls = tls;
        this.channel = channel;
        this.guard = guard;
        this.requestedName = SniKeys.requestedName(session);
        this.clientSubject = session == null ? null : subject(session);
        this.remoteAddress = remote == null ? UNKNOWN : unscoped(remote.getAddress());
        this.remotePort = remote == null ? 0 : remote.getPort();
        // The port is that of the socket that listens, which need not be asked for each connection.
        Channel listening = channel.parent();
        InetSocketAddress shared = listening == null ? null : address(listening.localAddress());
        InetSocketAddress local = shared == null ? address(channel.localAddress()) : shared;
        this.localPort = local == null ? 0 : local.getPort();
    }

    /** Returns the address of the client: what a header of the PROXY protocol said, else that of the peer. */
    private static @Nullable InetSocketAddress remote(ConnectionBase connection) {
        SocketAddress said = connection.remoteAddress();
        byte[] octets = said == null || !said.isInetSocket()
                ? null
                : NetUtil.createByteArrayFromIpAddressString(said.hostAddress());
        if (octets == null) {
            return address(connection.channel().remoteAddress());
        }
        try {
            return new InetSocketAddress(InetAddress.getByAddress(octets), said.port());
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address has 4 or 16 octets", e);
        }
    }

    /** Returns {@code address} without the network interface that a link-local one may have. */
    private static InetAddress unscoped(InetAddress address) {
        if (!(address instanceof Inet6Address scoped) || scoped.getScopeId() == 0) {
            return address;
        }
        try {
            return InetAddress.getByAddress(scoped.getAddress());
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address has 4 or 16 octets", e);
        }
    }

    private static @Nullable InetSocketAddress address(Object address) {
        return address instanceof InetSocketAddress internet && !internet.isUnresolved() ? internet : null;
    }

    /** Tells a client with which Vert.x speaks HTTP/2 of the limits that count now. */
    @SuppressWarnings("ReferenceEquality") // What did not change is the same object.
    private void follow(HttpConnection connection) {
        ProxyServer now = binding.source();
        if (now != server) {
            Http2Settings settings = ServerOptions.settings(now);
            if (!settings.equals(ServerOptions.settings(server))) {
                connection.updateSettings(settings);
            }
            server = now;
        }
    }

    void onRequest(HttpServerRequest request) {
        if (request.version() == HttpVersion.HTTP_2) {
            follow(request.connection());
        }
        if (request.version() == HttpVersion.HTTP_2 && !HeadDecoder.isWellFormed(request)) {
            request.response().reset(H2_PROTOCOL_ERROR);
            return;
        }
        if (closing) {
            return;
        }
        VertxDownstream downstream = new VertxDownstream(this, request);
        begun++;
        current = downstream;
        if (begun == malformed) {
            downstream.begin(new MalformedBody());
            return;
        }
        if (request.version() == HttpVersion.HTTP_2 && HeadDecoder.bodyBytes(request) < 0) {
            // Whether a body follows is known only when the frame that carried the head has been handled.
            downstream.read();
            loop.context().runOnContext(ignored -> downstream.begin(null));
        } else {
            downstream.begin(null);
        }
    }

    void onInvalidRequest(HttpServerRequest request) {
        if (closing) {
            return;
        }
        begun++;
        current = new VertxDownstream(this, request);
        current.begin(request.decoderResult().cause());
    }

    /** Notes that it will be closed: what follows the current request, which may be malformed, is nothing to act upon. */
    void closing() {
        closing = true;
    }

    /** Notes that the head of a request on HTTP/1 was decoded; Vert.x may hand it over later. */
    void requestDecoded() {
        decoded++;
    }

    /** Notes that the body of the request that was decoded last is malformed; nothing more follows. */
    void bodyMalformed() {
        malformed = decoded;
        if (begun == decoded && current != null) {
            current.bodyFailed(ErrorKind.BAD_REQUEST);
        }
    }

    /** The body of a request that waits for the one before it is malformed. */
    private static final class MalformedBody extends RuntimeException {
        private static final long serialVersionUID = 1L;

        MalformedBody() {
            super("the body is malformed", null, false, false);
        }
    }

    @Override
    public SpoolFiles spools() {
        return engine.spools();
    }

    @Override
    public @Nullable Object owner() {
        return owner(binding, remoteAddress);
    }

    /** Returns whom what is held for {@code client} counts for; null when others share it. */
    static @Nullable Object owner(ServerBinding binding, InetAddress client) {
        if (binding.trusts(client)) {
            return null;
        }
        return client instanceof Inet6Address
                ? ByteBuffer.wrap(client.getAddress()).getLong()
                : client;
    }

    VertxEngine engine() {
        return engine;
    }

    VertxLoop vertxLoop() {
        return loop;
    }

    @Override
    public Loop loop() {
        return loop.loop();
    }

    @Override
    public RequestHead head(RequestLine line, Fields fields, long bodyBytes) {
        RequestHead head = HeadDecoder.decode(this, line, fields, bodyBytes);
        lastHead = head;
        return head;
    }

    /** Returns the head of the request before; null when there was none. */
    @Nullable
    RequestHead lastHead() {
        return lastHead;
    }

    @Override
    public RequestHead placeholder(RequestLine line, Fields fields) {
        return HeadDecoder.placeholder(this, line.protocol(), line.method(), fields);
    }

    @Override
    public RequestHead http2Head(
            String method, String target, @Nullable String authority, Fields fields, long bodyBytes) {
        return HeadDecoder.decodeHttp2(this, method, target, authority, fields, bodyBytes);
    }

    @Override
    public RequestHead http2Placeholder(String method, Fields fields) {
        return HeadDecoder.placeholder(this, "HTTP/2", method, fields);
    }

    @Override
    public void endOutput() {
        HalfClose.output(channel);
    }

    /**
     * Returns what {@code sent} says, which is what the request before said in most cases.
     *
     * @throws io.sigma.dataplane.exchange.InvalidRequest when it is not a host with an optional port
     */
    NamedAuthority authority(String sent) {
        NamedAuthority known = lastAuthority;
        if (known == null || !known.sent().equals(sent)) {
            known = NamedAuthority.parse(sent, tls());
            lastAuthority = known;
        }
        return known;
    }

    @Override
    public void exchangeBegun() {
        guard.exchangeBegun();
    }

    @Override
    public void exchangeEnded() {
        guard.exchangeEnded();
    }

    @Override
    public void waitBegun() {
        guard.waitBegun();
    }

    @Override
    public void waitEnded() {
        guard.waitEnded();
    }

    @Override
    public void sent() {
        guard.touch();
    }

    @Override
    public void noHeads() {
        guard.noHeads();
    }

    @Override
    public ServerBinding binding() {
        return binding;
    }

    boolean tls() {
        return tls != null;
    }

    /** Returns whether the certificate of this connection is the one for {@code host} too (RFC 9110 §7.4). */
    boolean serves(String host) {
        return tls == null
                || requestedName == null
                || requestedName.equals(host)
                || tls.keys().servesAlike(requestedName, host);
    }

    /** Returns the subject of the client's certificate, null when it has none. */
    @Override
    public @Nullable String clientSubject() {
        return clientSubject;
    }

    private static @Nullable String subject(SSLSession session) {
        try {
            return session.getPeerPrincipal().getName();
        } catch (SSLPeerUnverifiedException e) {
            return null;
        }
    }

    ClientGuard guard() {
        return guard;
    }

    Channel channel() {
        return channel;
    }

    InetAddress remoteAddress() {
        return remoteAddress;
    }

    int remotePort() {
        return remotePort;
    }

    int localPort() {
        return localPort;
    }
}
