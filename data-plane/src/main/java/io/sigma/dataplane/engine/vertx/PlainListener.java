package io.sigma.dataplane.engine.vertx;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.sigma.dataplane.engine.ServerBinding;
import io.sigma.dataplane.engine.http1.ClientLink;
import io.sigma.model.ServerLimits;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.net.impl.ShutdownEvent;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What one event loop accepts for a plaintext listener. Vert.x never hears of a connection that speaks HTTP/1.1; it gets
 * those that begin with the preface of HTTP/2, before an octet of them is read. Confined to the event loop.
 */
final class PlainListener {

    private final VertxEngine engine;
    private final VertxLoop loop;
    private final ServerBinding binding;
    private final ServerLimits limits;
    private final boolean http2;
    private final boolean http2Only;
    private final boolean sendsFiles;
    private @Nullable PlainConnection first;
    private @Nullable Promise<Void> closing;

    /**
     * @param http2 whether HTTP/2 is spoken with clients that begin with its preface
     * @param http2Only whether anything else is refused
     */
    PlainListener(
            VertxEngine engine,
            VertxLoop loop,
            ServerBinding binding,
            ServerLimits limits,
            boolean http2,
            boolean http2Only) {
        this.engine = engine;
        this.loop = loop;
        this.binding = binding;
        this.limits = limits;
        this.http2 = http2;
        this.http2Only = http2Only;
        this.sendsFiles = engine.vertx().transport().supportFileRegion();
    }

    /**
     * Takes a connection that was accepted.
     *
     * @param vertx makes it one of Vert.x
     */
    void accept(Channel channel, ChannelHandler vertx) {
        if (http2Only) {
            channel.pipeline().addLast(vertx);
        } else if (binding.connected()) {
            PlainConnection connection = new PlainConnection(this, channel, http2 ? vertx : null);
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

    ServerLimits limits() {
        return limits;
    }

    /** Speaks HTTP/1.1 on {@code connection} from now on. */
    ClientLink link(Channel channel, PlainConnection connection) {
        var client = new ClientConnection(engine, loop, binding, limits, channel, connection);
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
        binding.disconnected();
    }

    /**
     * Closes connections: idle ones at once, others after the exchange that runs, all of them after {@code drainMillis}.
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
