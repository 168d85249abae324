package io.sigma.dataplane.engine.accept;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.TimeUnit;

/**
 * Resets connections that a socket cannot accept because the process has no descriptor left, where Netty accepts. Netty
 * would leave them unanswered for a second, again and again. Confined to the event loop.
 */
final class Refusing extends ChannelInboundHandlerAdapter {

    /** How long accepting waits when not even the reserve is there. */
    static final long PAUSE_MILLIS = 100;

    private final ReserveDescriptor reserve;

    Refusing(ReserveDescriptor reserve) {
        this.reserve = reserve;
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext failed, Throwable cause) {
        if (!reserve.isLacking(cause)) {
            failed.fireExceptionCaught(cause);
        } else if (!reserve.refuse(failed.channel())) {
            failed.channel().config().setAutoRead(false);
            failed.channel()
                    .eventLoop()
                    .schedule(() -> failed.channel().config().setAutoRead(true), PAUSE_MILLIS, TimeUnit.MILLISECONDS);
        }
    }
}
