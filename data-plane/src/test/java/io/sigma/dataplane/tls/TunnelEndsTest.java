package io.sigma.dataplane.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.SocketNode;
import io.sigma.dataplane.testkit.TestTls;
import io.sigma.model.ClientTls;
import io.sigma.model.ServerTls;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;

/** Ends of TLS that come while the other side of a tunnel, or the client of a response, has not read everything. */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class TunnelEndsTest extends EngineContract {

    private static final TestTls OWN = TestTls.create("web", "a");
    private static final String ASK = "GET /chat HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: chat\r\n\r\n";
    private static final String SWITCH =
            "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: chat\r\n\r\n";
    /** As much as the buffers of sockets hold. */
    private static final int LITTLE = 20_000;
    /** More than those and the gateway hold. */
    private static final int MUCH = 8_000_000;

    private Config decrypting(SocketNode node) {
        return forwarding(node.url())
                .certificate(OWN.resource("web"))
                .encrypted(
                        "web", ServerTls.builder().certificates(List.of("web")).build());
    }

    private Config encrypting(SocketNode node) {
        return forwarding(node.url().replace("http:", "https:"))
                .nodeTls("nodes", ClientTls.builder().verify(false).build());
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port());
        socket.setSoTimeout(15_000);
        return socket;
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                break;
            }
            head.append((char) next);
        }
        return head.toString();
    }

    @Test
    void whatAClientSentBeforeItsEndReachesANodeThatReadsLater() throws Exception {
        CountDownLatch gone = new CountDownLatch(1);
        AtomicLong counted = new AtomicLong();
        try (SocketNode node = SocketNode.start(socket -> {
            head(socket.getInputStream());
            send(socket, SWITCH);
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
            gateway().apply(decrypting(node));
            try (SSLSocket client =
                    (SSLSocket) OWN.context().getSocketFactory().createSocket(connect(), "a", port(), true)) {
                send(client, ASK);
                assertThat(head(client.getInputStream())).startsWith("HTTP/1.1 101");
                client.getOutputStream().write(new byte[LITTLE]);
                client.shutdownOutput();
                TimeUnit.MILLISECONDS.sleep(200);
                gone.countDown();
                GatewayHarness.eventually(() -> counted.get() == LITTLE);
            }
        }
    }

    @Test
    void whatANodeOfTlsSentBeforeItsEndReachesAClientThatReadsLater() throws Exception {
        CountDownLatch gone = new CountDownLatch(1);
        try (SocketNode node = SocketNode.start(OWN.context(), socket -> {
            head(socket.getInputStream());
            send(socket, SWITCH);
            socket.getOutputStream().write(new byte[LITTLE]);
            socket.close();
            gone.countDown();
        })) {
            gateway().apply(encrypting(node));
            try (Socket client = connect()) {
                send(client, ASK);
                assertThat(gone.await(10, TimeUnit.SECONDS)).isTrue();
                client.getOutputStream().write(new byte[LITTLE]);
                TimeUnit.MILLISECONDS.sleep(200);
                assertThat(head(client.getInputStream())).startsWith("HTTP/1.1 101");
                assertThat(client.getInputStream().readAllBytes()).hasSize(LITTLE);
            }
        }
    }

    @Test
    void responseThatEndsWithTheTlsOfTheNodeReachesAClientThatReadsLater() throws Exception {
        try (SocketNode node = untilClose(true)) {
            gateway().apply(encrypting(node));
            try (Socket client = connect()) {
                readLate(client);
            }
        }
    }

    @Test
    void responseThatEndsTheConnectionReachesAClientOfTlsThatReadsLater() throws Exception {
        try (SocketNode node = untilClose(false)) {
            gateway().apply(decrypting(node));
            try (SSLSocket client =
                    (SSLSocket) OWN.context().getSocketFactory().createSocket(connect(), "a", port(), true)) {
                readLate(client);
            }
        }
    }

    private static SocketNode untilClose(boolean encrypted) {
        return SocketNode.start(encrypted ? OWN.context() : null, socket -> {
            head(socket.getInputStream());
            send(socket, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n");
            socket.getOutputStream().write(new byte[MUCH]);
        });
    }

    private static void readLate(Socket client) throws Exception {
        // HTTP/1.0 knows no chunks: the end of the connection is that of the response.
        send(client, "GET / HTTP/1.0\r\nHost: a\r\n\r\nGET /later HTTP/1.0\r\n");
        TimeUnit.MILLISECONDS.sleep(1_000);
        assertThat(head(client.getInputStream())).startsWith("HTTP/1.1 200");
        assertThat(client.getInputStream().readAllBytes()).hasSize(MUCH);
    }
}
