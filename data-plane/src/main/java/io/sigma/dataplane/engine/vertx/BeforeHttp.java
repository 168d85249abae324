package io.sigma.dataplane.engine.vertx;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.sigma.dataplane.engine.ServerBinding;
import io.sigma.dataplane.exchange.ClientKey;
import io.sigma.dataplane.loop.HeldMemory;
import io.sigma.model.ProxyProtocol;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * A connection from when it is accepted until HTTP begins: it counts for its client although it has not said anything, and what a
 * TLS handshake needs, or the header of the PROXY protocol, counts as held for the client. Confined to the event loop.
 */
final class BeforeHttp extends ChannelInboundHandlerAdapter {

    /** What the engine of a handshake and its buffers need, in bytes. */
    private static final int HANDSHAKE_BYTES = 32 * 1024;
    /** What a client may send before HTTP begins: enough for the longest chain of certificates, in bytes. */
    private static final int RECEIVED_BYTES_MAX = 256 * 1024;

    private final Channel channel;
    private final HeldMemory memory;
    private final HeldMemory.Holder holder;
    private long received;
    private boolean joined;
    private boolean over;

    private BeforeHttp(Channel channel, HeldMemory memory, @Nullable Object owner) {
        this.channel = channel;
        this.memory = memory;
        this.holder = new HeldMemory.Holder() {
            @Override
            protected long held() {
                return over || !channel.isOpen() ? 0 : HANDSHAKE_BYTES + received;
            }

            @Override
            protected @Nullable Object owner() {
                return owner;
            }

            @Override
            protected void end() {
                channel.unsafe().close(channel.voidPromise());
            }
        };
    }

    /**
     * Counts {@code accepted} for its client, until it is closed.
     *
     * @param options of its server
     * @param proxied whether it begins with a header of the PROXY protocol
     * @return false when there is no place for it, or it may not begin so; it is closed then
     */
    static boolean begin(
            Channel accepted, ServerBinding binding, ServerOptions options, HeldMemory memory, ProxyProtocol proxied) {
        InetSocketAddress peer = accepted.remoteAddress() instanceof InetSocketAddress known ? known : null;
        // The peer, not what it will say: whoever may say that is trusted, and has no share of its own.
        long client = peer == null ? ClientKey.NOBODY : binding.clientOf(peer.getAddress());
        if ((proxied == ProxyProtocol.REQUIRED && !options.isTrusted(accepted)) || !binding.connected(client)) {
            accepted.close();
            return false;
        }
        accepted.closeFuture().addListener(ignored -> binding.disconnected(client));
        Object owner = peer == null ? null : ClientConnection.owner(binding, peer.getAddress());
        accepted.pipeline().addLast(new BeforeHttp(accepted, memory, owner));
        return true;
    }

    /** HTTP begins on the connection of {@code pipeline}. */
    static void end(ChannelPipeline pipeline) {
        BeforeHttp before = pipeline.get(BeforeHttp.class);
        if (before != null) {
            before.over = true;
            TlsPieces.joinIn(pipeline);
            pipeline.remove(before);
        }
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        memory.grew(holder, HANDSHAKE_BYTES);
    }

    @Override
    public void channelRead(ChannelHandlerContext reading, Object message) {
        if (message instanceof ByteBuf data) {
            received += data.readableBytes();
            memory.grew(holder, data.readableBytes());
        }
        joined = joined || TlsPieces.joinIn(reading.pipeline());
        reading.fireChannelRead(message);
        if (received > RECEIVED_BYTES_MAX) {
            channel.close();
        }
    }
}
