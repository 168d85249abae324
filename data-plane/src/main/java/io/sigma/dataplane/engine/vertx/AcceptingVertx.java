package io.sigma.dataplane.engine.vertx;

import io.netty.channel.ChannelHandler;
import io.netty.channel.EventLoopGroup;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.internal.VertxWrapper;
import io.vertx.core.net.impl.NetServerInternal;
import io.vertx.core.net.impl.ServerID;
import io.vertx.core.spi.transport.Transport;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A Vert.x whose servers show a connection as soon as it is accepted, before anything of it is read, and may accept on an event
 * loop instead of a thread that only accepts.
 */
final class AcceptingVertx extends VertxWrapper {

    private final Transport transport;
    private final @Nullable VertxLoop acceptor;
    private final boolean ownSocket;

    /**
     * @param entry returns what an accepted connection begins with, given what makes it one of Vert.x; that is called on the
     *     event loop of the connection
     * @param acceptor accepts; null for the thread of Vert.x
     * @param ownSocket whether the acceptor has a socket of its own, beside those of other loops
     */
    AcceptingVertx(
            VertxInternal delegate,
            UnaryOperator<ChannelHandler> entry,
            @Nullable VertxLoop acceptor,
            boolean ownSocket) {
        super(delegate);
        this.transport = new AcceptingTransport(delegate.transport(), entry, acceptor != null);
        this.acceptor = acceptor;
        this.ownSocket = ownSocket;
    }

    @Override
    public Transport transport() {
        return transport;
    }

    @Override
    public EventLoopGroup acceptorEventLoopGroup() {
        return acceptor == null
                ? super.acceptorEventLoopGroup()
                : acceptor.context().nettyEventLoop();
    }

    @Override
    public Map<ServerID, NetServerInternal> sharedTcpServers() {
        return acceptor == null || !ownSocket ? super.sharedTcpServers() : acceptor.servers();
    }
}
