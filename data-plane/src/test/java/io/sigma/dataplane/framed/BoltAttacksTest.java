package io.sigma.dataplane.framed;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.dataplane.testkit.BoltFrame;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.SocketNode;
import io.sigma.dataplane.testkit.TestSettings;
import io.sigma.model.Pool;
import io.sigma.model.Timeouts;
import io.sigma.snapshot.ResourceType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients and nodes of Bolt that take what others need. */
final class BoltAttacksTest extends BoltContract {

    private static final int FLOOD = 3_000;
    private static final int BURST = 900;
    private static final int HELD = 100;
    /** Less than so many buffers of the transport would count for. */
    private static final long HELD_BYTES_MAX = 16L * 1024 * 1024;

    @Override
    protected GatewaySettings settings(Path dataDir) {
        return TestSettings.of(dataDir).loops(2).heldBytesMax(HELD_BYTES_MAX).build();
    }

    private static byte[] many(int count, int type) throws IOException {
        ByteArrayOutputStream frames = new ByteArrayOutputStream();
        for (int i = 0; i < count; i++) {
            frames.write(BoltFrame.v1().type(type).id(i).bytes());
        }
        return frames.toByteArray();
    }

    /** They wait for the connection to the node, and then each may be sent as soon as the one before is. */
    @Test
    void requestsWithoutAnswersAreSentHoweverManyWait() throws Exception {
        byte[] flood = many(FLOOD, BoltFrame.ONE_WAY);
        CountDownLatch arrived = new CountDownLatch(1);
        try (SocketNode node = SocketNode.start(socket -> {
            socket.getInputStream().readNBytes(flood.length);
            arrived.countDown();
            while (true) {
                socket.getOutputStream()
                        .write(answer(Received.read(socket), new byte[1]).bytes());
            }
        })) {
            gateway()
                    .apply(passing(node.url())
                            .pooled(Pool.builder().connectionsMax(1).streamsMax(1)));
            try (Socket client = connect()) {
                client.getOutputStream().write(flood);
                assertThat(arrived.await(30, TimeUnit.SECONDS)).isTrue();
                assertThat(call(client, BoltFrame.v1()).status()).isZero();
            }
        }
    }

    /** Short requests that arrive in one piece hold what they need, and each is not counted for the whole piece. */
    @Test
    void burstOfRequestsThatWaitIsCountedOnce() throws Exception {
        try (SocketNode node = named("a")) {
            gateway().apply(passing(node.url()));
            try (Socket client = connect()) {
                client.getOutputStream().write(many(BURST, BoltFrame.REQUEST));
                for (int i = 0; i < BURST; i++) {
                    assertThat(Received.read(client).status()).isZero();
                }
            }
            assertThat(gateway().metric("sigma_held_ended_total")).isZero();
        }
    }

    private static void count(Socket socket, CountDownLatch all) {
        try {
            while (true) {
                Received.read(socket);
                all.countDown();
            }
        } catch (IOException e) {
            // The gateway may close the connection of an attacker, so no answer is missing.
        }
    }

    @Test
    void everyClientIsToldWhenTheConnectionToTheNodeBreaks() throws Exception {
        int each = 20;
        CountDownLatch all = new CountDownLatch(3 * each);
        try (SocketNode node = SocketNode.start(socket -> {
            Thread.ofVirtual().start(() -> count(socket, all));
            all.await(10, TimeUnit.SECONDS);
        })) {
            gateway().apply(passing(node.url()));
            List<Socket> clients = new ArrayList<>();
            try {
                for (int i = 0; i < 3; i++) {
                    Socket client = connect();
                    clients.add(client);
                    client.getOutputStream().write(many(each, BoltFrame.REQUEST));
                }
                for (Socket client : clients) {
                    List<Integer> told = new ArrayList<>();
                    for (int i = 0; i < each; i++) {
                        Received answer = Received.read(client);
                        assertThat(answer.status()).isEqualTo(5);
                        told.add(answer.id());
                    }
                    assertThat(told).doesNotHaveDuplicates();
                }
            } finally {
                for (Socket client : clients) {
                    client.close();
                }
            }
        }
    }

