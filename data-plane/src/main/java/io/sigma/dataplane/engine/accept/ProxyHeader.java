package io.sigma.dataplane.engine.accept;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.haproxy.HAProxyMessage;
import io.netty.handler.codec.haproxy.HAProxyMessageDecoder;
import io.netty.handler.codec.haproxy.HAProxyProxiedProtocol;
import io.netty.handler.codec.haproxy.HAProxyProxiedProtocol.AddressFamily;
import io.netty.handler.codec.haproxy.HAProxyProxiedProtocol.TransportProtocol;
import io.netty.util.NetUtil;
import io.sigma.dataplane.engine.uring.LateTimer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the header of the PROXY protocol (versions 1 and 2, by haproxy.org) that a connection of a trusted peer begins
 * with, and leaves the connection. A connection whose header is not valid, or not there within {@value #SECONDS_MAX} s,
 * is closed. Confined to the event loop.
 */
final class ProxyHeader extends ByteToMessageDecoder {

    /** Longest wait for the header. */
    private static final int SECONDS_MAX = 5;

    /** No method of HTTP and no record of TLS begins so. */
    private static final byte[] VERSION_1 = "PROXY ".getBytes(StandardCharsets.US_ASCII);

    private static final byte[] VERSION_2 = {13, 10, 13, 10, 0, 13, 10, 'Q', 'U', 'I', 'T', 10};

    private final boolean optional;
    private final BiConsumer<@Nullable InetSocketAddress, @Nullable InetSocketAddress> onRead;
    private final Decoder decoder = new Decoder();
    private @Nullable LateTimer deadline;
    /** True if the header is not valid. Then the bytes behind it are not read as the beginning of a connection. */
    private boolean broken;

    /**
     * @param optional whether the connection may begin without a header
     * @param onRead called once, with the address of the client and the one that it connected to, or nulls where the
     *     header names none or is not there; what follows the header is read after it returns
     */
    ProxyHeader(boolean optional, BiConsumer<@Nullable InetSocketAddress, @Nullable InetSocketAddress> onRead) {
        this.optional = optional;
        this.onRead = onRead;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        deadline = LateTimer.start(added.executor(), TimeUnit.SECONDS.toMillis(SECONDS_MAX), () -> added.close());
    }

    @Override
    protected void handlerRemoved0(ChannelHandlerContext removed) {
        if (deadline != null) {
            deadline.cancel();
        }
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) throws Exception {
        if (broken) {
            in.skipBytes(in.readableBytes());
            return;
        }
        if (optional && !beginsLike(in, VERSION_1) && !beginsLike(in, VERSION_2)) {
            end(context, null, null);
            return;
        }
        int begin = in.readerIndex();
        HAProxyMessage header = decoder.header(context, in);
        if (header != null) {
            try {
                if (!ProxyChecksum.isRight(in, begin, in.readerIndex() - begin)
                        || header.proxiedProtocol().transportProtocol() == TransportProtocol.DGRAM) {
                    broken = true;
                    context.close();
                } else {
                    end(
                            context,
                            address(header, header.sourceAddress(), header.sourcePort()),
                            address(header, header.destinationAddress(), header.destinationPort()));
                }
            } finally {
                header.release();
            }
        }
    }

    /** Returns whether as much as there is of {@code prefix} is right. */
    private static boolean beginsLike(ByteBuf in, byte[] prefix) {
        int length = Math.min(prefix.length, in.readableBytes());
        for (int i = 0; i < length; i++) {
            if (in.getByte(in.readerIndex() + i) != prefix[i]) {
                return false;
            }
        }
        return true;
    }

    private void end(
            ChannelHandlerContext context,
            @Nullable InetSocketAddress source,
            @Nullable InetSocketAddress destination) {
        onRead.accept(source, destination);
        // That also passes on the bytes after the header.
        context.pipeline().remove(this);
    }

    private static @Nullable InetSocketAddress address(HAProxyMessage header, @Nullable String text, int port)
            throws UnknownHostException {
        HAProxyProxiedProtocol protocol = header.proxiedProtocol();
        boolean internet =
                protocol.addressFamily() == AddressFamily.AF_IPv4 || protocol.addressFamily() == AddressFamily.AF_IPv6;
        byte[] octets = internet && text != null ? NetUtil.createByteArrayFromIpAddressString(text) : null;
        return octets == null ? null : new InetSocketAddress(InetAddress.getByAddress(octets), port);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext failed, Throwable cause) {
        broken = true;
        failed.close();
    }

    /** Netty's decoder, asked directly: as a handler it would pass the header along the pipeline. */
    private static final class Decoder extends HAProxyMessageDecoder {

        /** Returns the header; null when it is not complete. */
        @Nullable
        HAProxyMessage header(ChannelHandlerContext context, ByteBuf in) throws Exception {
            List<Object> decoded = new ArrayList<>(1);
            decode(context, in, decoded);
            return decoded.isEmpty() ? null : (HAProxyMessage) decoded.getFirst();
        }
    }
}
