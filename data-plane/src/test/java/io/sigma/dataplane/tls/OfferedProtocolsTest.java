package io.sigma.dataplane.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.TestSettings;
import io.sigma.dataplane.testkit.TlsContract;
import io.sigma.model.ServerHttp2;
import io.sigma.model.ServerTls;
import io.sigma.snapshot.ResourceType;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The protocols that clients offer by ALPN (RFC 7301 §3.2), with each engine of TLS. */
final class OfferedProtocolsTest extends TlsContract {

    private interface Use {
        void of(TestNode node) throws Exception;
    }

    private void with(GatewaySettings.Tls engine, ServerHttp2 http2, Use use) throws Exception {
        try (TestNode node = TestNode.named("ok");
                GatewayHarness serving = GatewayHarness.start(
                        TestSettings.of(folder.resolve("engine")).tls(engine).build())) {
            serving.apply(encrypted(ServerTls.builder().build(), node.url())
                    .with(
                            ResourceType.PROXY_SERVER,
                            "web",
                            server -> server.toBuilder().http2(http2).build()));
            use.of(node);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "OPENSSL, TLSv1.2, true, false, h2c",
        "OPENSSL, TLSv1.3, true, false, acme-tls/1",
        "OPENSSL, TLSv1.3, false, false, h2",
        "OPENSSL, TLSv1.3, true, true, http/1.1",
        "JDK, TLSv1.2, true, false, h2c",
        "JDK, TLSv1.3, true, false, acme-tls/1",
        "JDK, TLSv1.3, false, false, h2",
        "JDK, TLSv1.3, true, true, http/1.1",
    })
    void clientWithoutAProtocolInCommonIsToldSo(
            GatewaySettings.Tls engine, String version, boolean http2, boolean only, String offered) throws Exception {
        with(engine, ServerHttp2.builder().enabled(http2).only(only).build(), node -> {
            assertThatThrownBy(() -> connect(client(null, version), "shop.example.com", offered))
                    .isInstanceOf(SSLHandshakeException.class)
                    .hasMessageContaining("no_application_protocol");
            assertThat(node.received()).isEmpty();
        });
    }

    @ParameterizedTest
    @CsvSource({
        "OPENSSL, TLSv1.2, http/1.1, http/1.1",
        "OPENSSL, TLSv1.3, http/1.0, http/1.0",
        "OPENSSL, TLSv1.3, , ''",
        "JDK, TLSv1.2, http/1.1, http/1.1",
        "JDK, TLSv1.3, http/1.0, http/1.0",
        "JDK, TLSv1.3, , ''",
    })
    void clientWithOneOrWithoutAlpnIsServed(GatewaySettings.Tls engine, String version, String offered, String agreed)
            throws Exception {
        with(engine, ServerHttp2.builder().build(), node -> {
            String[] protocols = offered == null ? new String[0] : new String[] {"unknown", offered};
            SSLSocket socket = connect(client(null, version), "shop.example.com", protocols);
            try (RawClient client = new RawClient(socket)) {
                assertThat(socket.getApplicationProtocol()).isEqualTo(agreed);
                client.send(GET);
                assertThat(client.read().status()).isEqualTo(200);
            }
        });
    }
}
