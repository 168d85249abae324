package io.sigma.dataplane.engine.vertx;

import io.netty.channel.Channel;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.internal.VertxWrapper;
import io.vertx.core.spi.transport.Transport;
import java.util.function.Consumer;

/** A Vert.x whose servers show a connection as soon as it is accepted, before anything of it is read. */
final class AcceptingVertx extends VertxWrapper {

    private final Transport transport;

    /**
     * @param onAccept may put handlers before those of Vert.x; called on the event loop of the connection
     */
    AcceptingVertx(VertxInternal delegate, Consumer<Channel> onAccept) {
        super(delegate);
        this.transport = new AcceptingTransport(delegate.transport(), onAccept);
    }

    @Override
    public Transport transport() {
        return transport;
    }
}
