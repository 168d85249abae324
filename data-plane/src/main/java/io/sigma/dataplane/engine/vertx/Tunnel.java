package io.sigma.dataplane.engine.vertx;

import io.sigma.dataplane.exchange.Exchange;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetSocket;

/**
 * Two sockets that are one after a protocol switch: what one side sends is written to the other, and a side that does not
 * read stops the other from sending. Confined to the event loop.
 */
final class Tunnel {

    private final NetSocket client;
    private final NetSocket node;
    private final Exchange exchange;
    private final Runnable onClosed;
    private boolean closed;

    private Tunnel(NetSocket client, NetSocket node, Exchange exchange, Runnable onClosed) {
        this.client = client;
        this.node = node;
        this.exchange = exchange;
        this.onClosed = onClosed;
    }

    /**
     * Joins two sockets, of which {@code node} is paused.
     *
     * @param onClosed called once, when both are closed
     */
    static void open(NetSocket client, NetSocket node, Exchange exchange, Runnable onClosed) {
        Tunnel tunnel = new Tunnel(client, node, exchange, onClosed);
        client.handler(tunnel::fromClient);
        node.handler(tunnel::fromNode);
        client.drainHandler(ignored -> node.resume());
        node.drainHandler(ignored -> client.resume());
        client.exceptionHandler(ignored -> tunnel.close());
        node.exceptionHandler(ignored -> tunnel.close());
        client.endHandler(ignored -> tunnel.close());
        node.endHandler(ignored -> tunnel.close());
        client.closeHandler(ignored -> tunnel.close());
        node.closeHandler(ignored -> tunnel.close());
        node.resume();
    }

    private void fromClient(Buffer data) {
        exchange.received(data.length());
        node.write(data);
        if (node.writeQueueFull()) {
            client.pause();
        }
    }

    private void fromNode(Buffer data) {
        exchange.sent(data.length());
        client.write(data);
        if (client.writeQueueFull()) {
            node.pause();
        }
    }

    /** Either side's end ends both; what was written before is flushed first. */
    private void close() {
        if (!closed) {
            closed = true;
            client.close();
            node.close();
            onClosed.run();
        }
    }
}
