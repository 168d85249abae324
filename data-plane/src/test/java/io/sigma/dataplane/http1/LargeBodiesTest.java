package io.sigma.dataplane.http1;

import static io.sigma.dataplane.testkit.GatewayHarness.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.uring.IoUring;
import io.sigma.dataplane.engine.uring.RingChannel;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.Wire;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Bodies that are too long for a buffer, which some transports pass on without having them in memory. */
final class LargeBodiesTest extends EngineContract {

    private static final int MIB = 1024 * 1024;
    /** Around the length from which a body is worth being piped, and what fits into one pipe. */
    private static final List<Integer> LENGTHS = List.of(
            3 * MIB,
            0,
            64 * 1024 - 1,
            1,
            64 * 1024,
            MIB,
            64 * 1024 + 1,
            MIB + 1,
            200_000,
            5 * MIB,
            17,
            8 * MIB,
            300_000);

    private static byte[] content(int length) {
        byte[] content = new byte[length];
        new Random(length).nextBytes(content);
        return content;
    }

    private static TestNode answering() {
        return TestNode.start((request, connection) -> {
            byte[] body = content(Integer.parseInt(request.target().substring(1)));
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: " + body.length + "\r\n\r\n");
            connection.out().write(body);
        });
    }

    /** Answers a body with itself. */
    private static TestNode echoing() {
        return TestNode.start((request, connection) -> {
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: " + request.body().length + "\r\n\r\n");
            connection.out().write(request.body());
        });
    }

    @Test
    void answersOfAnyLengthFollowOneAnotherOnOneConnection() throws Exception {
        try (TestNode node = answering()) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                for (int length : LENGTHS) {
                    client.send("GET /" + length + " HTTP/1.1\r\nHost: a\r\n\r\n");
                    assertThat(client.read().body()).as("%s octets", length).isEqualTo(content(length));
                }
            }
            assertThat(node.accepted()).isEqualTo(1);
        }
    }

    @Test
    void requestsOfAnyLengthFollowOneAnotherOnOneConnection() throws Exception {
        try (TestNode node = echoing()) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                for (int length : LENGTHS) {
                    client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + length + "\r\n\r\n");
                    client.out().write(content(length));
                    assertThat(client.read().body()).as("%s octets", length).isEqualTo(content(length));
                }
            }
            assertThat(node.accepted()).isEqualTo(1);
        }
    }

    @Test
    void whatFollowsALargeBodyAtOnceIsTheNextRequest() throws Exception {
        try (TestNode node = echoing()) {
            gateway().apply(forwarding(node.url()));
            byte[] body = content(2 * MIB);
            byte[] one = ("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: " + body.length + "\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII);
            int requests = 6;
            try (RawClient client = RawClient.connect(port())) {
                CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> {
                    try {
                        for (int i = 0; i < requests; i++) {
                            client.out().write(one);
                            client.out().write(body);
                        }
                    } catch (IOException e) {
                        throw new java.io.UncheckedIOException(e);
                    }
                });
                for (int i = 0; i < requests; i++) {
                    assertThat(client.read().body()).as("request %s", i).isEqualTo(body);
                }
                sent.get(10, TimeUnit.SECONDS);
            }
        }
    }

    @Test
    void nodeThatBreaksOffALargeAnswerLeavesItIncomplete() throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> {
            byte[] body = content(4 * MIB);
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: " + body.length + "\r\n\r\n");
            boolean whole = request.target().equals("/whole");
            connection.out().write(body, 0, whole ? body.length : body.length - 1);
            if (!whole) {
                connection.socket().close();
            }
        })) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                client.send("GET /whole HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(client.read().body()).isEqualTo(content(4 * MIB));
                client.send("GET /broken HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThatThrownBy(client::read).isInstanceOfAny(EOFException.class, SocketException.class);
            }
        }
    }

    @Test
    void clientThatBreaksOffALargeRequestEndsItAtTheNode() throws Exception {
        CompletableFuture<Integer> heard = new CompletableFuture<>();
        try (TestNode node = TestNode.startHeadsOnly((request, connection) -> {
            try {
                heard.complete(connection.in().readAllBytes().length);
            } catch (SocketException e) {
                heard.complete(-1);
            }
        })) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + 8 * MIB + "\r\n\r\n");
                client.out().write(content(4 * MIB));
            }
            assertThat(heard.get(10, TimeUnit.SECONDS)).isLessThanOrEqualTo(4 * MIB);
        }
    }

    @Test
    void manyClientsThatStopReadingKeepNothingOnceTheyAreGone() throws Exception {
        try (TestNode node = answering()) {
            gateway().apply(forwarding(node.url()).closingIdle());
            List<RawClient> clients = new ArrayList<>();
            long before = pipes();
            for (int i = 0; i < 80; i++) {
                RawClient client = RawClient.connect(port());
                clients.add(client);
                client.send("GET /" + 8 * MIB + " HTTP/1.1\r\nHost: a\r\n\r\n");
            }
            // Each has read a part, so that the rest is under way.
            for (RawClient client : clients) {
                assertThat(client.in().readNBytes(200_000)).hasSize(200_000);
            }
            assertThat(pipes() > before).isEqualTo(pipesBodies());
            try (RawClient other = RawClient.connect(port())) {
                other.send("GET /" + 8 * MIB + " HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(other.read().body()).isEqualTo(content(8 * MIB));
            }
            for (RawClient client : clients) {
                client.close();
            }
            eventually(() -> node.openNow() <= 1);
            // An event loop keeps some for the next bodies, two descriptors each.
            eventually(() -> pipes() <= before + 2 * 2 * 32);
            try (RawClient other = RawClient.connect(port())) {
                other.send("GET /" + 8 * MIB + " HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(other.read().body()).isEqualTo(content(8 * MIB));
            }
        }
    }

    private static boolean pipesBodies() {
        return "auto".equals(System.getProperty("sigma.test.transport"))
                && IoUring.isAvailable()
                && RingChannel.isAvailable();
    }

    private static long pipes() {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.filter(descriptor -> {
                        try {
                            return Files.readSymbolicLink(descriptor).toString().startsWith("pipe:");
                        } catch (IOException e) {
                            return false;
                        }
                    })
                    .count();
        } catch (IOException e) {
            return 0;
        }
    }

    @Test
    void largeAnswerOfASlowNodeComesAsItIsSent() throws Exception {
        CompletableFuture<Void> more = new CompletableFuture<>();
        byte[] body = content(2 * MIB);
        int first = MIB + 333;
        try (TestNode node = TestNode.start((request, connection) -> {
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: " + body.length + "\r\n\r\n");
            connection.out().write(body, 0, first);
            if (request.target().equals("/slow")) {
                more.get(10, TimeUnit.SECONDS);
            }
            connection.out().write(body, first, body.length - first);
        })) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                client.send("GET /fast HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(client.read().body()).isEqualTo(body);
                client.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n");
                Wire.readLine(client.in());
                Wire.readFields(client.in());
                assertThat(client.in().readNBytes(first)).isEqualTo(Arrays.copyOf(body, first));
                more.complete(null);
                assertThat(client.in().readNBytes(body.length - first))
                        .isEqualTo(Arrays.copyOfRange(body, first, body.length));
            }
        }
    }
}
