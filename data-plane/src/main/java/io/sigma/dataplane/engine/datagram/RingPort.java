package io.sigma.dataplane.engine.datagram;

import io.netty.buffer.ByteBuf;
import io.sigma.dataplane.engine.uring.RingDatagrams;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A port on io_uring. What is sent leaves at once, or not at all. Confined to the event loop. */
final class RingPort implements Port, RingDatagrams.Taker {

    private static final Logger LOG = LoggerFactory.getLogger(RingPort.class);

    private final DatagramLoop loop;
    private final Taker taker;
    /** The peer; null for a port for clients. */
    private final @Nullable InetSocketAddress peer;

    private @Nullable RingDatagrams ring;
    private boolean closed;

    RingPort(DatagramLoop loop, Taker taker, @Nullable InetSocketAddress peer) {
        this.loop = loop;
        this.taker = taker;
        this.peer = peer;
    }

    RingPort opened(RingDatagrams opened) {
        ring = opened;
        return this;
    }

    private RingDatagrams ring() {
        return Objects.requireNonNull(ring);
    }

    @Override
    public void received(ByteBuf data, @Nullable InetSocketAddress from) {
        taker.received(data, from == null ? Objects.requireNonNull(peer) : from);
    }

    @Override
    public void failed(IOException cause) {
        if (peer == null || ChannelPort.isUnreachable(cause)) {
            taker.failed(cause);
        } else {
            LOG.debug("A datagram could not be sent or received", cause);
        }
    }

    @Override
    public boolean send(ByteBuf data, @Nullable InetSocketAddress to) {
        try {
            return ring().send(data, to);
        } catch (IOException e) {
            // The sender is not ready for the failure yet.
            loop.later(() -> {
                if (!closed) {
                    failed(e);
                }
            });
            return true;
        } finally {
            data.release();
        }
    }

    @Override
    public void pause() {
        ring().pause();
    }

    @Override
    public int descriptor() {
        return ring().descriptor();
    }

    @Override
    public void close() {
        closed = true;
        ring().close();
    }
}
