package io.sigma.dataplane.engine.accept;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.sigma.dataplane.engine.node.ProxyHeaderBytes;
import io.sigma.dataplane.upstream.proxied.ProxiedClient;
import io.sigma.model.NodeProxyProtocol;
import java.net.InetSocketAddress;
import java.util.Arrays;

/**
 * Headers of the PROXY protocol, the first octet saying whether one must be there: the same whole and in pieces,
 * nothing of what follows is lost, and a node is told the addresses that were read.
 */
public final class ProxyHeaderFuzz {

    private ProxyHeaderFuzz() {}

    /**
     * What was read.
     *
     * @param times how often the addresses were given
     */
    private record Seen(
            int times, InetSocketAddress source, InetSocketAddress destination, boolean open, String rest) {}

    /** Tries {@code data}; called by Jazzer. */
    public static void fuzzerTestOneInput(byte[] data) {
        if (data.length < 2) {
            return;
        }
        boolean optional = data[0] == 'o';
        byte[] sent = Arrays.copyOfRange(data, 1, data.length);
        Seen atOnce = read(sent, sent.length, optional);
        for (int piece : new int[] {1, 5, 16}) {
            Seen pieces = read(sent, piece, optional);
            if (!pieces.equals(atOnce)) {
                throw new AssertionError("in pieces of " + piece + ": " + pieces + " (expected: " + atOnce + ")");
            }
        }
        if (atOnce.times > 1 || (atOnce.times == 0 && !atOnce.rest.isEmpty())) {
            throw new AssertionError("bytes before the header is read, or two headers: " + atOnce);
        }
        if (!ByteBufUtil.hexDump(sent).endsWith(atOnce.rest)) {
            throw new AssertionError("bytes that were not sent: " + atOnce.rest);
        }
        if (atOnce.source != null && atOnce.destination != null) {
            told(NodeProxyProtocol.V2, atOnce);
            // Netty takes no port 0 in version 1.
            if (atOnce.source.getPort() != 0 && atOnce.destination.getPort() != 0) {
                told(NodeProxyProtocol.V1, atOnce);
            }
        }
    }

    private static void told(NodeProxyProtocol version, Seen seen) {
        ByteBuf header = ProxyHeaderBytes.of(
                version, new ProxiedClient(seen.source, seen.destination, null), UnpooledByteBufAllocator.DEFAULT);
        byte[] octets = ByteBufUtil.getBytes(header);
        header.release();
        Seen again = read(octets, octets.length, false);
        if (!seen.source.equals(again.source) || !seen.destination.equals(again.destination)) {
            throw new AssertionError("a node reads " + again + " (expected: " + seen + ")");
        }
    }

    private static Seen read(byte[] data, int piece, boolean optional) {
        InetSocketAddress[] addresses = new InetSocketAddress[2];
        int[] times = {0};
        EmbeddedChannel channel = new EmbeddedChannel(new ProxyHeader(optional, (source, destination) -> {
            times[0]++;
            addresses[0] = source;
            addresses[1] = destination;
        }));
        StringBuilder rest = new StringBuilder();
        for (int at = 0; at < data.length && channel.isOpen(); at += piece) {
            channel.writeInbound(Unpooled.copiedBuffer(data, at, Math.min(piece, data.length - at)));
            for (ByteBuf left = channel.readInbound(); left != null; left = channel.readInbound()) {
                rest.append(ByteBufUtil.hexDump(left));
                left.release();
            }
        }
        boolean open = channel.isOpen();
        channel.finishAndReleaseAll();
        return new Seen(times[0], addresses[0], addresses[1], open, rest.toString());
    }
}
