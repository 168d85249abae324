package io.sigma.dataplane.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.TestSettings;
import io.sigma.dataplane.testkit.TestTls;
import io.sigma.dataplane.testkit.TlsContract;
import io.sigma.model.ServerTls;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tickets of TLS 1.3 leave with the handshake. Together with the first answer they would make a client wait whose
 * kernel delays what is small until the end of the handshake is acknowledged (Nagle's algorithm).
 */
final class SessionTicketsTest extends TlsContract {

    private static final int TIMEOUT_MILLIS = 5_000;
    /** In TLS 1.3 everything is of this type once it is encrypted (RFC 8446 §5.2). */
    private static final int APPLICATION_DATA = 23;

    @ParameterizedTest
    @ValueSource(strings = {"http/1.1", "h2"})
    void arriveBeforeAnythingIsAskedFor(String protocol) throws Exception {
        assertTicketsArrive(gateway(), port(), protocol);
    }

    @ParameterizedTest
    @EnumSource(
            value = GatewaySettings.Tls.class,
            names = {"OPENSSL", "JDK"})
    void areSentByEveryEngine(GatewaySettings.Tls engine) throws Exception {
        Path data = folder.resolve("engine");
        try (GatewayHarness other =
                GatewayHarness.start(TestSettings.of(data).tls(engine).build())) {
            assertTicketsArrive(other, Config.freePort(), "http/1.1");
        }
    }

    private static void assertTicketsArrive(GatewayHarness gateway, int port, String protocol) throws Exception {
        TestTls tls = TestTls.create("localhost");
        try (TestNode node = TestNode.named("ok")) {
            gateway.apply(Config.forwarding(port, node.url())
                    .certificate(tls.resource("c"))
                    .encrypted("web", ServerTls.builder().build()));
            try (Socket plain = new Socket(InetAddress.getLoopbackAddress(), port);
                    SSLSocket secure = (SSLSocket)
                            client(null, "TLSv1.3").getSocketFactory().createSocket(plain, "localhost", port, false)) {
                plain.setSoTimeout(TIMEOUT_MILLIS);
                var parameters = secure.getSSLParameters();
                parameters.setApplicationProtocols(new String[] {protocol});
                secure.setSSLParameters(parameters);
                secure.startHandshake();
                // What follows the handshake of the client is a record of the gateway, which was asked for nothing yet.
                int type = plain.getInputStream().read();
                assertThat(type).isEqualTo(APPLICATION_DATA);
            }
        }
    }
}
