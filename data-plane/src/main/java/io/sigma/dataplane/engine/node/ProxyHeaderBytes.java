package io.sigma.dataplane.engine.node;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.NetUtil;
import io.sigma.dataplane.upstream.proxied.ProxiedClient;
import io.sigma.dataplane.upstream.proxied.ProxiedTls;
import io.sigma.model.NodeProxyProtocol;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Writes the header of the PROXY protocol that a connection to a node begins with, whatever is spoken after it
 * (proxy-protocol.txt of haproxy.org, sections 2.1 and 2.2). Stateless.
 */
public final class ProxyHeaderBytes {

    /** Longest header of version 1, with its end of line. */
    static final int V1_BYTES_MAX = 107;

    /** Longer texts are left out: a part of a name is another name. A name of DNS has at most 255 octets. */
    private static final int TEXT_BYTES_MAX = 255;

    private static final String UNKNOWN = "PROXY UNKNOWN\r\n";
    private static final byte[] SIGNATURE = {13, 10, 13, 10, 0, 13, 10, 'Q', 'U', 'I', 'T', 10};

    private static final int LOCAL = 0x20;
    private static final int PROXY = 0x21;
    private static final int UNSPECIFIED = 0x00;
    private static final int TCP4 = 0x11;
    private static final int TCP6 = 0x21;
    private static final int ALPN = 0x01;
    private static final int AUTHORITY = 0x02;
    private static final int CRC = 0x03;
    private static final int CRC_BYTES = 4;
    private static final int SSL = 0x20;
    private static final int SSL_VERSION = 0x21;
    private static final int SSL_CN = 0x22;
    private static final int OVER_SSL = 1;
    /** A resumed session does not say whether the certificate was shown on this connection (PP2_CLIENT_CERT_CONN). */
    private static final int CERT_SESS = 4;

    private static final int VERIFIED = 0;
    private static final int NOT_VERIFIED = 1;

    private ProxyHeaderBytes() {}

    /**
     * Returns a header, which belongs to the caller.
     *
     * @param client null for a connection that the gateway opens for itself, such as that of a health check: UNKNOWN in
     *     version 1, LOCAL in version 2
     */
    public static ByteBuf of(NodeProxyProtocol version, @Nullable ProxiedClient client, ByteBufAllocator allocator) {
        InetSocketAddress source = client == null ? null : client.source();
        InetSocketAddress destination = client == null ? null : client.destination();
        if (client == null || source == null || destination == null) {
            return withoutAddresses(version, allocator);
        }
        return switch (version) {
            case V1 -> text(version1(source, destination), allocator);
            case V2 -> version2(source, destination, client.tls(), allocator.directBuffer());
        };
    }

    private static ByteBuf withoutAddresses(NodeProxyProtocol version, ByteBufAllocator allocator) {
        return switch (version) {
            case V1 -> text(UNKNOWN, allocator);
            case V2 ->
                allocator
                        .directBuffer(SIGNATURE.length + 4)
                        .writeBytes(SIGNATURE)
                        .writeByte(LOCAL)
                        .writeByte(UNSPECIFIED)
                        .writeShort(0);
        };
    }

    private static ByteBuf text(String line, ByteBufAllocator allocator) {
        return allocator.directBuffer(V1_BYTES_MAX).writeBytes(line.getBytes(StandardCharsets.US_ASCII));
    }

    private static boolean isIpv4(InetSocketAddress source, InetSocketAddress destination) {
        return source.getAddress() instanceof Inet4Address && destination.getAddress() instanceof Inet4Address;
    }

    private static String version1(InetSocketAddress source, InetSocketAddress destination) {
        boolean ipv4 = isIpv4(source, destination);
        return "PROXY " + (ipv4 ? "TCP4 " : "TCP6 ") + text(source.getAddress(), ipv4) + " "
                + text(destination.getAddress(), ipv4) + " " + source.getPort() + " " + destination.getPort() + "\r\n";
    }

    /** Returns an address of the family that both have, which is IPv6 where they differ (RFC 4291 §2.5.5.2). */
    private static String text(InetAddress address, boolean ipv4) {
        String text = NetUtil.toAddressString(address);
        return address instanceof Inet4Address && !ipv4 ? "::ffff:" + text : text;
    }

    private static ByteBuf version2(
            InetSocketAddress source, InetSocketAddress destination, @Nullable ProxiedTls tls, ByteBuf out) {
        boolean ipv4 = isIpv4(source, destination);
        out.writeBytes(SIGNATURE).writeByte(PROXY).writeByte(ipv4 ? TCP4 : TCP6);
        int length = reserveLength(out);
        writeAddress(out, source.getAddress(), ipv4);
        writeAddress(out, destination.getAddress(), ipv4);
        out.writeShort(source.getPort()).writeShort(destination.getPort());
        if (tls != null) {
            writeText(out, ALPN, tls.protocol());
            writeText(out, AUTHORITY, tls.name());
            if (tls.version() != null) {
                writeTls(out, tls);
            }
        }
        out.writeByte(CRC).writeShort(CRC_BYTES);
        int checksum = out.writerIndex();
        out.writeInt(0);
        setLength(out, length);
        CRC32C crc = new CRC32C();
        crc.update(out.nioBuffer());
        return out.setInt(checksum, (int) crc.getValue());
    }

    private static void writeAddress(ByteBuf out, InetAddress address, boolean ipv4) {
        if (address instanceof Inet4Address && !ipv4) {
            out.writeZero(10).writeShort(0xffff);
        }
        out.writeBytes(address.getAddress());
    }

    private static void writeText(ByteBuf out, int type, @Nullable String text) {
        byte[] octets = text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
        if (octets.length > 0 && octets.length <= TEXT_BYTES_MAX) {
            out.writeByte(type).writeShort(octets.length).writeBytes(octets);
        }
    }

    private static void writeTls(ByteBuf out, ProxiedTls tls) {
        out.writeByte(SSL);
        int length = reserveLength(out);
        ProxiedTls.Certificate certificate = tls.certificate();
        if (certificate == null) {
            out.writeByte(OVER_SSL).writeInt(NOT_VERIFIED);
        } else {
            out.writeByte(OVER_SSL | CERT_SESS).writeInt(VERIFIED);
        }
        writeText(out, SSL_VERSION, tls.version());
        if (certificate != null) {
            writeText(out, SSL_CN, certificate.commonName());
        }
        setLength(out, length);
    }

    private static int reserveLength(ByteBuf out) {
        int at = out.writerIndex();
        out.writeShort(0);
        return at;
    }

    private static void setLength(ByteBuf out, int at) {
        out.setShort(at, out.writerIndex() - at - 2);
    }
}
