package io.sigma.dataplane.engine.relay;

import io.netty.channel.Channel;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;

/** Ends one direction of a connection. To be used on its event loop. */
public final class HalfClose {

    private HalfClose() {}

    /** Tells the peer that nothing more is sent, and reads on. */
    public static void output(Channel channel) {
        SslHandler encryption = channel.pipeline().get(SslHandler.class);
        if (encryption != null) {
            encryption.closeOutbound();
        } else if (channel instanceof DuplexChannel duplex) {
            duplex.shutdownOutput();
        }
    }
}
