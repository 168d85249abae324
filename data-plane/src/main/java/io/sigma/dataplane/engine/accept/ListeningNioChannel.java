package io.sigma.dataplane.engine.accept;

import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;

/** A socket that listens, on NIO. Confined to the event loop. */
final class ListeningNioChannel extends NioServerSocketChannel {

    /**
     * Resets a connection that waits; returns false when none does.
     *
     * @throws IOException when it cannot be accepted, as without a descriptor
     */
    boolean refuseOne() throws IOException {
        try (SocketChannel accepted = javaChannel().accept()) {
            if (accepted == null) {
                return false;
            }
            accepted.setOption(StandardSocketOptions.SO_LINGER, 0);
            return true;
        }
    }
}
