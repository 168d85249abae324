package io.sigma.dataplane.engine.accept;

import io.netty.channel.Channel;
import io.sigma.dataplane.engine.ServerBinding;
import io.sigma.dataplane.engine.relay.ClientSocket;
import io.sigma.dataplane.engine.relay.HalfClose;
import io.sigma.dataplane.engine.relay.PrivateNode;
import io.sigma.dataplane.engine.relay.RequestLine;
import io.sigma.dataplane.engine.relay.SpoolFiles;
import io.sigma.dataplane.engine.tls.ListenerTls;
import io.sigma.dataplane.engine.tls.SniKeys;
import io.sigma.dataplane.exchange.Fields;
import io.sigma.dataplane.exchange.RequestHead;
import io.sigma.dataplane.loop.Loop;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** What the requests of one connection of a client have in common. Confined to its event loop. */
final class ClientConnection implements ClientSocket {

    /** 0.0.0.0, which no rule means: the address of a client that is gone already. */
    private static final InetAddress UNKNOWN = InetAddress.ofLiteral("0.0.0.0");

    private final SpoolFiles spools;
    private final TrafficLoop loop;
    private final ServerBinding binding;
    private final @Nullable ListenerTls tls;
    private final @Nullable String requestedName;
    private final @Nullable String clientSubject;
    private final Channel channel;
    private @Nullable NamedAuthority lastAuthority;
    private @Nullable RequestHead lastHead;
    private @Nullable PrivateNode privateNode;
    private final AcceptedConnection guard;
    private final InetAddress remoteAddress;
    private final int remotePort;
    private final int localPort;

    @Override
    public int prefetch(int distance) {
        return switch (distance) {
            case 0 -> localPort;
            case 1 -> guard.prefetch(0);
            default -> 0;
        };
    }

    /**
     * @param session of TLS; null in plaintext
     * @param said whose connection it is by the word of a trusted peer; null when that is the peer's own
     */
    ClientConnection(
            LoopListener listener,
            AcceptedConnection guard,
            @Nullable SSLSession session,
            @Nullable InetSocketAddress said) {
        this.spools = listener.engine().spools();
        this.loop = listener.loop();
        this.binding = listener.binding();
        this.tls = listener.tls();
        this.channel = guard.channel();
        this.guard = guard;
        this.requestedName = SniKeys.requestedName(session);
        this.clientSubject = session == null ? null : subject(session);
        InetSocketAddress remote = said == null ? address(channel.remoteAddress()) : said;
        this.remoteAddress = remote == null ? UNKNOWN : unscoped(remote.getAddress());
        this.remotePort = remote == null ? 0 : remote.getPort();
        // The port is that of the socket that listens, which need not be asked for each connection.
        Channel listening = channel.parent();
        InetSocketAddress shared = listening == null ? null : address(listening.localAddress());
        InetSocketAddress local = shared == null ? address(channel.localAddress()) : shared;
        this.localPort = local == null ? 0 : local.getPort();
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

    @Override
    public SpoolFiles spools() {
        return spools;
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

    TrafficLoop trafficLoop() {
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
    public @Nullable PrivateNode privateNode() {
        return privateNode;
    }

    @Override
    public void privateNode(PrivateNode kept) {
        PrivateNode before = privateNode;
        privateNode = kept;
        if (before != null) {
            before.end();
        } else {
            // Once: a client that changes between nodes would add a listener for each change.
            channel.closeFuture().addListener(closed -> endPrivateNode());
        }
        if (!channel.isOpen()) {
            endPrivateNode();
        }
    }

    private void endPrivateNode() {
        PrivateNode last = privateNode;
        if (last != null) {
            last.end();
        }
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