    @Test
    void answersThatNobodyAskedForAreDropped() throws Exception {
        try (SocketNode node = SocketNode.start(socket -> {
            while (true) {
                Received request = Received.read(socket);
                for (int id = request.id() + 1; id < request.id() + 1_000; id++) {
                    socket.getOutputStream()
                            .write(BoltFrame.v1()
                                    .type(BoltFrame.RESPONSE)
                                    .id(-id)
                                    .bytes());
                }
                socket.getOutputStream().write(BoltFrame.v1().heartbeat().bytes());
                Received alive = Received.read(socket);
                assertThat(alive.command()).isZero();
                socket.getOutputStream()
                        .write(answer(request, "right".getBytes(UTF_8)).bytes());
            }
        })) {
            gateway().apply(passing(node.url()));
            try (Socket client = connect()) {
                for (int i = 0; i < 3; i++) {
                    assertThat(call(client, BoltFrame.v1()).content()).isEqualTo("right".getBytes(UTF_8));
                }
            }
        }
    }

    /** The library answers all requests of a connection in the version of the first one. */
    @Test
    void versionsMayBeMixedOnAConnection() throws Exception {
        byte[] second = BoltFrame.v2(true).id(3).bytes();
        byte[] first = BoltFrame.v1().id(4).bytes();
        try (SocketNode node = SocketNode.start(socket -> {
            int id = ByteBuffer.wrap(socket.getInputStream().readNBytes(second.length))
                    .getInt(6);
            socket.getOutputStream().write(inVersion2(id));
            id = ByteBuffer.wrap(socket.getInputStream().readNBytes(first.length))
                    .getInt(5);
            socket.getOutputStream().write(inVersion2(id));
            socket.getInputStream().read();
        })) {
            gateway().apply(passing(node.url()));
            try (Socket client = connect()) {
                client.getOutputStream().write(second);
                byte[] expected = inVersion2(3);
                assertThat(client.getInputStream().readNBytes(expected.length)).isEqualTo(expected);
                client.getOutputStream().write(first);
                Received answer = Received.read(client);
                assertThat(answer.id()).isEqualTo(4);
                assertThat(answer.content()).isEqualTo(new byte[] {1, 2, 3});
            }
        }
    }

    private static byte[] inVersion2(int id) {
        return BoltFrame.v2(true).type(BoltFrame.RESPONSE).id(id).bytes();
    }

    /** Ids are the client's own business: it may use one twice, and 0 and the largest one. */
    @Test
    void eachRequestIsAnsweredWhateverItsId() throws Exception {
        List<Integer> ids = List.of(0, 0, -1, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, 7, 7, 7);
        try (SocketNode node = SocketNode.start(socket -> {
            List<Received> requests = new ArrayList<>();
            for (int i = 0; i < ids.size(); i++) {
                requests.add(Received.read(socket));
            }
            assertThat(requests).extracting(Received::id).doesNotHaveDuplicates();
            for (Received each : requests.reversed()) {
                byte[] answer = answer(each, each.content()).bytes();
                // The second one is for nobody.
                socket.getOutputStream().write(answer);
                socket.getOutputStream().write(answer);
            }
            socket.getInputStream().read();
        })) {
            gateway().apply(passing(node.url()));
            try (Socket client = connect()) {
                for (int i = 0; i < ids.size(); i++) {
                    client.getOutputStream()
                            .write(BoltFrame.v1()
                                    .id(ids.get(i))
                                    .content(new byte[] {(byte) i})
                                    .bytes());
                }
                List<Integer> answered = new ArrayList<>();
                for (int i = 0; i < ids.size(); i++) {
                    Received answer = Received.read(client);
                    assertThat(answer.id()).isEqualTo(ids.get(answer.content()[0]));
                    answered.add((int) answer.content()[0]);
                }
                assertThat(answered).doesNotHaveDuplicates();
                client.getOutputStream().write(BoltFrame.v1().heartbeat().id(3).bytes());
                assertThat(Received.read(client).id()).isEqualTo(3);
            }
        }
    }

