package io.sigma.dataplane.framed;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.BoltFrame;
import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.SocketNode;
import io.sigma.model.Pool;
import io.sigma.snapshot.ResourceType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Clients and nodes of Bolt that take what others need. */
final class BoltAttacksTest extends BoltContract {

    private static final int FLOOD = 5_000;
    private static final int BURST = 900;
    private static final int MIB = 1024 * 1024;

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
        AtomicInteger arrived = new AtomicInteger();
        try (SocketNode node = SocketNode.start(socket -> {
            while (true) {
                Received request = Received.read(socket);
                if (request.type() == BoltFrame.ONE_WAY) {
                    arrived.incrementAndGet();
                } else {
                    socket.getOutputStream()
                            .write(answer(request, "a".getBytes(UTF_8)).bytes());
                }
            }
        })) {
            gateway()
                    .apply(passing(node.url())
                            .with(
                                    ResourceType.UPSTREAM,
                                    "nodes",
                                    upstream -> upstream.toBuilder()
                                            .pool(Pool.builder()
                                                    .connectionsMax(1)
                                                    .streamsMax(1)
                                                    .build())
                                            .build()));
            try (Socket flood = connect();
                    Socket other = connect()) {
                flood.getOutputStream().write(many(FLOOD, BoltFrame.ONE_WAY));
                GatewayHarness.eventually(() -> arrived.get() == FLOOD);
                assertThat(call(other, BoltFrame.v1()).status()).isZero();
            }
        }
    }

    /** Short requests that arrive in one piece hold what they need, and each is not counted for the whole piece. */
    @Test
    void burstOfRequestsThatWaitIsCountedOnce() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        try (SocketNode node = SocketNode.start(socket -> {
            go.await(10, TimeUnit.SECONDS);
            while (true) {
                socket.getOutputStream()
                        .write(answer(Received.read(socket), new byte[1]).bytes());
            }
        })) {
            Config config = passing(node.url())
                    .with(
                            ResourceType.UPSTREAM,
                            "nodes",
                            upstream -> upstream.toBuilder()
                                    .pool(Pool.builder()
                                            .connectionsMax(1)
                                            .streamsMax(1)
                                            .build())
                                    .build());
            gateway().apply(config);
            try (Socket client = connect()) {
                client.getOutputStream().write(many(BURST, BoltFrame.REQUEST));
                GatewayHarness.eventually(() -> gateway().metric("sigma_held_bytes") > 0);
                assertThat(gateway().metric("sigma_held_bytes")).isLessThan(MIB);
                go.countDown();
                for (int i = 0; i < BURST; i++) {
                    assertThat(Received.read(client).status()).isZero();
                }
            }
        }
    }

    @Test
    void everyClientIsToldWhenTheConnectionToTheNodeBreaks() throws Exception {
        int each = 20;
        CountDownLatch all = new CountDownLatch(3 * each);
        try (SocketNode node = SocketNode.start(socket -> {
            while (all.getCount() > 0) {
                Received.read(socket);
                all.countDown();
            }
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
}
