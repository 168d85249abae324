package io.sigma.dataplane.engine.stream;

import io.netty.channel.Channel;
import io.sigma.dataplane.engine.node.NodeDialer;
import io.sigma.dataplane.engine.uring.LateTimer;
import io.sigma.dataplane.exchange.ClientKey;
import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.GatewayError;
import io.sigma.dataplane.upstream.NodeEndpoint;
import io.sigma.dataplane.upstream.pool.SocketBudget;
import io.sigma.dataplane.upstream.proxied.ProxiedClient;
import io.sigma.value.AddressRefused;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * An attempt to connect to a node. It holds the node's place until the connection is closed. Confined to the event
 * loop.
 */
final class NodeAttempt {

    private final StreamConnection owner;
    private final NodeEndpoint node;
    private final ProxiedClient proxied;
    private final long client;
    private @Nullable LateTimer timer;
    private boolean over;

    /**
     * @param proxied the client that a PROXY header describes
     */
    NodeAttempt(StreamConnection owner, NodeEndpoint node, ProxiedClient proxied) {
        this.proxied = proxied;
        this.owner = owner;
        this.node = node;
        InetSocketAddress address = owner.remoteAddress();
        this.client = address == null ? ClientKey.NOBODY : ClientKey.of(address.getAddress());
    }

    void begin(NodeDialer dialer, boolean encrypts, int connectMillis) {
        if (!node.tryTunnel(client)) {
            fail(GatewayError.unsent(ErrorKind.TUNNELS_FULL, null));
            return;
        }
        timer = LateTimer.start(
                owner.streamLoop().http1().eventLoop(),
                connectMillis,
                () -> fail(GatewayError.unsent(ErrorKind.CONNECT_TIMEOUT, null)));
        dialer.open(node, owner.streamLoop().loop(), encrypts, proxied, this::connected, this::failed);
    }

    private void connected(Channel channel) {
        channel.closeFuture().addListener(closed -> node.tunnelEnded(client));
        if (over || !owner.waitsFor(this)) {
            // It came too late, or the client is gone.
            channel.close();
            return;
        }
        end();
        owner.connected(channel);
    }

    private void failed(Throwable cause) {
        node.tunnelEnded(client);
        ErrorKind kind = switch (cause) {
            case SocketBudget.Exhausted exhausted -> ErrorKind.TOO_BUSY;
            case AddressRefused refused -> ErrorKind.ADDRESS_REFUSED;
            default -> ErrorKind.CONNECT_FAILED;
        };
        fail(GatewayError.unsent(kind, cause));
    }

    private void fail(GatewayError error) {
        if (!over) {
            end();
            if (owner.waitsFor(this)) {
                owner.events().onUnconnected(error);
            }
        }
    }

    private void end() {
        over = true;
        if (timer != null) {
            timer.cancel();
        }
    }
}
