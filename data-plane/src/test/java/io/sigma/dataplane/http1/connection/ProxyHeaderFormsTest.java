package io.sigma.dataplane.http1.connection;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.model.ProxyProtocol;
import io.sigma.model.ProxyServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Headers of the PROXY protocol that are unusual, cut short, or wrong. */
final class ProxyHeaderFormsTest extends EngineContract {

    private static final byte[] GET =
            "GET / HTTP/1.1\r\nHost: shop.example.com\r\nConnection: close\r\n\r\n".getBytes(US_ASCII);
    private static final byte[] SIGNATURE = {13, 10, 13, 10, 0, 13, 10, 'Q', 'U', 'I', 'T', 10};
    private static final byte[] ADDRESSES = {(byte) 203, 0, 113, 9, (byte) 192, 0, 2, 1, 1, 2, 0, 80};
    private static final int CHECKSUM = 3;
    private static final int TLV_BYTES_MAX = 65_535 - 12 - 3;

    private final TestNode node = TestNode.named("ok");

    @BeforeEach
    void expectHeaders() {
        gateway()
                .apply(forwarding(node.url())
                        .server(ProxyServer.builder()
                                .id("web")
                                .host("127.0.0.1")
                                .port(port())
                                .proxyProtocol(ProxyProtocol.REQUIRED)
                                .trustedProxies(List.of("127.0.0.0/8"))
                                .build()));
    }

    private static byte[] version2(int command, int family, byte[] addresses, byte[] tlvs) {
        return ByteBuffer.allocate(16 + addresses.length + tlvs.length)
                .put(SIGNATURE)
                .put((byte) (0x20 | command))
                .put((byte) family)
                .putShort((short) (addresses.length + tlvs.length))
                .put(addresses)
                .put(tlvs)
                .array();
    }

    private static byte[] tlv(int type, byte... value) {
        return ByteBuffer.allocate(3 + value.length)
                .put((byte) type)
                .putShort((short) value.length)
                .put(value)
                .array();
    }

    /** Returns a header with another value before its checksum. */
    private static byte[] checked() {
        ByteArrayOutputStream tlvs = new ByteArrayOutputStream();
        tlvs.writeBytes(tlv(2, "shop.example.com".getBytes(US_ASCII)));
        tlvs.writeBytes(tlv(CHECKSUM, new byte[4]));
        byte[] header = version2(1, 0x11, ADDRESSES, tlvs.toByteArray());
        CRC32C sum = new CRC32C();
        sum.update(header);
        ByteBuffer.wrap(header).putInt(header.length - 4, (int) sum.getValue());
        return header;
    }

    /** Returns the address that the node hears of; {@code closed} when nothing is served. */
    private String forwardedFor(byte[] header) throws Exception {
        int before = node.received().size();
        try (RawClient client = RawClient.connect(port())) {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            all.writeBytes(header);
            all.writeBytes(GET);
            client.out().write(all.toByteArray());
            if (answered(client).isEmpty()) {
                assertThat(node.received()).hasSize(before);
                return "closed";
            }
        }
        return String.valueOf(node.last().field("x-forwarded-for"));
    }

    private static String answered(RawClient client) throws IOException {
        try {
            return new String(client.in().readAllBytes(), US_ASCII);
        } catch (SocketException e) {
            return "";
        }
    }

    @Test
    void headerMayNameNobody() throws Exception {
        byte[] none = {};
        for (byte[] header : List.of(
                "PROXY UNKNOWN\r\n".getBytes(US_ASCII),
                "PROXY UNKNOWN ffff:f...f:ffff ffff:f...f:ffff 65535 65535\r\n".getBytes(US_ASCII),
                version2(0, 0, none, none),
                version2(0, 0x11, ADDRESSES, none),
                version2(0, 0x11, ADDRESSES, tlv(CHECKSUM, (byte) 1, (byte) 2, (byte) 3, (byte) 4)),
                version2(1, 0, none, none))) {
            assertThat(forwardedFor(header)).isEqualTo("127.0.0.1");
        }
    }

    @Test
    void longestHeaderIsRead() throws Exception {
        byte[] header = version2(1, 0x11, ADDRESSES, tlv(0xe0, new byte[TLV_BYTES_MAX]));
        assertThat(forwardedFor(header)).isEqualTo("203.0.113.9");
    }

    @Test
    void checksumIsChecked() throws Exception {
        assertThat(forwardedFor(checked())).isEqualTo("203.0.113.9");
        for (int at : new int[] {19, 25, 31, 35, 60}) {
            byte[] wrong = checked();
            at = Math.min(at, wrong.length - 1);
            wrong[at] ^= 1;
            assertThat(forwardedFor(wrong)).as("byte %s", at).isEqualTo("closed");
        }
        assertThat(forwardedFor(version2(1, 0x11, ADDRESSES, tlv(CHECKSUM, (byte) 1))))
                .isEqualTo("closed");
    }

    @Test
    void lengthsInAHeaderAreChecked() throws Exception {
        byte[] beyond = tlv(0xe0, new byte[8]);
        beyond[2] = 9;
        for (byte[] header : List.of(
                version2(1, 0x11, new byte[4], new byte[0]),
                version2(1, 0x21, ADDRESSES, new byte[0]),
                version2(1, 0x11, ADDRESSES, beyond),
                version2(2, 0x11, ADDRESSES, new byte[0]),
                version2(1, 0x12, ADDRESSES, new byte[0]))) {
            assertThat(forwardedFor(header)).isEqualTo("closed");
        }
    }

    /** The second one is no request of HTTP. */
    @Test
    void secondHeaderIsARequestThatIsNotValid() throws Exception {
        byte[] header = "PROXY TCP4 203.0.113.7 192.0.2.1 4711 80\r\n".getBytes(US_ASCII);
        try (RawClient client = RawClient.connect(port())) {
            client.out().write(header);
            client.out().write(header);
            client.out().write(GET);
            assertThat(client.read().status()).isEqualTo(400);
        }
        assertThat(node.received()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 11, 12, 15, 16, 27})
    void headerThatIsCutShortIsNotServed(int bytes) throws Exception {
        try (RawClient client = RawClient.connect(port())) {
            client.out().write(version2(1, 0x11, ADDRESSES, new byte[0]), 0, bytes);
            client.socket().shutdownOutput();
            assertThat(client.isClosedByPeer()).isTrue();
        }
        assertThat(node.received()).isEmpty();
    }
}
