package io.sigma.dataplane.engine.tunnel;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.ReferenceCountedOpenSslEngine;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.AttributeKey;

/** Ends one direction of a connection. The ends of tunnels call it. To be used on its event loop. */
public final class HalfClose {

    private static final AttributeKey<Boolean> ENDED = AttributeKey.valueOf(HalfClose.class, "ended");

    private static final AttributeKey<Boolean> BY_HALVES = AttributeKey.valueOf(HalfClose.class, "byHalves");

    private HalfClose() {}

    /**
     * Has a connection go on when one direction has ended; whoever allows it closes it. OpenSSL, as Netty uses it, ends
     * both.
     */
    public static void allow(Channel channel) {
        SslHandler encryption = channel.pipeline().get(SslHandler.class);
        if (encryption == null || !(encryption.engine() instanceof ReferenceCountedOpenSslEngine)) {
            channel.attr(BY_HALVES).set(true);
            channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
        }
    }

    /** Returns whether a connection goes on when one direction has ended. */
    public static boolean isAllowed(Channel channel) {
        return channel.hasAttr(BY_HALVES);
    }

    /** Tells the peer that nothing more is sent, and reads on. */
    public static void output(Channel channel) {
        SslHandler encryption = channel.pipeline().get(SslHandler.class);
        if (encryption != null) {
            channel.attr(ENDED).set(true);
            encryption.closeOutbound();
        } else if (channel instanceof DuplexChannel duplex) {
            duplex.shutdownOutput();
        }
    }

    /**
     * Returns whether the peer of an encrypted connection was told that nothing more is sent. Whoever told it closes in
     * time.
     */
    public static boolean isOutputEnded(Channel channel) {
        return channel.hasAttr(ENDED);
    }
}
