package io.sigma.dataplane.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.TestTls;
import io.sigma.dataplane.testkit.TlsContract;
import io.sigma.model.ClientAuth;
import io.sigma.model.ServerTls;
import io.sigma.model.TlsVersion;
import java.io.IOException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Versions of TLS, and sessions that are resumed. */
final class TlsHandshakeTest extends TlsContract {

    @Test
    void oldTlsIsRefusedWhereItIsNotWanted() throws Exception {
        Config config = encrypted(ServerTls.builder().build(), "http://127.0.0.1:1");
        gateway().apply(config);
        SSLContext old = client(null, "TLSv1.2");
        connect(old, "shop.example.com").close();
        gateway()
                .apply(encrypted(
                        ServerTls.builder().minVersion(TlsVersion.TLS_1_3).build(), "http://127.0.0.1:1"));
        assertThatThrownBy(() -> connect(old, "shop.example.com")).isInstanceOf(IOException.class);
        assertThat(presented("shop.example.com")).isEqualTo("CN=shop");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void sessionsAreResumedEvenAfterCertificatesChanged(String version) throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            Config config = encrypted(ServerTls.builder().build(), node.url());
            gateway().apply(config);
            SSLContext context = client(null, version);
            long first = session(context);
            assertThat(session(context)).isEqualTo(first);
            gateway()
                    .apply(config.certificate(
                            TestTls.create("more", "more.example.org").resource("d-more")));
            assertThat(session(context)).isEqualTo(first);
        }
    }

    @Test
    void clientThatNegotiatesAgainIsCutOff() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(encrypted(ServerTls.builder().build(), node.url()));
            SSLSocket socket = connect(client(null, "TLSv1.2"), "shop.example.com");
            try (RawClient client = new RawClient(socket)) {
                client.send(GET);
                assertThat(client.read().status()).isEqualTo(200);
                assertThatThrownBy(() -> {
                            socket.startHandshake();
                            client.send(GET);
                            client.read();
                        })
                        .isInstanceOf(IOException.class);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void resumedSessionKnowsWhoTheClientIs(String version) throws Exception {
        TestTls known = TestTls.create("known client");
        try (TestNode node = TestNode.named("ok")) {
            gateway()
                    .apply(encrypted(
                            ServerTls.builder()
                                    .clientAuth(ClientAuth.REQUIRED)
                                    .clientCa(known.resource("x").chain())
                                    .clientSubjectHeader("X-Client-Subject")
                                    .build(),
                            node.url()));
            SSLContext context = client(known, version);
            long first = session(context);
            assertThat(node.last().field("x-client-subject")).isEqualTo("CN=known client");
            assertThat(session(context)).isEqualTo(first);
            assertThat(node.last().field("x-client-subject")).isEqualTo("CN=known client");
        }
    }

    /** Returns when the session of a connection was made, which one that is resumed has from its first handshake. */
    private long session(SSLContext context) throws Exception {
        SSLSocket socket = connect(context, "shop.example.com");
        try (RawClient client = new RawClient(socket)) {
            client.send(GET);
            assertThat(client.read().status()).isEqualTo(200);
            return socket.getSession().getCreationTime();
        }
    }
}
