package io.sigma.dataplane.engine.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.haproxy.HAProxyCommand;
import io.netty.handler.codec.haproxy.HAProxyMessage;
import io.netty.handler.codec.haproxy.HAProxyMessageDecoder;
import io.netty.handler.codec.haproxy.HAProxyProxiedProtocol;
import io.netty.handler.codec.haproxy.HAProxySSLTLV;
import io.netty.handler.codec.haproxy.HAProxyTLV;
import io.sigma.dataplane.upstream.proxied.ProxiedClient;
import io.sigma.dataplane.upstream.proxied.ProxiedTls;
import io.sigma.model.NodeProxyProtocol;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The header, octet by octet, and as Netty's decoder reads it. */
final class ProxyHeaderBytesTest {

    private static final ProxiedTls TLS =
            new ProxiedTls("TLSv1.3", "shop.example.com", "h2", new ProxiedTls.Certificate("Zoë"));

    private static InetSocketAddress at(String address, int port) {
        return new InetSocketAddress(InetAddress.ofLiteral(address), port);
    }

    private static ProxiedClient client(String source, String destination, @Nullable ProxiedTls tls) {
        return new ProxiedClient(at(source, 65535), at(destination, 443), tls);
    }

    private static byte[] header(NodeProxyProtocol version, @Nullable ProxiedClient client) {
        ByteBuf made = ProxyHeaderBytes.of(version, client, UnpooledByteBufAllocator.DEFAULT);
        byte[] octets = new byte[made.readableBytes()];
        made.readBytes(octets).release();
        return octets;
    }

    private static String text(@Nullable ProxiedClient client) {
        return new String(header(NodeProxyProtocol.V1, client), StandardCharsets.US_ASCII);
    }

    private static HAProxyMessage decoded(byte[] header) {
        EmbeddedChannel channel = new EmbeddedChannel(new HAProxyMessageDecoder());
        channel.writeInbound(Unpooled.wrappedBuffer(header));
        HAProxyMessage message = channel.readInbound();
        assertThat(message).isNotNull();
        return message;
    }

    @Test
    void version1IsALineOfText() {
        assertThat(text(client("203.0.113.7", "192.0.2.1", TLS)))
                .isEqualTo("PROXY TCP4 203.0.113.7 192.0.2.1 65535 443\r\n");
        assertThat(text(client("2001:db8::7", "::1", null))).isEqualTo("PROXY TCP6 2001:db8::7 ::1 65535 443\r\n");
        assertThat(text(null)).isEqualTo("PROXY UNKNOWN\r\n");
        assertThat(text(new ProxiedClient(null, at("::1", 1), null))).isEqualTo("PROXY UNKNOWN\r\n");
        assertThat(text(new ProxiedClient(at("::1", 1), null, null))).isEqualTo("PROXY UNKNOWN\r\n");
    }

    @Test
    void addressesOfBothFamiliesAreTheSameFamily() {
        assertThat(text(client("203.0.113.7", "2001:db8::1", null)))
                .isEqualTo("PROXY TCP6 ::ffff:203.0.113.7 2001:db8::1 65535 443\r\n");
        byte[] header = header(NodeProxyProtocol.V2, client("2001:db8::7", "192.0.2.1", null));
        assertThat(HexFormat.of().formatHex(header, 12, 16 + 36))
                .isEqualTo("2121002b" + "20010db8000000000000000000000007" + "00000000000000000000ffffc0000201"
                        + "ffff01bb");
    }

    @Test
    void version1IsNeverLongerThanItsBound() {
        String longest = "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff";
        ProxiedClient client = new ProxiedClient(at(longest, 65535), at(longest, 65535), TLS);
        assertThat(header(NodeProxyProtocol.V1, client))
                .hasSize(104)
                .hasSizeLessThanOrEqualTo(ProxyHeaderBytes.V1_BYTES_MAX);
    }

