package io.sigma.dataplane.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.SocketNode;
import io.sigma.dataplane.testkit.TestTls;
import io.sigma.model.ClientTls;
import io.sigma.model.Protocol;
import io.sigma.model.ServerTls;
import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Directions that end for themselves where the gateway decrypts or encrypts. */
final class StreamHalfCloseTest extends StreamContract {

    private static final TestTls OWN = TestTls.create("mail.example", "mail.example");
    private static final int SENT = 700_000;
    /** As much as the buffers of sockets hold. */
    private static final int LITTLE = 20_000;

    private void decrypting(SocketNode node) throws Exception {
        gateway()
                .apply(passing(Protocol.TCP, node.url())
                        .server(server(Protocol.TCP)
                                .tls(ServerTls.builder()
                                        .certificates(java.util.List.of("mail"))
                                        .build())
                                .build())
                        .certificate(OWN.resource("mail")));
    }

    private SSLSocket client() throws IOException {
        SSLSocket socket =
                (SSLSocket) OWN.context().getSocketFactory().createSocket(connect(), "mail.example", port(), true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setProtocols(new String[] {"TLSv1.3"});
        socket.setSSLParameters(parameters);
        return socket;
    }

    /** A node that counts what it gets and answers with the count once the other side has ended. */
    private static SocketNode counting(AtomicLong counted) {
        return SocketNode.start(socket -> {
            byte[] piece = new byte[8192];
            long count = 0;
            for (int read = socket.getInputStream().read(piece);
                    read >= 0;
                    read = socket.getInputStream().read(piece)) {
                count += read;
            }
            counted.set(count);
            socket.getOutputStream().write(bytes(count + " bytes"));
        });
    }

    /** OpenSSL, as Netty uses it, ends both directions when one ends; nothing of what was sent before is lost. */
    @Test
    void whatAClientSentBeforeItsEndArrives() throws Exception {
        AtomicLong counted = new AtomicLong();
        try (SocketNode node = counting(counted)) {
            decrypting(node);
            try (SSLSocket client = client()) {
                client.getOutputStream().write(new byte[SENT]);
                client.shutdownOutput();
                GatewayHarness.eventually(() -> counted.get() == SENT);
            }
            assertThat(record().path("bytesIn").asLong()).isEqualTo(SENT);
        }
    }

    /** The client has ended before the node reads, and the node answers while it does. */
    @Test
    void whatAClientSentBeforeItsEndReachesANodeThatReadsLater() throws Exception {
        CountDownLatch gone = new CountDownLatch(1);
        AtomicLong counted = new AtomicLong();
        try (SocketNode node = SocketNode.start(socket -> {
            gone.await();
            byte[] piece = new byte[1_000];
            for (int read = socket.getInputStream().read(piece);
                    read >= 0;
                    read = socket.getInputStream().read(piece)) {
                counted.addAndGet(read);
                socket.getOutputStream().write(piece, 0, read);
                TimeUnit.MILLISECONDS.sleep(5);
            }
        })) {
            decrypting(node);
            try (SSLSocket client = client()) {
                client.getOutputStream().write(new byte[LITTLE]);
                client.shutdownOutput();
                TimeUnit.MILLISECONDS.sleep(200);
                gone.countDown();
                GatewayHarness.eventually(() -> counted.get() == LITTLE);
            }
        }
        assertThat(record().path("end").asText()).isEqualTo("complete");
    }

    @Test
    void whatANodeOfTlsSentBeforeItsEndReachesAClientThatReadsLater() throws Exception {
        CountDownLatch gone = new CountDownLatch(1);
        try (SocketNode node = SocketNode.start(OWN.context(), socket -> {
            socket.getOutputStream().write(new byte[LITTLE]);
            socket.close();
            gone.countDown();
        })) {
            gateway()
                    .apply(passing(Protocol.TCP, node.url().replace("http:", "https:"))
                            .nodeTls("nodes", ClientTls.builder().verify(false).build()));
            try (Socket client = connect()) {
                assertThat(gone.await(10, TimeUnit.SECONDS)).isTrue();
                client.getOutputStream().write(new byte[LITTLE]);
                TimeUnit.MILLISECONDS.sleep(200);
                assertThat(client.getInputStream().readAllBytes()).hasSize(LITTLE);
            }
        }
        assertThat(record().path("end").asText()).isEqualTo("complete");
    }

    @Test
    @EnabledIfSystemProperty(named = "sigma.test.tls", matches = "jdk")
    void nodeMayAnswerAfterAClientWhoseTlsIsDecryptedHasEnded() throws Exception {
        try (SocketNode node = counting(new AtomicLong())) {
            decrypting(node);
            try (SSLSocket client = client()) {
                client.getOutputStream().write(new byte[SENT]);
                client.shutdownOutput();
                assertThat(rest(client)).isEqualTo(SENT + " bytes");
            }
        }
    }

    @Test
    void whatANodeOfTlsSentBeforeItsEndArrives() throws Exception {
        try (SocketNode node = SocketNode.start(OWN.context(), socket -> {
            socket.getOutputStream().write(new byte[SENT]);
            socket.shutdownOutput();
            socket.getInputStream().readAllBytes();
        })) {
            gateway()
                    .apply(passing(Protocol.TCP, node.url().replace("http:", "https:"))
                            .nodeTls("nodes", ClientTls.builder().verify(false).build()));
            try (Socket client = connect()) {
                assertThat(client.getInputStream().readAllBytes()).hasSize(SENT);
            }
        }
    }
}
