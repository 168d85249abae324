package io.sigma.dataplane.http2;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.FrameNode;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.RawHttp2;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.model.CircuitBreaker;
import io.sigma.model.OutlierDetection;
import io.sigma.model.UpstreamLimits;
import io.sigma.snapshot.ResourceType;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Calls of gRPC to plaintext nodes with protocol AUTO: over HTTP/2, as far as the node speaks it. Anybody can say that
 * a request is gRPC, so a node that does not speak HTTP/2 is not to suffer from it.
 */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class PriorKnowledgeCallsTest extends EngineContract {

    private static final int CALLS = 200;
    private static final byte[] CALL = RawHttp2.fields(RawHttp2.CALL_FIELDS.toArray(String[]::new));

    /** What a node of HTTP/1.1 makes of the preface of HTTP/2. */
    enum Answer {
        BAD_REQUEST {
            @Override
            void give(TestNode.Connection connection) throws IOException {
                connection.send("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
                connection.socket().close();
            }
        },
        CLOSED {
            @Override
            void give(TestNode.Connection connection) throws IOException {
                connection.socket().close();
            }
        },
        RESET {
            @Override
            void give(TestNode.Connection connection) throws IOException {
                connection.socket().setSoLinger(true, 0);
                connection.socket().close();
            }
        },
        NOTHING {
            @Override
            void give(TestNode.Connection connection) throws IOException {
                connection.in().readAllBytes();
            }
        };

        abstract void give(TestNode.Connection connection) throws IOException;
    }

    /** One failure would take the node out. */
    private Config strict(String url) {
        return forwarding(url)
                .with(
                        ResourceType.UPSTREAM,
                        "nodes",
                        upstream -> upstream.toBuilder()
                                .outlierDetection(OutlierDetection.builder()
                                        .consecutiveFailures(1)
                                        .ejectedPercentMax(100)
                                        .build())
                                .limits(UpstreamLimits.builder()
                                        .circuitBreaker(CircuitBreaker.builder()
                                                .requestsMin(1)
                                                .failurePercent(1)
                                                .build())
                                        .build())
                                .build());
    }

    @ParameterizedTest
    @EnumSource
    void callsDoNoHarmToANodeOfHttp1(Answer answer) throws Exception {
        AtomicInteger tried = new AtomicInteger();
        AtomicInteger called = new AtomicInteger();
        try (TestNode node = TestNode.start((request, connection) -> {
            if (request.method().equals("PRI")) {
                tried.incrementAndGet();
                answer.give(connection);
                return;
            }
            if (request.method().equals("POST")) {
                called.incrementAndGet();
            }
            connection.ok("ok");
        })) {
            gateway().apply(strict(node.url()));
            AtomicBoolean over = new AtomicBoolean();
            AtomicInteger failed = new AtomicInteger();
            AtomicInteger served = new AtomicInteger();
            Thread ordinary = Thread.ofVirtual().start(() -> {
                while (!over.get()) {
                    try {
                        (get("/").status() == 200 ? served : failed).incrementAndGet();
                    } catch (Exception e) {
                        failed.incrementAndGet();
                    }
                }
            });
            try (RawHttp2 client = RawHttp2.connect(port())) {
                for (int i = 0; i < CALLS / 50; i++) {
                    for (int j = 0; j < 50; j++) {
                        int stream = 2 * (50 * i + j) + 1;
                        client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, stream, CALL);
                        client.send(RawHttp2.DATA, RawHttp2.END_STREAM, stream, (byte) 'a');
                    }
                    for (int ends = 0; ends < 50; ) {
                        RawHttp2.Frame frame = client.next();
                        assertThat(frame.type()).isIn(RawHttp2.HEADERS, RawHttp2.DATA);
                        if (frame.type() == RawHttp2.HEADERS) {
                            // Of the node, not of the gateway.
                            assertThat(client.decoded(frame)).contains("content-type: text/plain");
                        }
                        ends += frame.flags() & RawHttp2.END_STREAM;
                    }
                }
            }
            over.set(true);
            ordinary.join();
            assertThat(failed).hasValue(0);
            assertThat(served.get()).isPositive();
            assertThat(called).hasValue(CALLS);
            assertThat(tried.get()).isBetween(1, 3);
            assertThat(RawClient.get(gateway().gateway().telemetryPort(), "localhost", "/metrics")
                            .text())
                    .doesNotContain("sigma_nodes_state{state=\"ejected\",upstream=\"nodes\"} 1.0");
            assertThat(get("/").status()).isEqualTo(200);
        }
    }

    /** Skips the reset of a stream whose node answered before it had read all. */
    private static List<String> nextHead(RawHttp2 client) throws Exception {
        RawHttp2.Frame frame = client.next();
        while (frame.type() == RawHttp2.RST_STREAM) {
            frame = client.next();
        }
        return client.decoded(frame);
    }

    @Test
    void callGoesOverHttp2ToANodeThatSpeaksIt() throws Exception {
        try (FrameNode node = FrameNode.start((request, connection) -> {
            connection.send(
                    RawHttp2.HEADERS,
                    RawHttp2.END_HEADERS,
                    request.stream(),
                    RawHttp2.fields(":status", "200", "content-type", "application/grpc"));
            connection.lastHead(request.stream(), "grpc-status", "0");
        })) {
            gateway().apply(strict(node.url()));
            try (RawHttp2 client = RawHttp2.connect(port())) {
                for (int stream = 1; stream < 2 * CALLS; stream += 2) {
                    client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, stream, CALL);
                    client.send(RawHttp2.DATA, RawHttp2.END_STREAM, stream, (byte) 'a');
                    assertThat(nextHead(client)).contains("content-type: application/grpc");
                    assertThat(nextHead(client)).contains("grpc-status: 0");
                }
            }
            // Streams of calls that are answered early are cancelled, and a connection bears 100 of those.
            assertThat(node.connections()).hasSizeBetween(1, 4);
        }
    }

    @Test
    void otherRequestsGoOverHttp1() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(forwarding(node.url()));
            try (RawHttp2 client = RawHttp2.connect(port())) {
                client.send(
                        RawHttp2.HEADERS,
                        RawHttp2.END_HEADERS,
                        1,
                        RawHttp2.head("content-type", "application/grpc-web"));
                client.send(RawHttp2.DATA, RawHttp2.END_STREAM, 1, (byte) 'a');
                assertThat(client.status(client.next())).isEqualTo("200");
            }
            assertThat(node.received()).hasSize(1);
        }
    }
}
