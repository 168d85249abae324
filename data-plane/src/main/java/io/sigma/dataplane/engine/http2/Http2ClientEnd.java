package io.sigma.dataplane.engine.http2;

import io.netty.buffer.ByteBuf;
import io.sigma.dataplane.engine.tunnel.TunnelEnd;

/** A stream of a client after an extended CONNECT (RFC 8441 §5). Confined to the event loop. */
final class Http2ClientEnd implements TunnelEnd {

    private final Http2Request request;

    Http2ClientEnd(Http2Request request) {
        this.request = request;
    }

    @Override
    public void write(ByteBuf data) {
        request.write(data);
    }

    @Override
    public boolean isWritable() {
        return !request.isFull(0);
    }

    @Override
    public long undelivered() {
        return request.undelivered();
    }

    @Override
    public void read(boolean on) {
        if (on) {
            request.body().resume();
        } else {
            request.body().pause();
        }
    }

    @Override
    public boolean endsAhead() {
        return true;
    }

    @Override
    public void endOutput() {
        request.finish(null);
    }

    @Override
    public void close(Runnable onClosed) {
        request.closeTunnel(onClosed);
    }

    @Override
    public void grew(long bytes) {
        request.grew(bytes);
    }
}
