package io.sigma.dataplane.http1.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.TestSettings;
import io.sigma.model.Pool;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Bytes of a node behind a response are never taken for the response to another request. */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class SurplusResponseTest extends EngineContract {

    private static final String OK = "HTTP/1.1 200 OK\r\n";
    private static final String TE = "Transfer-Encoding: chunked\r\n";
    private static final String GET = "GET /good HTTP/1.1\r\nHost: a\r\n\r\n";

    /** One loop, so that whoever waits for a connection does so where it is given back. */
    @Override
    protected GatewaySettings settings(Path dataDir) {
        return TestSettings.of(dataDir).loops(1).build();
    }

    private Config oneConnection(String node) {
        return forwarding(node).pooled(Pool.builder().connectionsMax(1));
    }

    static Stream<Arguments> surplus() {
        String evil = OK + "Content-Length: 4\r\n\r\nevil";
        return Stream.of(
                Arguments.of("HEAD with a body", "HEAD", OK + "Content-Length: 4\r\n\r\nevil"),
                Arguments.of("HEAD with a response for its body", "HEAD", OK + "Content-Length: 42\r\n\r\n" + evil),
                Arguments.of("HEAD with a chunked body", "HEAD", OK + TE + "\r\n4\r\nevil\r\n0\r\n\r\n"),
                Arguments.of("204 with a length", "GET", "HTTP/1.1 204 X\r\nContent-Length: 4\r\n\r\nevil"),
                Arguments.of(
                        "204 with a chunked body", "GET", "HTTP/1.1 204 X\r\n" + TE + "\r\n4\r\nevil\r\n0\r\n\r\n"),
                Arguments.of("204 with a response for its body", "GET", "HTTP/1.1 204 X\r\n\r\n" + evil),
                Arguments.of("304 with a length", "GET", "HTTP/1.1 304 X\r\nContent-Length: 4\r\n\r\nevil"),
                Arguments.of("304 with a response for its body", "GET", "HTTP/1.1 304 X\r\n\r\n" + evil),
                Arguments.of("two responses", "GET", OK + "Content-Length: 2\r\n\r\nok" + evil),
                Arguments.of("two responses, the first chunked", "GET", OK + TE + "\r\n2\r\nok\r\n0\r\n\r\n" + evil),
                Arguments.of("half a head", "GET", OK + "Content-Length: 2\r\n\r\nok" + OK + "X-Evil: "),
                Arguments.of("one byte", "GET", OK + "Content-Length: 2\r\n\r\nokx"),
                Arguments.of("a line end", "GET", OK + "Content-Length: 2\r\n\r\nok\r\n"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("surplus")
    void bytesAfterAResponseAreNeverTakenForTheNext(String name, String method, String response) throws Exception {
        try (TestNode node = TestNode.answeringBad(response)) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                // Pipelined, so that the next request is there when the first response ends.
                client.send(method + " /bad HTTP/1.1\r\nHost: a\r\n\r\n" + GET);
                assertThat(client.read(method.equals("HEAD")).status()).isIn(200, 204, 304);
                RawClient.Answer next = client.read();
                assertThat(next.text()).as(name).isEqualTo("right");
                assertThat(next.field("x-evil")).isNull();
            }
            assertThat(node.accepted()).isEqualTo(2);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("surplus")
    void bytesAfterAResponseAreNeverTakenForThatOfWhoWaitsForTheConnection(String name, String method, String response)
            throws Exception {
        CountDownLatch queued = new CountDownLatch(1);
        try (TestNode node = TestNode.start((request, connection) -> {
            if (request.target().equals("/bad")) {
                queued.await(10, TimeUnit.SECONDS);
                connection.send(response);
            } else {
                connection.ok("right");
            }
        })) {
            gateway().apply(oneConnection(node.url()));
            try (RawClient first = RawClient.connect(port());
                    RawClient second = RawClient.connect(port())) {
                first.send(method + " /bad HTTP/1.1\r\nHost: a\r\n\r\n");
                GatewayHarness.eventually(() -> node.accepted() == 1);
                second.send(GET);
                // The loop has read the second request when it answers this one.
                assertThat(exchange("GET / HTTP/1.1\r\n\r\n").status()).isEqualTo(400);
                queued.countDown();
                assertThat(first.read(method.equals("HEAD")).status()).isIn(200, 204, 304);
                RawClient.Answer next = second.read();
                assertThat(next.text()).as(name).isEqualTo("right");
                assertThat(next.field("x-evil")).isNull();
            }
            assertThat(node.accepted()).isEqualTo(2);
        }
    }

    @Test
    void connectionThatANodeSpeaksUpOnUnaskedIsNotUsedAgain() throws Exception {
        CountDownLatch answered = new CountDownLatch(1);
        try (TestNode node = TestNode.start((request, connection) -> {
            connection.ok("right");
            if (request.target().equals("/bad")) {
                answered.await(10, TimeUnit.SECONDS);
                connection.send(OK + "Content-Length: 4\r\n\r\nevil");
            }
        })) {
            gateway().apply(forwarding(node.url()));
            assertThat(get("/bad").text()).isEqualTo("right");
            answered.countDown();
            GatewayHarness.eventually(() -> node.openNow() == 0);
            assertThat(get("/good").text()).isEqualTo("right");
        }
    }
}
