package io.sigma.dataplane.engine.vertx;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.sigma.dataplane.engine.ServerBinding;
import io.sigma.dataplane.engine.http1.ClientLink;
import io.sigma.dataplane.exchange.ClientKey;
import io.sigma.model.ProxyProtocol;
import io.sigma.model.ProxyServer;
import io.sigma.model.ServerLimits;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.net.impl.ShutdownEvent;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What one event loop accepts for a plaintext listener. Vert.x never hears of a connection that speaks HTTP/1.1; it gets
 * those that begin with the preface of HTTP/2, before an octet of them is read. Confined to the event loop.
 */
final class PlainListener {

    private final VertxEngine engine;
    private final VertxLoop loop;
    private final ServerBinding binding;
    private final ServerOptions options;
    private final Supplier<ServerLimits> limits;
    private final boolean sendsFiles;
    private @Nullable PlainConnection first;
    private @Nullable Promise<Void> closing;

    /**
     * @param options of the server of Vert.x that gets what is not of this listener
     */
    PlainListener(VertxEngine engine, VertxLoop loop, ServerBinding binding, ServerOptions options) {
        this.engine = engine;
        this.loop = loop;
        this.binding = binding;
        this.options = options;
        this.limits = binding::limits;
        this.sendsFiles = engine.vertx().transport().supportFileRegion();
    }

    /**
     * Takes a connection that was accepted.
     *
     * @param vertx makes it one of Vert.x
     */
    void accept(Channel channel, ChannelHandler vertx) {
        ProxyServer source = options.follow();
        if (source.http2().only() || source.proxyProtocol() != ProxyProtocol.OFF) {
            options.accept(channel, vertx, source.proxyProtocol(), loop.loop().memory());
            return;
        }
        long client = channel.remoteAddress() instanceof InetSocketAddress remote
                ? binding.clientOf(remote.getAddress())
                : ClientKey.NOBODY;
        if (binding.connected(client)) {
            boolean http2 = source.http2().enabled();
            PlainConnection connection = new PlainConnection(this, channel, client, http2 ? vertx : null);
            add(connection);
            channel.closeFuture().addListener(connection);
            channel.pipeline().addLast(connection);
        } else {
            channel.close();
        }
    }

    VertxLoop loop() {
        return loop;
    }

    /** Returns what returns the limits as they are now. */
    Supplier<ServerLimits> limits() {
        return limits;
    }

    /** Makes {@code channel} a connection of Vert.x: it has begun with the preface of HTTP/2, which was spoken when it came. */
    void toVertx(Channel channel, ChannelHandler vertx) {
        options.add(channel, vertx, ProxyProtocol.OFF);
    }

    /** Speaks HTTP/1.1 on {@code connection} from now on. */
    ClientLink link(Channel channel, PlainConnection connection) {
        var client = new ClientConnection(engine, loop, binding, channel, connection);
        ClientLink link = new ClientLink(client, loop.http1(), sendsFiles);
        channel.pipeline().addLast(link);
        link.sendPastHandlers();
        return link;
    }

    private void add(PlainConnection connection) {
        connection.next = first;
        if (first != null) {
            first.previous = connection;
        }
        first = connection;
    }

    /** Forgets one that Vert.x has now, or that is closed. */
    void remove(PlainConnection connection) {
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
    void closed(PlainConnection connection) {
        remove(connection);
        binding.disconnected(connection.client());
    }

    /**
     * Closes connections after the exchange that runs or begins soon, all of them after {@code drainMillis}.
     *
     * @return completes when all are closed
     */
    Future<Void> shutdown(long drainMillis) {
        Promise<Void> closed = Promise.promise();
        closing = closed;
        ShutdownEvent event = new ShutdownEvent(drainMillis, TimeUnit.MILLISECONDS);
        for (PlainConnection each = first; each != null; ) {
            PlainConnection next = each.next;
            each.shutdown(event);
            each = next;
        }
        if (first == null) {
            closed.tryComplete();
        } else {
            loop.loop().scheduler().schedule(this::closeAll, drainMillis);
        }
        return closed.future();
    }

    private void closeAll() {
        while (first != null) {
            PlainConnection each = first;
            remove(each);
            each.close();
        }
    }
}
