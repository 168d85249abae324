package io.sigma.dataplane.engine.vertx;

import io.sigma.dataplane.engine.ServerBinding;
import io.vertx.core.Handler;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.internal.VertxWrapper;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.impl.NetServerImpl;
import io.vertx.core.net.impl.NetServerInternal;
import io.vertx.core.net.impl.NetSocketImpl;

/**
 * A Vert.x whose servers count connections when they are accepted. Without it the gateway would hear of a connection with
 * its first request only, and those that never send one could not be bounded.
 */
final class GuardedVertx extends VertxWrapper {

    private final ServerBinding binding;

    GuardedVertx(VertxInternal delegate, ServerBinding binding) {
        super(delegate);
        this.binding = binding;
    }

    @Override
    public NetServerInternal createNetServer(NetServerOptions options) {
        return new GuardedServer(delegate, options, binding);
    }

    private static final class GuardedServer extends NetServerImpl {

        private final ServerBinding binding;

        GuardedServer(VertxInternal vertx, NetServerOptions options, ServerBinding binding) {
            super(vertx, options);
            this.binding = binding;
        }

        @Override
        public synchronized NetServerInternal connectHandler(Handler<NetSocket> handler) {
            return super.connectHandler(socket -> {
                if (!binding.connected()) {
                    socket.close();
                    return;
                }
                ((NetSocketImpl) socket).channel().closeFuture().addListener(ignored -> binding.disconnected());
                handler.handle(socket);
            });
        }
    }
}
