package io.sigma.dataplane.engine.accept;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.handler.ssl.SslHandler;
import io.sigma.dataplane.engine.tls.ListenerTls;
import io.sigma.dataplane.engine.tls.ShownTls;
import io.sigma.dataplane.engine.uring.LateTimer;
import io.sigma.dataplane.loop.Loop;
import io.sigma.dataplane.upstream.proxied.ProxiedClient;
import io.sigma.dataplane.upstream.proxied.ProxiedTls;
import java.net.InetSocketAddress;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * A connection that a listener has accepted: the address of its client, also by the PROXY protocol, and what its TLS
 * handshake agreed on. {@code LoopListener} makes it for the {@link ListenerProtocol}. Confined to the event loop.
 */
public final class AcceptedConnection implements ChannelFutureListener {

    /** The time that a connection of a closing listener has to speak a protocol, in milliseconds. */
    private static final long BEGIN_MILLIS = 1_000;

    private final LoopListener listener;
    private final Channel channel;
    private final long client;
    private @Nullable InetSocketAddress said;
    private @Nullable InetSocketAddress saidDestination;
    private @Nullable SslHandler encryption;
    private ListenerProtocol.@Nullable Speaker speaker;
    /**
     * The time that the connection may continue after its listener closed, in milliseconds. -1 while the listener is
     * open.
     */
    private long drainMillis = -1;

    private boolean retires;

    /** Neighbours in the list of the listener. */
    @Nullable
    AcceptedConnection previous;

    @Nullable
    AcceptedConnection next;

    /**
     * @param client the number of the client address that the connection counts for
     */
    AcceptedConnection(LoopListener listener, Channel channel, long client) {
        this.listener = listener;
        this.channel = channel;
        this.client = client;
    }

    public Channel channel() {
        return channel;
    }

    public Loop loop() {
        return listener.loop().loop();
    }

    /** Returns what the listener encrypts with; null in plaintext. */
    public @Nullable ListenerTls tls() {
        return listener.tls();
    }

    /** Returns the session of TLS; null in plaintext. */
    public @Nullable SSLSession session() {
        return encryption == null ? null : encryption.engine().getSession();
    }

    /** Returns the subject of the client's certificate; null when it has shown none. */
    public @Nullable String clientSubject() {
        return encryption == null ? null : ShownTls.subject(encryption.engine());
    }

    /** Returns what was agreed on by ALPN (RFC 7301); null for nothing. */
    public @Nullable String applicationProtocol() {
        return encryption == null ? null : encryption.applicationProtocol();
    }

    /** Returns whose connection it is: the peer's, or by the word of a trusted peer another's; null when unknown. */
    public @Nullable InetSocketAddress remoteAddress() {
        return said == null ? internet(channel.remoteAddress()) : said;
    }

    /** Returns the port that it was accepted on; 0 when unknown. */
    public int localPort() {
        // That of the socket that listens, which need not be asked for each connection.
        Channel listening = channel.parent();
        InetSocketAddress shared = listening == null ? null : internet(listening.localAddress());
        InetSocketAddress local = shared == null ? internet(channel.localAddress()) : shared;
        return local == null ? 0 : local.getPort();
    }

    private static @Nullable InetSocketAddress internet(Object address) {
        return address instanceof InetSocketAddress known && !known.isUnresolved() ? known : null;
    }

    /**
     * Returns what a PROXY header to a node says about it: the addresses that the header of a trusted peer had, else
     * those of the socket.
     */
    public ProxiedClient proxied() {
        SslHandler tls = encryption;
        return proxied(tls == null ? null : ShownTls.of(tls));
    }

    /** Returns the same of a connection whose TLS is passed through to the node. */
    public ProxiedClient passed(@Nullable String serverName) {
        return encryption == null ? proxied(ProxiedTls.passed(serverName)) : proxied();
    }

    private ProxiedClient proxied(@Nullable ProxiedTls tls) {
        InetSocketAddress source = remoteAddress();
        InetSocketAddress destination = said == null ? internet(channel.localAddress()) : saidDestination;
        return new ProxiedClient(source, destination, tls);
    }

    /**
     * Notes whose connection it is by the word of a trusted peer; nulls when that does not say.
     *
     * @param destination that the client connected to
     */
    void isFrom(@Nullable InetSocketAddress source, @Nullable InetSocketAddress destination) {
        said = source;
        saidDestination = destination;
    }

    /** Lets the protocol of the listener begin. */
    void begin() {
        begin(listener.protocol().speaker(this));
    }

    /** Lets {@code begun} speak. */
    void begin(ListenerProtocol.Speaker begun) {
        speaker = begun;
        channel.pipeline().addLast(begun);
        if (drainMillis >= 0) {
            end(begun);
        }
    }

    private void end(ListenerProtocol.Speaker begun) {
        if (retires) {
            begun.retire(drainMillis);
        } else {
            begun.drain(drainMillis);
        }
    }

    /** Lets the protocol of the listener begin after a handshake. */
    void begin(SslHandler done) {
        encryption = done;
        begin();
    }

    /** Sends what TLS has to say beside what is spoken. */
    void flush() {
        if (speaker != null) {
            channel.pipeline().context(speaker).flush();
        }
    }

    /**
     * Ends it after what runs on it or begins soon.
     *
     * @param retire whether another process accepts at the address, so that its peer may take its time
     */
    void drain(long millis, boolean retire) {
        drainMillis = millis;
        retires = retire;
        if (speaker != null) {
            end(speaker);
        } else if (!retire) {
            LateTimer.start(channel.eventLoop(), Math.min(millis, BEGIN_MILLIS), this::closeIfSilent);
        }
    }

    private void closeIfSilent() {
        if (speaker == null) {
            close();
        }
    }

    /** Returns whether it ends by itself when its time is over. */
    boolean endsInTime() {
        return speaker != null && speaker.endsInTime();
    }

    void close() {
        channel.close();
    }

    /** Returns the client that it counts for. */
    long client() {
        return client;
    }

    /** The connection is closed. */
    @Override
    public void operationComplete(ChannelFuture closed) {
        listener.closed(this);
    }
}