    @Test
    void version2IsAsTheSpecificationHasIt() {
        byte[] plain = header(NodeProxyProtocol.V2, client("203.0.113.7", "192.0.2.1", null));
        assertThat(HexFormat.of().formatHex(plain, 0, plain.length - 4))
                .isEqualTo("0d0a0d0a000d0a515549540a" + "2111" + "0013" + "cb007107" + "c0000201" + "ffff" + "01bb"
                        + "030004");
        assertThat(HexFormat.of().formatHex(header(NodeProxyProtocol.V2, null)))
                .isEqualTo("0d0a0d0a000d0a515549540a" + "2000" + "0000");
    }

    @Test
    void checksumCoversTheWholeHeader() {
        byte[] header = header(NodeProxyProtocol.V2, client("2001:db8::7", "::1", TLS));
        int sent = ByteBuffer.wrap(header).getInt(header.length - 4);
        ByteBuffer.wrap(header).putInt(header.length - 4, 0);
        CRC32C crc = new CRC32C();
        crc.update(header);
        assertThat(sent).isEqualTo((int) crc.getValue());
    }

    @Test
    void version2TellsOfTls() {
        HAProxyMessage message = decoded(header(NodeProxyProtocol.V2, client("2001:db8::7", "::1", TLS)));
        assertThat(message.command()).isEqualTo(HAProxyCommand.PROXY);
        assertThat(message.proxiedProtocol()).isEqualTo(HAProxyProxiedProtocol.TCP6);
        assertThat(message.sourcePort()).isEqualTo(65535);
        assertThat(value(message, HAProxyTLV.Type.PP2_TYPE_ALPN)).isEqualTo("h2");
        assertThat(value(message, HAProxyTLV.Type.PP2_TYPE_AUTHORITY)).isEqualTo("shop.example.com");
        HAProxySSLTLV ssl = ssl(message);
        assertThat(ssl.isPP2ClientSSL()).isTrue();
        assertThat(ssl.isPP2ClientCertSess()).isTrue();
        assertThat(ssl.verify()).isZero();
        assertThat(ssl.encapsulatedTLVs().get(0).content().toString(StandardCharsets.UTF_8))
                .isEqualTo("TLSv1.3");
        assertThat(ssl.encapsulatedTLVs().get(1).typeByteValue()).isEqualTo((byte) 0x22);
        assertThat(ssl.encapsulatedTLVs().get(1).content().toString(StandardCharsets.UTF_8))
                .isEqualTo("Zoë");
        message.release();
    }

    @Test
    void clientWithoutACertificateIsNotVerified() {
        ProxiedTls tls = new ProxiedTls("TLSv1.2", null, null, null);
        HAProxyMessage message = decoded(header(NodeProxyProtocol.V2, client("203.0.113.7", "192.0.2.1", tls)));
        HAProxySSLTLV ssl = ssl(message);
        assertThat(ssl.isPP2ClientSSL()).isTrue();
        assertThat(ssl.isPP2ClientCertSess()).isFalse();
        assertThat(ssl.verify()).isNotZero();
        assertThat(ssl.encapsulatedTLVs()).hasSize(1);
        assertThat(message.tlvs().stream().map(HAProxyTLV::type))
                .doesNotContain(HAProxyTLV.Type.PP2_TYPE_ALPN, HAProxyTLV.Type.PP2_TYPE_AUTHORITY);
        message.release();
    }

    @Test
    void textThatIsTooLongIsLeftOutAndNeverCut() {
        ProxiedTls tls = new ProxiedTls("TLSv1.3", null, null, new ProxiedTls.Certificate("n".repeat(256)));
        HAProxyMessage message = decoded(header(NodeProxyProtocol.V2, client("203.0.113.7", "192.0.2.1", tls)));
        assertThat(ssl(message).encapsulatedTLVs()).hasSize(1);
        message.release();
    }

    private static String value(HAProxyMessage message, HAProxyTLV.Type type) {
        return message.tlvs().stream()
                .filter(tlv -> tlv.type() == type)
                .findFirst()
                .orElseThrow()
                .content()
                .toString(StandardCharsets.US_ASCII);
    }

    private static HAProxySSLTLV ssl(HAProxyMessage message) {
        return (HAProxySSLTLV) message.tlvs().stream()
                .filter(tlv -> tlv.type() == HAProxyTLV.Type.PP2_TYPE_SSL)
                .findFirst()
                .orElseThrow();
    }
}
