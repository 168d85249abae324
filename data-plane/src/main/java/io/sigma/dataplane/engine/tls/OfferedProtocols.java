package io.sigma.dataplane.engine.tls;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Refuses a client that offers by ALPN only protocols which are not spoken here (RFC 7301 §3.2). The engine of the JDK
 * does so itself. Netty tells OpenSSL to go on without ALPN, and has no way to tell it otherwise. So this reads the
 * first message of the client, before OpenSSL gets its end. Confined to the event loop.
 */
final class OfferedProtocols extends ChannelInboundHandlerAdapter {

    private final List<String> spoken;
    private final ClientHello.Reader hello = new ClientHello.Reader();
    private boolean refused;

    OfferedProtocols(List<String> spoken) {
        this.spoken = spoken;
    }

    @Override
    public void channelRead(ChannelHandlerContext reading, Object message) {
        if (refused || !(message instanceof ByteBuf data)) {
            ReferenceCountUtil.release(message);
            return;
        }
        List<String> offered = offered(data);
        if (offered == null) {
            reading.fireChannelRead(data);
        } else if (offered.isEmpty() || !Collections.disjoint(offered, spoken)) {
            reading.fireChannelRead(data);
            reading.pipeline().remove(this);
        } else {
            refused = true;
            data.release();
            reading.writeAndFlush(ClientHello.noApplicationProtocol()).addListener(ChannelFutureListener.CLOSE);
        }
    }

    /** Returns what is offered, as far as it matters here: nothing of an invalid message; null when more must come. */
    private @Nullable List<String> offered(ByteBuf data) {
        try {
            ClientHello read = hello.read(data);
            return read == null ? null : read.protocols();
        } catch (ClientHello.Invalid e) {
            // OpenSSL has an alert for it.
            return List.of();
        }
    }
}
