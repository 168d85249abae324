package io.sigma.dataplane.engine.http2;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.DecoratingHttp2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2LifecycleManager;
import io.netty.handler.codec.http2.Http2Settings;
import org.jspecify.annotations.Nullable;

/**
 * Ends a connection whose client makes the gateway reset stream after stream, or asks for more acknowledgements than it
 * reads. Bounds what is kept to compress fields. Confined to the event loop.
 */
public final class BoundedEncoder extends DecoratingHttp2ConnectionEncoder {

    /** Acknowledgements and resets that wait to be sent. */
    private static final int WAITING_MAX = 10_000;

    /** Of the table of fields that were sent, which the peer may allow to be far larger, and nobody counts. */
    private static final long TABLE_BYTES_MAX = 4_096;

    private final int resetsMax;
    private final long windowNanos;
    private @Nullable Http2LifecycleManager lifecycle;
    private long windowStart = System.nanoTime();
    private int resets;
    private int waiting;
    private boolean ended;

    /**
     * @param resetsMax streams reset for an error within {@code windowNanos}
     */
    BoundedEncoder(Http2ConnectionEncoder encoder, int resetsMax, long windowNanos) {
        super(encoder);
        this.resetsMax = resetsMax;
        this.windowNanos = windowNanos;
    }

    @Override
    public void lifecycleManager(Http2LifecycleManager manager) {
        lifecycle = manager;
        super.lifecycleManager(manager);
    }

    @Override
    public void remoteSettings(Http2Settings settings) throws Http2Exception {
        Long table = settings.headerTableSize();
        if (table != null && table > TABLE_BYTES_MAX) {
            settings.headerTableSize(TABLE_BYTES_MAX);
        }
        super.remoteSettings(settings);
    }

    @Override
    public ChannelFuture writeSettingsAck(ChannelHandlerContext context, ChannelPromise promise) {
        return super.writeSettingsAck(context, waiting(context, promise));
    }

    @Override
    public ChannelFuture writePing(ChannelHandlerContext context, boolean ack, long data, ChannelPromise promise) {
        return super.writePing(context, ack, data, waiting(context, promise));
    }

    @Override
    public ChannelFuture writeRstStream(ChannelHandlerContext context, int stream, long code, ChannelPromise promise) {
        ChannelFuture written = super.writeRstStream(context, stream, code, waiting(context, promise));
        if (code != Http2Error.CANCEL.code() && code != Http2Error.NO_ERROR.code()) {
            countReset(context);
        }
        return written;
    }

    private void countReset(ChannelHandlerContext context) {
        long now = System.nanoTime();
        if (now - windowStart >= windowNanos) {
            windowStart = now;
            resets = 0;
        }
        if (++resets > resetsMax) {
            end(context, "too many streams were reset");
        }
    }

    private ChannelPromise waiting(ChannelHandlerContext context, ChannelPromise promise) {
        if (++waiting > WAITING_MAX) {
            end(context, "too many acknowledgements wait");
        }
        return promise.unvoid().addListener(ignored -> waiting--);
    }

    private void end(ChannelHandlerContext context, String reason) {
        if (!ended && lifecycle != null) {
            ended = true;
            lifecycle.onError(context, true, Http2Exception.connectionError(Http2Error.ENHANCE_YOUR_CALM, reason));
        }
    }
}
