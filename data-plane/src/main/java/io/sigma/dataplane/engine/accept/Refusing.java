package io.sigma.dataplane.engine.accept;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.uring.IoUringServerSocketChannel;
import java.util.concurrent.TimeUnit;

/**
 * Resets connections that a socket cannot accept because the process has no descriptor left, where Netty accepts. Netty
 * would leave them unanswered for a second, again and again. Confined to the event loop.
 */
final class Refusing extends ChannelInboundHandlerAdapter {

    /** The pause of accepting without a reserve descriptor, and on io_uring, in milliseconds. */
    static final long PAUSE_MILLIS = 100;

    private final ReserveDescriptor reserve;
    private boolean waits;

    Refusing(ReserveDescriptor reserve) {
        this.reserve = reserve;
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext failed, Throwable cause) {
        Channel listening = failed.channel();
        if (!reserve.isLacking(cause)) {
            failed.fireExceptionCaught(cause);
        } else if (listening instanceof IoUringServerSocketChannel) {
            // The kernel takes a descriptor before it looks for a connection: maybe there is one by now, and without
            // one it fails again at once.
            if (ReserveDescriptor.isNeeded()) {
                reserve.refuse(listening);
            }
            pause(listening);
        } else if (!reserve.refuse(listening)) {
            pause(listening);
        }
    }

    private void pause(Channel listening) {
        listening.config().setAutoRead(false);
        // Netty has begun to accept again before it says that accepting failed, which is to make one pause.
        if (!waits) {
            waits = true;
            listening.eventLoop().schedule(() -> goOn(listening), PAUSE_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void goOn(Channel listening) {
        waits = false;
        listening.config().setAutoRead(true);
    }
}
