package io.sigma.dataplane.engine.http2;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.sigma.dataplane.engine.relay.ClientSocket;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * The end of a connection after an error. Nothing is closed before the client was told why; then what still arrives is
 * dropped until the client ends, too: a socket that is closed with something unread is reset, and what was told is lost
 * (RFC 9112 §9.6). So much of it is dropped, and for so long. Confined to the event loop.
 */
final class Ending {

    private static final long MILLIS = 2_000;
    private static final long BYTES_MAX = 1024 * 1024;

    private boolean told;
    /** Since the client was told. */
    private long dropped;

    /** @param telling done once the client was told */
    Ending(ChannelHandlerContext context, ClientSocket socket, ChannelFuture telling) {
        Future<?> deadline = context.executor().schedule(() -> context.close(), MILLIS, TimeUnit.MILLISECONDS);
        context.channel().closeFuture().addListener(closed -> deadline.cancel(false));
        telling.addListener(written -> {
            if (written.isSuccess()) {
                told = true;
                socket.endOutput();
            } else {
                context.close();
            }
        });
    }

    void drop(ByteBuf in) {
        int bytes = in.readableBytes();
        in.skipBytes(bytes);
        dropped += told ? bytes : 0;
    }

    /**
     * Returns whether more is read: a client that never stops is not read any more, and has until the end to read what
     * it was told.
     */
    boolean reads() {
        return dropped <= BYTES_MAX;
    }
}
