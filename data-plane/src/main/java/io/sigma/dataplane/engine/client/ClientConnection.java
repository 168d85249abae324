package io.sigma.dataplane.engine.client;

import io.netty.channel.Channel;
import io.sigma.dataplane.engine.ServerBinding;
import io.sigma.dataplane.engine.accept.AcceptedConnection;
import io.sigma.dataplane.engine.relay.ClientSocket;
import io.sigma.dataplane.engine.relay.PrivateNode;
import io.sigma.dataplane.engine.relay.RequestLine;
import io.sigma.dataplane.engine.relay.SpoolFiles;
import io.sigma.dataplane.engine.relay.TargetCache;
import io.sigma.dataplane.engine.tls.ListenerTls;
import io.sigma.dataplane.engine.tls.SniKeys;
import io.sigma.dataplane.engine.tunnel.HalfClose;
import io.sigma.dataplane.exchange.Fields;
import io.sigma.dataplane.exchange.RequestHead;
import io.sigma.dataplane.loop.Loop;
import io.sigma.dataplane.upstream.proxied.ClientPools;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** The state that all requests of a client's connection share. Confined to its event loop. */
final class ClientConnection implements ClientSocket {

    /** 0.0.0.0, which no rule means: the address of a client that is gone already. */
    private static final InetAddress UNKNOWN = InetAddress.ofLiteral("0.0.0.0");

    private final HttpProtocol protocol;
    private final HttpLoop shared;
    private final Loop loop;
    private final @Nullable ListenerTls tls;
    private final @Nullable String requestedName;
    private final @Nullable String clientSubject;
    private final AcceptedConnection accepted;
    private final Channel channel;
    private @Nullable ClientPools ownPools;
    private @Nullable NamedAuthority lastAuthority;
    private @Nullable RequestHead lastHead;
    private @Nullable PrivateNode privateNode;
    private final HttpConnection guard;
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

    ClientConnection(HttpProtocol protocol, HttpLoop shared, AcceptedConnection accepted, HttpConnection guard) {
        this.protocol = protocol;
        this.shared = shared;
        this.loop = accepted.loop();
        this.tls = accepted.tls();
        this.accepted = accepted;
        this.channel = accepted.channel();
        this.guard = guard;
        SSLSession session = accepted.session();
        this.requestedName = SniKeys.requestedName(session);
        this.clientSubject = accepted.clientSubject();
        InetSocketAddress remote = accepted.remoteAddress();
        this.remoteAddress = remote == null ? UNKNOWN : unscoped(remote.getAddress());
        this.remotePort = remote == null ? 0 : remote.getPort();
        this.localPort = accepted.localPort();
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

    @Override
    public SpoolFiles spools() {
        return protocol.spools();
    }

    @Override
    public @Nullable Object owner() {
        return protocol.binding().ownerOf(remoteAddress);
    }

    /** Returns what was asked for on this loop. */
    TargetCache targets() {
        return shared.targets();
    }

    @Override
    public Loop loop() {
        return loop;
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

    @Override
    public ClientPools ownPools() {
        ClientPools known = ownPools;
        if (known == null) {
            ClientPools made = new ClientPools(accepted.proxied(), loop.index());
            ownPools = made;
            known = made;
            channel.closeFuture().addListener(closed -> made.end());
        }
        return known;
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
        return protocol.binding();
    }

    boolean tls() {
        return tls != null;
    }

    /**
     * Returns whether the certificate of this connection is the one for {@code host} too (RFC 9110 §7.4). A proxy that
     * is trusted may ask for one name and speak for many.
     *
     * @param host empty where the client names none
     */
    boolean serves(String host) {
        return tls == null
                || requestedName == null
                || requestedName.equals(host)
                || host.isEmpty()
                || tls.keys().servesAlike(requestedName, host)
                || binding().trusts(remoteAddress);
    }

    /** Returns the subject of the client's certificate, null when it has none. */
    @Override
    public @Nullable String clientSubject() {
        return clientSubject;
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
