package io.sigma.dataplane.http2;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.RawHttp2;
import io.sigma.dataplane.testkit.TestNode;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients on HTTP/2 that end their direction of the connection behind their requests, as those on HTTP/1.1 may. */
final class HalfClosedHttp2Test extends EngineContract {

    private static final int LAST_HEAD = RawHttp2.END_HEADERS | RawHttp2.END_STREAM;

    private int portFor(TestNode node) {
        gateway().apply(forwarding(node.url()));
        return port();
    }

    /** Answers when the test says so. */
    private static TestNode waiting(CountDownLatch asked, CountDownLatch answers) {
        return TestNode.start((request, connection) -> {
            asked.countDown();
            answers.await(10, TimeUnit.SECONDS);
            connection.ok("to " + request.target());
        });
    }

    private static byte[] whole(String method, String target, String... more) throws Exception {
        return RawHttp2.fields(Stream.concat(
                        Stream.of(":method", method, ":scheme", "http", ":path", target, ":authority", "a"),
                        Stream.of(more))
                .toArray(String[]::new));
    }

    /** Returns the octets of the bodies by stream, until the gateway ends the connection. */
    private static Map<Integer, Integer> answers(RawHttp2 client) throws IOException {
        Map<Integer, Integer> octets = new TreeMap<>();
        try {
            while (true) {
                RawHttp2.Frame frame = client.next();
                if (frame.type() == RawHttp2.DATA) {
                    octets.merge(frame.stream(), frame.payload().length, Integer::sum);
                }
            }
        } catch (EOFException e) {
            return octets;
        }
    }

    @Test
    void clientOnHttp2ThatEndsItsSideGetsItsAnswers() throws Exception {
        CountDownLatch asked = new CountDownLatch(3);
        CountDownLatch answers = new CountDownLatch(1);
        try (TestNode node = waiting(asked, answers);
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), portFor(node));
                RawHttp2 client = RawHttp2.on(socket)) {
            client.send(RawHttp2.HEADERS, LAST_HEAD, 1, whole("GET", "/a"));
            client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 3, whole("POST", "/bc", "content-length", "2"));
            client.send(RawHttp2.DATA, RawHttp2.END_STREAM, 3, (byte) 'h', (byte) 'i');
            client.send(RawHttp2.HEADERS, LAST_HEAD, 5, whole("GET", "/def"));
            assertThat(asked.await(10, TimeUnit.SECONDS)).isTrue();
            socket.shutdownOutput();
            Thread.sleep(200);
            answers.countDown();
            assertThat(answers(client)).isEqualTo(Map.of(1, 5, 3, 6, 5, 7));
        }
    }

    /** With the requests and the end in one segment, too. */
    @Test
    void longAnswerReachesAClientOnHttp2ThatHasEndedItsSide() throws Exception {
        String body = "x".repeat(3_000_000);
        try (TestNode node = TestNode.named(body);
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), portFor(node));
                RawHttp2 client = RawHttp2.on(socket)) {
            // Windows for all of it: the client can open none later.
            client.send(RawHttp2.SETTINGS, 0, 0, (byte) 0, (byte) 4, (byte) 0x7f, (byte) 0, (byte) 0, (byte) 0);
            client.send(RawHttp2.WINDOW_UPDATE, 0, 0, (byte) 0x7f, (byte) 0, (byte) 0, (byte) 0);
            client.send(RawHttp2.HEADERS, LAST_HEAD, 1, whole("GET", "/"));
            socket.shutdownOutput();
            Thread.sleep(300);
            assertThat(answers(client)).isEqualTo(Map.of(1, body.length()));
        }
    }

    /** What is not whole, a call of gRPC, which ends with its client, and a connection without a request. */
    @ParameterizedTest
    @ValueSource(strings = {"POST", "grpc", ""})
    void nothingElseOnHttp2IsWaitedFor(String kind) throws Exception {
        CountDownLatch begun = new CountDownLatch(kind.isEmpty() ? 0 : 1);
        CountDownLatch ended = new CountDownLatch((int) begun.getCount());
        try (TestNode node = TestNode.startHeadsOnly((request, connection) -> {
                    begun.countDown();
                    connection.in().readAllBytes();
                    ended.countDown();
                });
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), portFor(node));
                RawHttp2 client = RawHttp2.on(socket)) {
            if (kind.equals("POST")) {
                client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, whole("POST", "/"));
                client.send(RawHttp2.DATA, 0, 1, new byte[10_000]);
            } else if (kind.equals("grpc")) {
                client.send(
                        RawHttp2.HEADERS, LAST_HEAD, 1, whole("POST", "/a.B/c", "content-type", "application/grpc"));
            }
            client.send(RawHttp2.PING, 0, 0, new byte[8]);
            client.untilPing();
            assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
            socket.shutdownOutput();
            assertThat(answers(client)).isEmpty();
            assertThat(ended.await(10, TimeUnit.SECONDS)).isTrue();
        }
    }
}
