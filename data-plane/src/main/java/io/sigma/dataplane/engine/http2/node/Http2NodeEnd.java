package io.sigma.dataplane.engine.http2.node;

import io.netty.buffer.ByteBuf;
import io.sigma.dataplane.engine.tunnel.TunnelEnd;

/** A stream to a node after an extended CONNECT (RFC 8441 §5). Confined to the event loop. */
final class Http2NodeEnd implements TunnelEnd {

    private final Http2NodeStream stream;

    Http2NodeEnd(Http2NodeStream stream) {
        this.stream = stream;
    }

    @Override
    public void write(ByteBuf data) {
        stream.write(data);
    }

    @Override
    public boolean isWritable() {
        return !stream.isFull();
    }

    @Override
    public long undelivered() {
        return stream.undelivered();
    }

    @Override
    public void read(boolean on) {
        if (on) {
            stream.resume();
        } else {
            stream.pause();
        }
    }

    @Override
    public void endOutput() {
        stream.end(null);
    }

    @Override
    public void close(Runnable onClosed) {
        stream.closeTunnel(onClosed);
    }
}
