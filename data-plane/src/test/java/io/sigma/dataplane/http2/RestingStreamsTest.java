package io.sigma.dataplane.http2;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.FrameNode;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.RawHttp2;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.model.NodeProtocol;
import io.sigma.model.OutlierDetection;
import io.sigma.model.Pool;
import io.sigma.model.ServerLimits;
import io.sigma.model.Timeouts;
import io.sigma.snapshot.ResourceType;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tunnels, streams of events and calls of gRPC, whose two sides may be silent for longer than others. */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class RestingStreamsTest extends EngineContract {

    private static final int IDLE_MILLIS = 1000;
    private static final int REST_MILLIS = 3 * IDLE_MILLIS;
    private static final int LONG_MILLIS = 60_000;
    private static final String ASK = "GET /chat HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n";
    private static final String SWITCH =
            "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n";
    private static final String DEADLINE_EXCEEDED = "4";
    private static final byte[] CALL = call();

    /** Everything else may be silent for {@link #IDLE_MILLIS}. */
    private static Config resting(Config config, int streamIdleMillis) {
        return config.with(
                        ResourceType.PROXY_SERVER,
                        "web",
                        server -> server.toBuilder()
                                .limits(ServerLimits.builder()
                                        .idleTimeoutMillis(IDLE_MILLIS)
                                        .streamIdleTimeoutMillis(streamIdleMillis)
                                        .bodyRatePeriodMillis(IDLE_MILLIS)
                                        .build())
                                .build())
                .with(
                        ResourceType.PROXY_PASS,
                        "pass",
                        pass -> pass.toBuilder()
                                .timeouts(Timeouts.builder()
                                        .connectMillis(30_000)
                                        .idleMillis(IDLE_MILLIS)
                                        .build())
                                .build());
    }

    private static TestNode events() {
        return TestNode.start((request, connection) -> {
            connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "9\r\ndata: 1\n\n\r\n");
            Thread.sleep(REST_MILLIS);
            connection.send("9\r\ndata: 2\n\n\r\n0\r\n\r\n");
        });
    }

    private static String toEnd(RawHttp2 client) throws Exception {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        RawHttp2.Frame frame;
        do {
            frame = client.next();
            assertThat(frame.type()).isIn(RawHttp2.DATA, RawHttp2.HEADERS);
            if (frame.type() == RawHttp2.DATA) {
                all.write(frame.payload());
            }
        } while ((frame.flags() & RawHttp2.END_STREAM) == 0);
        return all.toString(StandardCharsets.US_ASCII);
    }

    @Test
    void tunnelMayRest() throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> {
            connection.send(SWITCH);
            connection.out().write(connection.in().readNBytes(5));
            connection.out().flush();
        })) {
            gateway().apply(resting(forwarding(node.url()), LONG_MILLIS));
            try (RawClient client = RawClient.connect(port())) {
                client.send(ASK);
                assertThat(client.read().status()).isEqualTo(101);
                Thread.sleep(REST_MILLIS);
                client.send("hello");
                assertThat(client.in().readNBytes(5))
                        .asString(StandardCharsets.US_ASCII)
                        .isEqualTo("hello");
            }
        }
    }

    @Test
    void tunnelThatRestsForTooLongEnds() throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> {
            connection.send(SWITCH);
            connection.in().read();
        })) {
            gateway().apply(resting(forwarding(node.url()), REST_MILLIS));
            try (RawClient client = RawClient.connect(port())) {
                client.send(ASK);
                assertThat(client.read().status()).isEqualTo(101);
                assertThat(client.isClosedByPeer()).isTrue();
            }
            GatewayHarness.eventually(() -> node.openNow() == 0);
        }
    }

    @Test
    void eventStreamMayRest() throws Exception {
        try (TestNode node = events()) {
            gateway().apply(resting(forwarding(node.url()), LONG_MILLIS));
            assertThat(get("/events").text()).isEqualTo("data: 1\n\ndata: 2\n\n");
        }
    }

    @Test
    void eventStreamOnHttp2MayRest() throws Exception {
        try (TestNode node = events()) {
            gateway().apply(resting(forwarding(node.url()), LONG_MILLIS));
            try (RawHttp2 client = RawHttp2.connect(port())) {
                client.send(
                        RawHttp2.HEADERS,
                        RawHttp2.END_HEADERS | RawHttp2.END_STREAM,
                        1,
                        RawHttp2.fields(":method", "GET", ":scheme", "http", ":path", "/events", ":authority", "a"));
                assertThat(toEnd(client)).isEqualTo("data: 1\n\ndata: 2\n\n");
            }
        }
    }

    @Test
    void eventStreamThatRestsForTooLongEnds() throws Exception {
        try (TestNode node = events()) {
            gateway().apply(resting(forwarding(node.url()), IDLE_MILLIS));
            try (RawClient client = RawClient.connect(port())) {
                client.send("GET /events HTTP/1.1\r\nHost: a\r\n\r\n");
                StringBuilder head = new StringBuilder();
                while (head.indexOf("data: 1\n\n\r\n") < 0) {
                    head.append((char) client.in().read());
                }
                assertThat(client.isClosedByPeer()).isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void callOfGrpcMayRest(boolean headFirst) throws Exception {
        try (FrameNode node = FrameNode.start((request, connection) -> {
            if (headFirst) {
                connection.head(request.stream(), ":status", "200", "content-type", "application/grpc");
            }
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            RawHttp2.Frame frame;
            do {
                frame = connection.next();
                if (frame.type() == RawHttp2.DATA) {
                    all.write(frame.payload());
                }
            } while (frame.type() != RawHttp2.DATA || (frame.flags() & RawHttp2.END_STREAM) == 0);
            if (!headFirst) {
                connection.head(request.stream(), ":status", "200", "content-type", "application/grpc");
            }
            connection.send(RawHttp2.DATA, 0, request.stream(), all.toByteArray());
            connection.lastHead(request.stream(), "grpc-status", "0");
        })) {
            gateway().apply(resting(forwarding(node.url()).overHttp2(), LONG_MILLIS));
            try (RawHttp2 client = RawHttp2.connect(port())) {
                client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, CALL);
                client.send(RawHttp2.DATA, 0, 1, "before".getBytes(StandardCharsets.US_ASCII));
                Thread.sleep(REST_MILLIS);
                client.send(RawHttp2.DATA, RawHttp2.END_STREAM, 1, "after".getBytes(StandardCharsets.US_ASCII));
                assertThat(toEnd(client)).isEqualTo("beforeafter");
            }
        }
    }

    @Test
    void callOfGrpcThatRestsForTooLongEnds() throws Exception {
        try (FrameNode node = FrameNode.start((request, connection) -> connection.next())) {
            gateway().apply(resting(forwarding(node.url()).overHttp2(), REST_MILLIS));
            try (RawHttp2 client = RawHttp2.connect(port())) {
                client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, CALL);
                client.send(RawHttp2.DATA, 0, 1, "before".getBytes(StandardCharsets.US_ASCII));
                RawHttp2.Frame frame = client.next();
                assertThat(frame.type()).isEqualTo(RawHttp2.HEADERS);
                assertThat(frame.flags() & RawHttp2.END_STREAM).isNotZero();
            }
        }
    }

    private static byte[] call(String... more) {
        List<String> all = new ArrayList<>(RawHttp2.CALL_FIELDS);
        all.addAll(Arrays.asList(more));
        return RawHttp2.fields(all.toArray(String[]::new));
    }

    private static Config overHttp1(Config config) {
        return config.with(
                ResourceType.UPSTREAM,
                "nodes",
                upstream -> upstream.toBuilder().protocol(NodeProtocol.HTTP1).build());
    }

    /** Opens a stream of events, so that the connection of the client is not idle. */
    private static void rest(RawHttp2 client, int stream) throws Exception {
        client.send(
                RawHttp2.HEADERS,
                RawHttp2.END_HEADERS | RawHttp2.END_STREAM,
                stream,
                RawHttp2.fields(":method", "GET", ":scheme", "http", ":path", "/events", ":authority", "a"));
        assertThat(client.status(client.next())).isEqualTo("200");
        assertThat(client.next().type()).isEqualTo(RawHttp2.DATA);
    }

    /** Each of them would keep a connection of the node from others. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void requestThatCallsItselfGrpcHoldsNoConnectionOverHttp1(boolean announced) throws Exception {
        try (TestNode node = TestNode.startHeadsOnly((request, connection) -> {
            if (request.target().equals("/events")) {
                connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n");
                Thread.sleep(LONG_MILLIS);
            } else {
                connection.in().readAllBytes();
            }
        })) {
            gateway().apply(resting(overHttp1(forwarding(node.url())), LONG_MILLIS));
            try (RawHttp2 client = RawHttp2.connect(port())) {
                rest(client, 1);
                byte[] head = announced ? call("content-length", "100000") : call();
                long begun = System.nanoTime();
                client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 3, head);
                client.send(RawHttp2.DATA, 0, 3, "before".getBytes(StandardCharsets.US_ASCII));
                assertThat(client.decoded(client.next())).contains("grpc-status: " + DEADLINE_EXCEEDED);
                assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(20));
                GatewayHarness.eventually(() -> node.openNow() <= 1);
            }
        }
    }

    @Test
    void answerOfGrpcOverHttp1MayRest() throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> {
            connection.send("HTTP/1.1 200 OK\r\nContent-Type: application/grpc\r\n\r\nfirst");
            Thread.sleep(REST_MILLIS);
            connection.send("second");
            connection.socket().close();
        })) {
            gateway().apply(resting(overHttp1(forwarding(node.url())), LONG_MILLIS));
            try (RawHttp2 client = RawHttp2.connect(port())) {
                client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, call());
                client.send(RawHttp2.DATA, RawHttp2.END_STREAM, 1, "all".getBytes(StandardCharsets.US_ASCII));
                assertThat(toEnd(client)).isEqualTo("firstsecond");
            }
        }
    }

    /** Half of the two streams that the node takes may rest. */
    @Test
    void callsBeyondThoseThatMayRestEndAsOthersDo() throws Exception {
        try (FrameNode node = FrameNode.start((request, connection) -> {
            Thread.sleep(REST_MILLIS);
            connection.head(request.stream(), ":status", "200", "content-type", "application/grpc");
            connection.lastHead(request.stream(), "grpc-status", "0");
        })) {
            gateway()
                    .apply(resting(forwarding(node.url()).overHttp2(), LONG_MILLIS)
                            .pooled(Pool.builder().connectionsMax(1).streamsMax(2)));
            try (RawHttp2 client = RawHttp2.connect(port())) {
                client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, CALL);
                client.send(RawHttp2.DATA, 0, 1, "before".getBytes(StandardCharsets.US_ASCII));
                client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 3, CALL);
                client.send(RawHttp2.DATA, 0, 3, "before".getBytes(StandardCharsets.US_ASCII));
                RawHttp2.Frame first = client.next();
                assertThat(client.decoded(first)).contains("grpc-status: " + DEADLINE_EXCEEDED);
                RawHttp2.Frame second = client.next();
                while (second.stream() == first.stream()) {
                    second = client.next();
                }
                assertThat(client.decoded(second))
                        .contains(":status: 200")
                        .noneMatch(field -> field.startsWith("grpc-"));
            }
        }
    }

    @Test
    void clientThatSendsNothingIsNotTheFaultOfTheNode() throws Exception {
        try (FrameNode node = FrameNode.start((request, connection) -> {
            if (request.path().equals("/")) {
                connection.lastHead(request.stream(), ":status", "204");
            }
        })) {
            gateway()
                    .apply(resting(forwarding(node.url()).overHttp2(), IDLE_MILLIS)
                            .with(
                                    ResourceType.UPSTREAM,
                                    "nodes",
                                    upstream -> upstream.toBuilder()
                                            .outlierDetection(OutlierDetection.builder()
                                                    .consecutiveFailures(1)
                                                    .ejectedPercentMax(100)
                                                    .build())
                                            .build()));
            try (RawHttp2 client = RawHttp2.connect(port())) {
                client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, CALL);
                client.send(RawHttp2.DATA, 0, 1, "before".getBytes(StandardCharsets.US_ASCII));
                assertThat(client.decoded(client.next())).contains("grpc-status: " + DEADLINE_EXCEEDED);
            }
            assertThat(get("/").status()).isEqualTo(204);
        }
    }
}
