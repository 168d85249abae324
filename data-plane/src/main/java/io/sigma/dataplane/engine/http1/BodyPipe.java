package io.sigma.dataplane.engine.http1;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.SslHandler;
import io.sigma.dataplane.engine.uring.PipedBytes;
import io.sigma.dataplane.engine.uring.RingChannel;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Where bodies of a connection can stay in the kernel: not on other transports, nor behind TLS. Confined to the event
 * loop.
 */
final class BodyPipe {

    private final BodyReader body;
    private final LongSupplier left;
    private final @Nullable RingChannel ring;

    BodyPipe(ChannelHandlerContext context, BodyReader body) {
        this.body = body;
        this.left = body::left;
        boolean plain = context.pipeline().get(SslHandler.class) == null;
        this.ring = plain && context.channel() instanceof RingChannel channel ? channel : null;
        if (ring != null) {
            ring.leaveOutReadComplete();
        }
    }

    /** Returns whether {@link PipedBytes} may be written to the connection, and may arrive. */
    boolean isThere() {
        return ring != null;
    }

    /** Has the rest of the body that is being read arrive as {@link PipedBytes}, where that is possible and pays. */
    void begin() {
        if (ring != null && body.left() >= PipedBytes.WORTH) {
            ring.pipe(left);
        }
    }

    /** Has the rest arrive as buffers. */
    void end() {
        if (ring != null) {
            ring.unpipe();
        }
    }
}
