package io.sigma.dataplane.http1;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.RefusalContract;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.model.FixedResponse;
import io.sigma.model.ProxyPass;
import io.sigma.snapshot.ResourceType;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Bodies of HTTP/1 that turn out to be malformed: no node takes one for a whole request. */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class MalformedBodyTest extends RefusalContract {

    static Stream<Arguments> badChunks() {
        return Stream.of(
                Arguments.of("0x1", "0x1\r\na\r\n0\r\n\r\n"),
                Arguments.of("1_0", "1_0\r\naaaaaaaaaaaaaaaa\r\n0\r\n\r\n"),
                Arguments.of("+1", "+1\r\na\r\n0\r\n\r\n"),
                Arguments.of("empty", "\r\na\r\n0\r\n\r\n"),
                Arguments.of("white space before", " 1\r\na\r\n0\r\n\r\n"),
                Arguments.of("white space after", "1 \r\na\r\n0\r\n\r\n"),
                Arguments.of("no hexadecimal digit", "g\r\na\r\n0\r\n\r\n"),
                Arguments.of("overflowing 64 bits", "fffffffffffffffff\r\na\r\n0\r\n\r\n"),
                Arguments.of("overflowing to 1", "10000000000000001\r\na\r\n0\r\n\r\n"),
                Arguments.of("negative", "-1\r\na\r\n0\r\n\r\n"),
                Arguments.of("line ended by LF", "1\na\r\n0\r\n\r\n"),
                Arguments.of("line ended by CR", "1\ra\r\n0\r\n\r\n"),
                Arguments.of("extension ended by LF", "1;a=b\na\r\n0\r\n\r\n"),
                Arguments.of("bare CR in an extension", "1;a\rb\r\na\r\n0\r\n\r\n"),
                Arguments.of("NUL in an extension", "1;a\000b\r\na\r\n0\r\n\r\n"),
                Arguments.of("data longer than announced", "1\r\nab\r\n0\r\n\r\n"),
                Arguments.of("data ended by LF", "1\r\na\n0\r\n\r\n"),
                Arguments.of("last line ended by LF", "1\r\na\r\n0\n\r\n"),
                Arguments.of("end ended by LF", "1\r\na\r\n0\r\n\n"),
                Arguments.of("trailer without a colon", "1\r\na\r\n0\r\nnonsense\r\n\r\n"),
                Arguments.of("NUL in a trailer", "1\r\na\r\n0\r\nX: \000\r\n\r\n"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("badChunks")
    void badChunkIsRefusedAndTheConnectionToTheNodeNeverUsedAgain(String name, String body) throws Exception {
        CompletableFuture<String> forwarded = new CompletableFuture<>();
        try (TestNode node = TestNode.startHeadsOnly((request, connection) -> {
            if (request.method().equals("POST")) {
                forwarded.complete(readToTheEnd(connection.in()));
                connection.socket().close();
            } else {
                connection.ok("reached");
            }
        })) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                client.send(postWith(TE, "5\r\nhello\r\n"));
                GatewayHarness.eventually(() -> !node.received().isEmpty());
                assertRefused(client, name, 400, body);
            }
            // The connection ended, and what was sent on it was no whole body.
            assertThat(forwarded.get(10, TimeUnit.SECONDS)).matches("5\r\nhello\r\n([12]\r\nab?\r\n)?");
            assertThat(exchange(getWith("")).text()).isEqualTo("reached");
            assertThat(node.received()).hasSize(2);
        }
    }

    private static String readToTheEnd(InputStream in) {
        StringBuilder read = new StringBuilder();
        try {
            for (int octet = in.read(); octet >= 0; octet = in.read()) {
                read.append((char) octet);
            }
        } catch (IOException e) {
            // A reset ends it as well.
        }
        return read.toString();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("badChunks")
    void badChunkThatComesWithTheHeadIsRefused(String name, String body) throws Exception {
        try (TestNode node = TestNode.named("reached")) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                assertRefused(client, name, 400, postWith(TE, body));
            }
            assertThat(node.received()).as(name).isEmpty();
        }
    }

    @Test
    void badChunksAreRefusedOnTlsToo() throws Exception {
        try (TestNode node = TestNode.named("reached")) {
            gateway().apply(encrypted(node.url()));
            for (Arguments row : badChunks().toList()) {
                try (RawClient client = connectTls()) {
                    String name = String.valueOf(row.get()[0]);
                    assertRefused(client, name, 400, postWith(TE, "5\r\nhello\r\n" + row.get()[1]));
                }
            }
            assertThat(node.received()).isEmpty();
        }
    }

    @Test
    void requestBeforeABadOneIsAnswered() throws Exception {
        CountDownLatch arrived = new CountDownLatch(1);
        try (TestNode node = TestNode.start((request, connection) -> {
            arrived.await(10, TimeUnit.SECONDS);
            connection.ok(request.target());
        })) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                client.send("GET /first HTTP/1.1\r\nHost: a\r\n\r\n" + postWith(TE, "5\r\nhello\r\nzz\r\n") + SMUGGLED);
                GatewayHarness.eventually(() -> !node.received().isEmpty());
                arrived.countDown();
                assertThat(client.read().text()).isEqualTo("/first");
                assertThat(client.read().status()).isEqualTo(400);
                assertThat(client.isClosedByPeer()).isTrue();
            }
            assertThat(node.received()).hasSize(1);
        }
    }

    static Stream<Arguments> bodiesBehindAnAnswer() {
        return Stream.of(
                Arguments.of("bad chunk", postWith(TE, "zz\r\na\r\n0\r\n\r\n")),
                Arguments.of("bad chunk behind a good one", postWith(TE, "1\r\na\r\nzz\r\na\r\n0\r\n\r\n")),
                Arguments.of("bad trailer", postWith(TE, "0\r\nnonsense\r\n\r\n")));
    }

    /** An answer of the gateway's own does not wait for the body, which came with the head. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("bodiesBehindAnAnswer")
    void answerThatIsCompleteArrivesThoughTheBodyIsRefused(String name, String request) throws Exception {
        gateway()
                .apply(forwarding("http://127.0.0.1:" + Config.freePort())
                        .with(
                                ResourceType.PROXY_PASS,
                                "pass",
                                pass -> ProxyPass.builder()
                                        .id("pass")
                                        .fixedResponse(FixedResponse.builder()
                                                .body("fixed")
                                                .build())
                                        .build()));
        try (RawClient client = RawClient.connect(port())) {
            client.send(request + SMUGGLED);
            RawClient.Answer answer = client.read();
            assertThat(answer.status()).as(name).isEqualTo(200);
            assertThat(answer.text()).isEqualTo("fixed");
            // The end, and no reset, which could take the answer along.
            assertThat(client.in().read()).isEqualTo(-1);
        }
    }

    @Test
    void bodyThatEndsWithItsConnectionIsNeverAWholeRequest() throws Exception {
        try (TestNode node = TestNode.named("reached")) {
            gateway().apply(forwarding(node.url()).closingIdle());
            for (String start : List.of(
                    postWith(TE, "5\r\nhello\r\n"),
                    postWith(TE, "5\r\nhello\r\n0\r\n"),
                    postWith("Content-Length: 10\r\n", "hello"),
                    postWith("Content-Length: 100000\r\n", "hello"))) {
                try (RawClient client = RawClient.connect(port())) {
                    client.send(start);
                    client.socket().shutdownOutput();
                    assertThat(client.isClosedByPeer()).isTrue();
                }
            }
            GatewayHarness.eventually(() -> node.openNow() == 0);
            assertThat(node.received()).isEmpty();
        }
    }
}
