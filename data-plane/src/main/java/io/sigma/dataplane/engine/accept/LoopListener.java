package io.sigma.dataplane.engine.accept;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.sigma.dataplane.engine.ListenerBinding;
import io.sigma.dataplane.engine.tls.ListenerTls;
import io.sigma.dataplane.engine.tls.SessionTickets;
import io.sigma.dataplane.engine.tls.ShownTls;
import io.sigma.dataplane.engine.tls.TlsEnd;
import io.sigma.dataplane.exchange.ClientKey;
import io.sigma.model.ProxyProtocol;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Accepts a listener's connections on one event loop. It counts a connection for its client address, reads the PROXY
 * header if the listener expects one, and does the TLS handshake unless the protocol takes the encrypted bytes. Then
 * the protocol of the listener begins. Confined to the event loop.
 */
final class LoopListener {

    private final TrafficLoop loop;
    private final ListenerBinding binding;
    private final ListenerProtocol protocol;
    private final @Nullable ListenerTls tls;
    private @Nullable AcceptedConnection first;
    private @Nullable Promise<Void> closing;

    /**
     * @param tls null for a listener in plaintext
     */
    LoopListener(TrafficLoop loop, ListenerBinding binding, ListenerProtocol protocol, @Nullable ListenerTls tls) {
        this.loop = loop;
        this.binding = binding;
        this.protocol = protocol;
        this.tls = tls;
    }

    /** Takes a connection that was accepted. */
    void accept(Channel channel) {
        InetSocketAddress peer = channel.remoteAddress() instanceof InetSocketAddress known ? known : null;
        ProxyProtocol header = binding.source().proxyProtocol();
        // The peer, not what it will say: whoever may say that is trusted, and has no share of its own.
        boolean trusted = header != ProxyProtocol.OFF && peer != null && binding.trusts(peer.getAddress());
        long client = peer == null ? ClientKey.NOBODY : binding.clientOf(peer.getAddress());
        if ((header == ProxyProtocol.REQUIRED && !trusted) || !binding.connected(client)) {
            channel.close();
            return;
        }
        AcceptedConnection connection = new AcceptedConnection(this, channel, client);
        add(connection);
        channel.closeFuture().addListener(connection);
        if (tls == null && !trusted) {
            connection.begin();
            return;
        }
        Object owner = peer == null ? null : binding.ownerOf(peer.getAddress());
        HandshakeMemory before = new HandshakeMemory(channel, loop.loop().memory(), owner);
        channel.pipeline().addLast(before);
        if (trusted) {
            channel.pipeline().addLast(new ProxyHeader(header == ProxyProtocol.OPTIONAL, (source, destination) -> {
                connection.isFrom(source, destination);
                encrypt(connection, before);
            }));
        } else {
            encrypt(connection, before);
        }
    }

    private void encrypt(AcceptedConnection connection, HandshakeMemory before) {
        if (tls == null) {
            connection.begin();
            before.end();
            return;
        }
        ChannelHandler first = protocol.beforeTls(connection, new ListenerProtocol.Fate() {
            @Override
            public void decrypt() {
                agree(connection, before, tls);
            }

            @Override
            public void pass(ListenerProtocol.Speaker speaker) {
                connection.begin(speaker);
                before.end();
            }
        });
        if (first == null) {
            agree(connection, before, tls);
        } else {
            connection.channel().pipeline().addLast(first);
        }
    }

    /** Agrees on TLS. */
    private static void agree(AcceptedConnection connection, HandshakeMemory before, ListenerTls tls) {
        Channel channel = connection.channel();
        SslHandler encryption = tls.encrypt(channel);
        channel.pipeline().addLast(new ChannelInboundHandlerAdapter() {
            @Override
            public void userEventTriggered(ChannelHandlerContext triggered, Object event) {
                if (!(event instanceof SslHandshakeCompletionEvent handshake)) {
                    triggered.fireUserEventTriggered(event);
                } else if (handshake.isSuccess() && ShownTls.isExpired(encryption.engine())) {
                    triggered.close();
                } else if (handshake.isSuccess()) {
                    begin(connection, encryption);
                    before.end();
                    triggered.pipeline().remove(this);
                }
            }

            @Override
            public void exceptionCaught(ChannelHandlerContext failed, Throwable cause) {
                // The handshake fails, which ends the connection.
            }
        });
    }

    private static void begin(AcceptedConnection connection, SslHandler encryption) {
        Channel channel = connection.channel();
        TlsEnd.watch(channel.pipeline());
        connection.begin(encryption);
        SessionTickets.send(encryption.engine());
        connection.flush();
    }

    TrafficLoop loop() {
        return loop;
    }

    ListenerProtocol protocol() {
        return protocol;
    }

    @Nullable
    ListenerTls tls() {
        return tls;
    }

    private void add(AcceptedConnection connection) {
        connection.next = first;
        if (first != null) {
            first.previous = connection;
        }
        first = connection;
    }

    private void remove(AcceptedConnection connection) {
        if (connection.previous != null) {
            connection.previous.next = connection.next;
        } else if (connection == first) {
            first = connection.next;
        } else {
            return;
        }
        if (connection.next != null) {
            connection.next.previous = connection.previous;
        }
        connection.previous = null;
        connection.next = null;
        if (first == null && closing != null) {
            closing.tryComplete();
        }
    }

    /** Notes that one is closed that was counted when it was accepted. */
    void closed(AcceptedConnection connection) {
        remove(connection);
        binding.disconnected(connection.client());
    }

    /**
     * Closes connections after the exchange that runs or begins soon, all of them after {@code drainMillis}.
     *
     * @param retire as for {@link AcceptedConnection#drain}
     * @return completes when all are closed
     */
    Future<Void> shutdown(long drainMillis, boolean retire) {
        Promise<Void> closed = Promise.promise();
        closing = closed;
        for (AcceptedConnection each = first; each != null; ) {
            AcceptedConnection next = each.next;
            each.drain(drainMillis, retire);
            each = next;
        }
        if (first == null) {
            closed.tryComplete();
        } else {
            loop.loop().scheduler().schedule(() -> closeAll(false), drainMillis);
        }
        return closed.future();
    }

    /**
     * Closes what is left.
     *
     * @param all also connections that end by themselves
     */
    private void closeAll(boolean all) {
        for (AcceptedConnection each = first; each != null; ) {
            AcceptedConnection next = each.next;
            if (all || !each.endsInTime()) {
                remove(each);
                each.close();
            }
            each = next;
        }
        if (first != null) {
            loop.loop().scheduler().schedule(() -> closeAll(true), ListenerProtocol.LAST_MILLIS);
        }
    }
}
