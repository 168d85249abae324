package io.sigma.dataplane.engine.datagram;

import io.sigma.dataplane.engine.node.NodeDialer;
import io.sigma.dataplane.engine.uring.LateTimer;
import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.GatewayError;
import io.sigma.dataplane.upstream.NodeEndpoint;
import io.sigma.value.AddressRefused;
import java.net.InetSocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A socket of a session to one node, whose place it holds: the address is looked up and judged, then the socket is
 * opened. Confined to the event loop.
 */
final class NodeSocket {

    private final DatagramSession session;
    private final NodeEndpoint node;
    private final long client;
    private @Nullable Port port;
    private @Nullable LateTimer timer;
    private boolean holds;
    private boolean over;

    NodeSocket(DatagramSession session, NodeEndpoint node, long client) {
        this.session = session;
        this.node = node;
        this.client = client;
    }

    void begin(DatagramLoop loop, NodeDialer dialer, int connectMillis) {
        if (!node.tryTunnel(client)) {
            session.unconnected(GatewayError.unsent(ErrorKind.TUNNELS_FULL, null));
            return;
        }
        holds = true;
        timer = LateTimer.start(
                loop.eventLoop(), connectMillis, () -> fail(GatewayError.unsent(ErrorKind.CONNECT_TIMEOUT, null)));
        dialer.addressOf(node)
                .onComplete(
                        address -> loop.onLoop(() -> open(loop, address)), cause -> loop.later(() -> failed(cause)));
    }

    private void open(DatagramLoop loop, InetSocketAddress address) {
        if (over || !session.waitsFor(this)) {
            close();
            return;
        }
        loop.connect(address, session)
                .onComplete(opened -> loop.onLoop(() -> opened(opened)), cause -> loop.later(() -> failed(cause)));
    }

    private void opened(Port made) {
        port = made;
        if (over || !session.waitsFor(this)) {
            close();
            return;
        }
        end();
        session.connected(this);
    }

    private void failed(Throwable cause) {
        ErrorKind kind = cause instanceof AddressRefused ? ErrorKind.ADDRESS_REFUSED : ErrorKind.CONNECT_FAILED;
        fail(GatewayError.unsent(kind, cause));
    }

    private void fail(GatewayError error) {
        if (over) {
            return;
        }
        boolean waited = session.waitsFor(this);
        close();
        if (waited) {
            session.unconnected(error);
        }
    }

    /** Returns the socket of an attempt that succeeded. */
    Port port() {
        return Objects.requireNonNull(port);
    }

    private void end() {
        over = true;
        if (timer != null) {
            timer.cancel();
        }
    }

    /** Closes the socket and gives the place back. */
    void close() {
        end();
        if (port != null) {
            port.close();
            port = null;
        }
        if (holds) {
            holds = false;
            node.tunnelEnded(client);
        }
    }
}
