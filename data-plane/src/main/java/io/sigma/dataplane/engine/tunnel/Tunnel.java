package io.sigma.dataplane.engine.tunnel;

import io.netty.buffer.ByteBuf;
import io.sigma.dataplane.engine.body.Draining;
import io.sigma.dataplane.exchange.ByteCounter;
import io.sigma.dataplane.loop.Deadlines;
import java.util.concurrent.TimeUnit;

/**
 * A connection or stream of a client and one of a node that are joined after a protocol switch. What one side sends is
 * written to the other, and a side that does not read stops the other from sending. Each direction ends for itself; the
 * tunnel is over when both have ended, when one side is gone, or when nothing passed for too long. Confined to the
 * event loop.
 */
public final class Tunnel extends Deadlines.Entry {

    private final TunnelEnd client;
    private final TunnelEnd node;
    private final ByteCounter counter;
    private final Deadlines deadlines;
    private final TunnelRest rest;
    private final Runnable onClosed;
    private boolean clientEnded;
    private boolean nodeEnded;
    /** The client has ended its direction of a stream, and the node cannot be told and go on: it has time to answer. */
    private boolean answering;
    /** True if one side has ended its direction and closed. The other side has time to read the remaining bytes. */
    private boolean alone;

    private boolean closed;
    private boolean timedOut;
    /** Of what was written to the client and to the node. */
    private final Draining toClient = new Draining();

    private final Draining toNode = new Draining();
    private int closedEnds;

    /**
     * @param counter counts what passes
     * @param rest how long nothing may pass
     * @param onClosed called when both sides are closed
     */
    public Tunnel(
            TunnelEnd client,
            TunnelEnd node,
            ByteCounter counter,
            Deadlines deadlines,
            TunnelRest rest,
            Runnable onClosed) {
        this.client = client;
        this.node = node;
        this.counter = counter;
        this.deadlines = deadlines;
        this.rest = rest;
        this.onClosed = onClosed;
        touch();
    }

    private void touch() {
        if (!closed) {
            toClient.begin(Long.MAX_VALUE);
            toNode.begin(Long.MAX_VALUE);
            deadlines.set(this, restMillis());
        }
    }

    private long restMillis() {
        if (answering || alone) {
            return TimeUnit.SECONDS.toMillis(TunnelEnd.FLUSH_SECONDS);
        }
        boolean stalled = clientEnded || nodeEnded || !client.isWritable() || !node.isWritable();
        return stalled ? rest.stalledMillis() : rest.openMillis();
    }

    /** Passes on what the client sent, and releases it. */
    public void fromClient(ByteBuf data) {
        if (closed || clientEnded || alone) {
            data.release();
            return;
        }
        int length = data.readableBytes();
        counter.received(length);
        node.write(data);
        touch();
        boolean writable = node.isWritable();
        client.read(writable);
        if (!writable) {
            client.grew(length);
        }
    }

    /** Passes on what the node sent, and releases it. */
    public void fromNode(ByteBuf data) {
        if (closed || nodeEnded || alone) {
            data.release();
            return;
        }
        counter.sent(data.readableBytes());
        client.write(data);
        touch();
        node.read(client.isWritable());
    }

    /** The client reads again. */
    public void clientWritable() {
        if (!closed) {
            touch();
            node.read(client.isWritable());
        }
    }

    /** The node reads again. */
    public void nodeWritable() {
        if (!closed) {
            touch();
            client.read(node.isWritable());
        }
    }

    /** The client sends nothing more, and may still read. */
    public void clientEnded() {
        if (!closed && !clientEnded) {
            clientEnded = true;
            answering = !nodeEnded && client.endsAhead() && !node.endsByHalves();
            if (answering) {
                touch();
            } else {
                end(node);
            }
        }
    }

    /** The node sends nothing more, and may still read. */
    public void nodeEnded() {
        if (!closed && !nodeEnded) {
            nodeEnded = true;
            end(client);
        }
    }

    private void end(TunnelEnd receiver) {
        if ((clientEnded && nodeEnded) || !receiver.endsByHalves()) {
            close();
        } else {
            receiver.endOutput();
            touch();
        }
    }

    /** The connection of the client is gone. Returns whether the node may take what the client had sent by its end. */
    public boolean clientGone() {
        return gone(clientEnded && !nodeEnded, node);
    }

    /** The connection of the node is gone. Returns whether the client may take what the node had sent by its end. */
    public boolean nodeGone() {
        return gone(nodeEnded && !clientEnded, client);
    }

    /**
     * Further bytes of the other side are read and dropped: closing a socket with unread bytes resets it, and the bytes
     * sent on it are lost (RFC 9293 §3.6).
     */
    private boolean gone(boolean complete, TunnelEnd other) {
        if (closed || !complete) {
            return complete;
        }
        if (other.endsByHalves()) {
            alone = true;
            touch();
            other.read(true);
        } else {
            close();
        }
        return true;
    }

    /** Ends both sides: one of them is gone. What was written before is sent first, as long as somebody reads it. */
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        deadlines.remove(this);
        client.close(this::endClosed);
        node.close(this::endClosed);
    }

    private void endClosed() {
        if (++closedEnds == 2) {
            onClosed.run();
        }
    }

    /** Returns whether it is over; what was written may still leave. */
    public boolean isClosed() {
        return closed;
    }

    /** Returns whether it is over because nothing passed for too long. */
    public boolean isTimedOut() {
        return timedOut;
    }

    /** Returns whether one side still receives what was written. Both are looked at, each time. */
    private boolean isDraining() {
        boolean clientReceives = toClient.goesOn(client.undelivered());
        boolean nodeReceives = toNode.goesOn(node.undelivered());
        return !closed && (clientReceives || nodeReceives);
    }

    @Override
    protected void onDeadline() {
        if (isDraining()) {
            deadlines.set(this, restMillis());
            return;
        }
        timedOut = !closed;
        close();
    }
}
