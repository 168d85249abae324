package io.sigma.dataplane.framed;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.BoltFrame;
import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.SocketNode;
import io.sigma.dataplane.testkit.TestTls;
import io.sigma.model.Node;
import io.sigma.model.Pool;
import io.sigma.model.ServerLimits;
import io.sigma.model.ServerTls;
import io.sigma.model.Upstream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections of Bolt that the gateway ends. */
final class BoltEndsTest extends BoltContract {

    private static final TestTls OWN = TestTls.create("rpc.example", "rpc.example");
    private static final int ANSWER_BYTES = 200_000;
    /** Less than the peer of a connection that is closed may still send. */
    private static final int REST_BYTES = 500_000;

    private static final int IN_PROGRESS = 100;
    private static final int LATE = 20;

    private Config config(boolean encrypted, String node) {
        Config config = passing(node);
        return encrypted
                ? config.server(server().tls(ServerTls.builder()
                                        .certificates(List.of("own"))
                                        .build())
                                .build())
                        .certificate(OWN.resource("own"))
                : config;
    }

    /** A client that takes little before it reads. */
    private Socket client(boolean encrypted) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(16 * 1024);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port()), TIMEOUT_MILLIS);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        return encrypted ? OWN.context().getSocketFactory().createSocket(socket, "rpc.example", port(), true) : socket;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void answersAreNotLostToAnInvalidFrameAfterThem(boolean encrypted) throws Exception {
        try (SocketNode node = SocketNode.start(socket -> {
            while (true) {
                Received request = Received.read(socket);
                socket.getOutputStream()
                        .write(answer(request, new byte[ANSWER_BYTES]).bytes());
            }
        })) {
            gateway().apply(config(encrypted, node.url()));
            try (Socket client = client(encrypted)) {
                client.getOutputStream().write(BoltFrame.v1().id(5).bytes());
                records(1);
                // Not a frame, and more than is read at once.
                client.getOutputStream().write(new byte[REST_BYTES]);
                TimeUnit.MILLISECONDS.sleep(300);
                Received answer = Received.read(client);
                assertThat(answer.id()).isEqualTo(5);
                assertThat(answer.content()).hasSize(ANSWER_BYTES);
                assertThat(client.getInputStream().read()).isNegative();
            }
        }
    }

    @Test
    void requestsInProgressAreAnsweredWhenTheTimeToDrainIsOver() throws Exception {
        try (SocketNode node =
                SocketNode.start(socket -> socket.getInputStream().transferTo(OutputStream.nullOutputStream()))) {
            gateway().apply(passing(node.url()));
            try (Socket client = connect()) {
                ByteArrayOutputStream requests = new ByteArrayOutputStream();
                for (int id = 0; id < IN_PROGRESS; id++) {
                    requests.write(BoltFrame.v1().id(id).timeoutMillis(60_000).bytes());
                }
                // Not answered, whatever happens.
                requests.write(BoltFrame.v1().type(BoltFrame.ONE_WAY).bytes());
                client.getOutputStream().write(requests.toByteArray());
                records(1);
                gateway().apply(new Config());
                List<Integer> told = new ArrayList<>();
                for (int i = 0; i < IN_PROGRESS; i++) {
                    Received answer = Received.read(client);
                    assertThat(answer.status()).isEqualTo(5);
                    told.add(answer.id());
                }
                assertThat(told).doesNotHaveDuplicates().allMatch(id -> id >= 0 && id < IN_PROGRESS);
                assertThat(client.getInputStream().read()).isNegative();
            }
            assertThat(records(IN_PROGRESS + 1).getLast().path("error").asText())
                    .isEqualTo("connection_ended");
        }
    }

    /** Its requests have arrived, though they are not read yet: the connection has no room for answers. */
    @Test
    void clientThatHasEndedGetsTheAnswersThatItReadsLater() throws Exception {
        try (SocketNode node = SocketNode.start(socket -> {
            while (true) {
                Received request = Received.read(socket);
                socket.getOutputStream()
                        .write(answer(request, new byte[ANSWER_BYTES]).bytes());
            }
        })) {
            gateway()
                    .apply(passing(node.url())
                            .server(server().limits(
                                            ServerLimits.builder().callsMax(1).build())
                                    .build()));
            try (Socket client = client(false)) {
                for (int id = 0; id < LATE; id++) {
                    client.getOutputStream().write(BoltFrame.v1().id(id).bytes());
                }
                client.shutdownOutput();
                TimeUnit.MILLISECONDS.sleep(500);
                for (int id = 0; id < LATE; id++) {
                    Received answer = Received.read(client);
                    assertThat(answer.id()).isEqualTo(id);
                    assertThat(answer.content()).hasSize(ANSWER_BYTES);
                }
                assertThat(client.getInputStream().read()).isNegative();
            }
        }
    }

    /** OpenSSL ends both directions at once, while the connection to the node is being opened. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void requestsWithoutAnswersArriveThoughTheirClientHasEnded(boolean encrypted) throws Exception {
        AtomicInteger arrived = new AtomicInteger();
        try (SocketNode node = SocketNode.start(socket -> {
            while (true) {
                Received.read(socket);
                arrived.incrementAndGet();
            }
        })) {
            gateway()
                    .apply(config(encrypted, node.url())
                            .upstream(Upstream.builder()
                                    .id("nodes")
                                    .nodes(List.of(
                                            Node.builder().url(node.url()).build()))
                                    .pool(Pool.builder()
                                            .connectionsMax(1)
                                            .streamsMax(1)
                                            .build())
                                    .build()));
            try (Socket client = client(encrypted)) {
                ByteArrayOutputStream requests = new ByteArrayOutputStream();
                for (int id = 0; id < LATE; id++) {
                    requests.write(BoltFrame.v1().id(id).type(BoltFrame.ONE_WAY).bytes());
                }
                client.getOutputStream().write(requests.toByteArray());
            }
            GatewayHarness.eventually(() -> arrived.get() == LATE);
        }
        assertThat(records(LATE)).allMatch(line -> line.path("status").asInt() == 202);
    }
}