    /** A frame without a time has that of the proxy pass. */
    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE})
    void timeThatIsNoneIsThatOfTheProxyPass(int timeoutMillis) throws Exception {
        try (SocketNode node =
                SocketNode.start(socket -> socket.getInputStream().readAllBytes())) {
            gateway()
                    .apply(passing(node.url())
                            .with(
                                    ResourceType.PROXY_PASS,
                                    "pass",
                                    pass -> pass.toBuilder()
                                            .timeouts(Timeouts.builder()
                                                    .responseMillis(300)
                                                    .totalMillis(600)
                                                    .build())
                                            .build()));
            try (Socket client = connect()) {
                assertThat(call(client, BoltFrame.v1().timeoutMillis(timeoutMillis))
                                .status())
                        .isEqualTo(7);
            }
        }
    }

    /** Its requests give their places back, though their node never answers them. */
    @Test
    void clientThatLeavesKeepsNoPlaceOfANode() throws Exception {
        CountDownLatch begun = new CountDownLatch(HELD);
        try (SocketNode node = SocketNode.start(socket -> {
            while (true) {
                Received request = Received.read(socket);
                if (begun.getCount() > 0) {
                    begun.countDown();
                } else {
                    socket.getOutputStream().write(answer(request, new byte[1]).bytes());
                }
            }
        })) {
            gateway()
                    .apply(passing(node.url())
                            .pooled(Pool.builder().connectionsMax(1).streamsMax(HELD)));
            for (int i = 0; i < 2; i++) {
                try (Socket client = connect()) {
                    client.getOutputStream().write(many(HELD / 2, BoltFrame.REQUEST));
                    int left = HELD - (i + 1) * HELD / 2;
                    GatewayHarness.eventually(() -> begun.getCount() == left);
                    // A reset: with an end, it could still wait for the answers.
                    client.setSoLinger(true, 0);
                }
            }
            // Until the end of the client before is noticed, the node is full.
            GatewayHarness.eventually(() -> status() == 0);
        }
    }

    private int status() {
        try (Socket client = connect()) {
            return call(client, BoltFrame.v1()).status();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] wrongSum(int id) {
        byte[] frame = inVersion2(id);
        frame[frame.length - 1] ^= 1;
        return frame;
    }

    private static byte[] tooLong() {
        byte[] head = BoltFrame.v1()
                .type(BoltFrame.RESPONSE)
                .className("")
                .content(new byte[0])
                .bytes();
        head[16] = 0x7f;
        return head;
    }

    private static byte[] negative() {
        byte[] head = tooLong();
        head[16] = (byte) 0x80;
        return head;
    }

    @Test
    void nodeThatSendsNoFramesFailsItsRequests() throws Exception {
        for (byte[] bad : List.of(wrongSum(1), tooLong(), negative(), new byte[] {9}, new byte[] {1, 0, 0, 2, 0, 0})) {
            try (SocketNode node = SocketNode.start(socket -> {
                Received.read(socket);
                socket.getOutputStream().write(bad);
                socket.getInputStream().read();
            })) {
                gateway().apply(passing(node.url()));
                try (Socket client = connect()) {
                    if (bad.length == 6) {
                        // It is the beginning of a frame, and may go on.
                        assertThat(call(client, BoltFrame.v1().timeoutMillis(200))
                                        .status())
                                .isEqualTo(7);
                    } else {
                        assertThat(call(client, BoltFrame.v1()).status()).isEqualTo(5);
                    }
                    // The client's connection goes on.
                    client.getOutputStream()
                            .write(BoltFrame.v1().heartbeat().id(3).bytes());
                    assertThat(Received.read(client).id()).isEqualTo(3);
                }
            }
        }
    }
}
