package io.sigma.dataplane.engine.tunnel;

import io.netty.buffer.ByteBuf;
import io.sigma.dataplane.engine.body.BodySink;
import io.sigma.dataplane.engine.uring.PipedBytes;

/** Passes the body of a request to a tunnel, for which it is what the client sends. Confined to the event loop. */
public final class TunnelBody implements BodySink {

    private final Tunnel tunnel;

    public TunnelBody(Tunnel tunnel) {
        this.tunnel = tunnel;
    }

    @Override
    public void onBody(ByteBuf data) {
        tunnel.fromClient(data);
    }

    @Override
    public void onBodyPiped(PipedBytes piece) {
        throw new IllegalStateException("nobody asked for pipes");
    }

    @Override
    public void onBodyEnd() {
        tunnel.clientEnded();
    }
}
