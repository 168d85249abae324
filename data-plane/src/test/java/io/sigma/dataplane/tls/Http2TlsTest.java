package io.sigma.dataplane.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.RawHttp2;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.TestTls;
import io.sigma.dataplane.testkit.TlsContract;
import io.sigma.model.ServerHttp2;
import io.sigma.model.ServerTls;
import io.sigma.snapshot.ResourceType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rules of RFC 9113 §3.2 and §9.2 for TLS. */
final class Http2TlsTest extends TlsContract {

    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final int SETTINGS_HEAD_BYTES = 9;

    private void serve(TestNode node, ServerHttp2 http2) {
        gateway()
                .apply(encrypted(ServerTls.builder().build(), node.url())
                        .with(
                                ResourceType.PROXY_SERVER,
                                "web",
                                server -> server.toBuilder().http2(http2).build()));
    }

    /** The preface alone says nothing where TLS could have agreed on the protocol. */
    @ParameterizedTest
    @CsvSource({"true, ", "false, ", "false, http/1.1"})
    void http2IsSpokenOnlyWhereItWasAgreedOn(boolean only, String agreed) throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            serve(node, ServerHttp2.builder().only(only).build());
            String[] offered = agreed == null ? new String[0] : new String[] {agreed};
            try (SSLSocket socket = connect(client(null), "shop.example.com", offered)) {
                socket.getOutputStream().write(PREFACE);
                socket.getOutputStream().write(new byte[] {0, 0, 0, 4, 0, 0, 0, 0, 0});
                socket.getOutputStream().flush();
                byte[] said = socket.getInputStream().readAllBytes();
                if (only) {
                    assertThat(said).hasSize(SETTINGS_HEAD_BYTES + 17);
                    assertThat(said[said.length - 1]).isEqualTo((byte) RawHttp2.PROTOCOL_ERROR);
                } else {
                    assertThat(new String(said, StandardCharsets.ISO_8859_1)).startsWith("HTTP/1.1 ");
                }
            }
            assertThat(node.received()).isEmpty();
        }
    }

    @Test
    void protocolThatIsForPlaintextIsNeverAgreedOn() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            serve(node, ServerHttp2.builder().build());
            try (SSLSocket socket = connect(client(null), "shop.example.com", "h2c", "http/1.1")) {
                assertThat(socket.getApplicationProtocol()).isEqualTo("http/1.1");
            }
            try (SSLSocket socket = connect(client(null), "shop.example.com", "h2c")) {
                assertThat(socket.getApplicationProtocol()).isNotEqualTo("h2c");
            } catch (IOException e) {
                // It may end the handshake over it.
            }
        }
    }

    /** The one suite that all have in common (§9.2.2), with keys of RSA, for which it is. */
    @Test
    void suiteOfTls12ThatAllHaveIsThere() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway()
                    .apply(forwarding(node.url())
                            .certificate(TestTls.create("rsa", "shop.example.com", "RSA")
                                    .resource("rsa"))
                            .encrypted("web", ServerTls.builder().build()));
            try (SSLSocket socket = unconnected("TLSv1.2")) {
                socket.setEnabledCipherSuites(new String[] {"TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"});
                var parameters = socket.getSSLParameters();
                parameters.setNamedGroups(new String[] {"secp256r1"});
                parameters.setApplicationProtocols(new String[] {"h2"});
                socket.setSSLParameters(parameters);
                socket.startHandshake();
                assertThat(socket.getSession().getCipherSuite()).isEqualTo("TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256");
                assertThat(answer(RawHttp2.on(socket))).isEqualTo("200");
            }
        }
    }

    private SSLSocket unconnected(String protocol) throws Exception {
        SSLSocket socket = (SSLSocket) client(null, protocol).getSocketFactory().createSocket("127.0.0.1", port());
        socket.setEnabledProtocols(new String[] {protocol});
        socket.setSoTimeout(15_000);
        return socket;
    }

    private static String answer(RawHttp2 client) throws Exception {
        client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS | RawHttp2.END_STREAM, 1, RawHttp2.head());
        return client.status(client.next());
    }
}
