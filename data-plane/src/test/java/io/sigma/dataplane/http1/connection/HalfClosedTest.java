package io.sigma.dataplane.http1.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.TestSettings;
import io.sigma.dataplane.testkit.TestTls;
import io.sigma.dataplane.testkit.TlsContract;
import io.sigma.model.ClientTls;
import io.sigma.model.Pool;
import io.sigma.model.ServerLimits;
import io.sigma.model.ServerTls;
import io.sigma.snapshot.ResourceType;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections of which one direction has ended (RFC 9112 §9.6, RFC 9110 §7.8). */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class HalfClosedTest extends TlsContract {

    private static final String ASK =
            "GET /chat HTTP/1.1\r\nHost: shop.example.com\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n";
    private static final String SWITCH =
            "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n";

    /** Answers when the test says so. */
    private static TestNode waiting(CountDownLatch asked, CountDownLatch answers) {
        return TestNode.start((request, connection) -> {
            asked.countDown();
            answers.await(10, TimeUnit.SECONDS);
            connection.ok("to " + request.target());
        });
    }

    // --- Requests

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.0", "HTTP/1.1"})
    void clientThatEndsItsSideGetsItsAnswer(String version) throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answers = new CountDownLatch(1);
        try (TestNode node = waiting(asked, answers);
                RawClient client = RawClient.connect(portFor(node))) {
            client.send("POST /a " + version + "\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi");
            assertThat(asked.await(10, TimeUnit.SECONDS)).isTrue();
            client.socket().shutdownOutput();
            Thread.sleep(200);
            answers.countDown();
            assertThat(client.read().text()).isEqualTo("to /a");
            assertThat(client.isClosedByPeer()).isTrue();
        }
    }

    private int portFor(TestNode node) {
        gateway().apply(forwarding(node.url()));
        return port();
    }

    @Test
    void everyRequestBeforeTheEndIsAnswered() throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> connection.ok("to " + request.target()))) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\nGET /b HTTP/1.1\r\nHost: a\r\n\r\n"
                        + "PUT /c HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi");
                client.socket().shutdownOutput();
                assertThat(client.read().text()).isEqualTo("to /a");
                assertThat(client.read().text()).isEqualTo("to /b");
                assertThat(client.read().text()).isEqualTo("to /c");
                assertThat(client.isClosedByPeer()).isTrue();
            }
        }
    }

    @Test
    void longAnswerReachesAClientThatHasEndedItsSide() throws Exception {
        String body = "x".repeat(3_000_000);
        try (TestNode node = TestNode.named(body)) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                client.socket().shutdownOutput();
                Thread.sleep(300);
                assertThat(client.read().text()).isEqualTo(body);
                assertThat(client.isClosedByPeer()).isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\nHost: a\r\n",
                "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nhi",
                "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\n\r\nPOST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nhi",
                ""
            })
    void requestThatIsCutShortIsNotWaitedFor(String sent) throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                client.send(sent);
                client.socket().shutdownOutput();
                if (sent.startsWith("GET / HTTP/1.1\r\nHost: a\r\n\r\n")) {
                    assertThat(client.read().text()).isEqualTo("ok");
                }
                assertThat(client.isClosedByPeer()).isTrue();
            }
            assertThat(node.received()).noneMatch(request -> request.method().equals("POST"));
        }
    }

    @Test
    void refusalReachesAClientThatHasEndedItsSide() throws Exception {
        gateway().apply(forwarding("http://127.0.0.1:" + Config.freePort()));
        try (RawClient client = RawClient.connect(port())) {
            client.send("GET / HTTP/1.1\r\nHost: a b\r\n\r\n");
            client.socket().shutdownOutput();
            assertThat(client.read().status()).isEqualTo(400);
            assertThat(client.isClosedByPeer()).isTrue();
        }
    }

    /** Else nobody would notice that the client is gone. */
    @Test
    void streamOfEventsEndsWithItsClient() throws Exception {
        CountDownLatch ended = new CountDownLatch(1);
        try (TestNode node = TestNode.start((request, connection) -> {
            connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: x\n\n");
            if (connection.in().read() < 0) {
                ended.countDown();
            }
        })) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(client.in().readNBytes(20)).hasSize(20);
                client.socket().shutdownOutput();
                assertThat(ended.await(10, TimeUnit.SECONDS)).isTrue();
            }
        }
    }

    /** Its place is for a client that is still there. */
    @Test
    void requestThatWaitsInLineEndsWithItsClient() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answers = new CountDownLatch(1);
        try (TestNode node = waiting(asked, answers)) {
            gateway()
                    .apply(forwarding(node.url())
                            .patient("pass")
                            .pooled(Pool.builder().connectionsMax(1)));
            try (RawClient first = RawClient.connect(port());
                    RawClient second = RawClient.connect(port())) {
                first.send("GET /first HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(asked.await(10, TimeUnit.SECONDS)).isTrue();
                second.send("GET /second HTTP/1.1\r\nHost: a\r\n\r\n");
                Thread.sleep(300);
                second.socket().shutdownOutput();
                assertThat(second.isClosedByPeer()).isTrue();
                answers.countDown();
                assertThat(first.read().text()).isEqualTo("to /first");
            }
            assertThat(node.received()).hasSize(1);
        }
    }

    // --- Tunnels

    /** Which side of a tunnel is encrypted. */
    enum Encrypted {
        NEITHER,
        CLIENT,
        NODE
    }

    /** Sends back, in capital letters, all that comes, once that has ended. */
    private static void answerAtTheEnd(TestNode.Received request, TestNode.Connection connection) throws IOException {
        connection.send(SWITCH);
        String all = new String(connection.in().readAllBytes(), StandardCharsets.US_ASCII);
        connection.send(all.toUpperCase(Locale.ROOT));
        connection.socket().close();
    }

    private TestNode node(Encrypted encrypted, TestNode.Script script) {
        return encrypted == Encrypted.NODE
                ? TestNode.startTls(TestTls.create("node").context(), script)
                : TestNode.start(script);
    }

    private void apply(Encrypted encrypted, TestNode node) {
        String url = (encrypted == Encrypted.NODE ? "https" : "http") + "://127.0.0.1:" + node.port();
        Config config =
                encrypted == Encrypted.CLIENT ? encrypted(ServerTls.builder().build(), url) : forwarding(url);
        gateway()
                .apply(config.nodeTls("nodes", ClientTls.builder().verify(false).build()));
    }

    private RawClient open(Encrypted encrypted) throws Exception {
        RawClient client = encrypted == Encrypted.CLIENT
                ? new RawClient(connect(client(null), "shop.example.com", "http/1.1"))
                : RawClient.connect(port());
        client.send(ASK);
        assertThat(client.read().status()).isEqualTo(101);
        return client;
    }

    @Test
    void nodeMayAnswerAfterTheClientHasEndedItsSide() throws Exception {
        answersAtTheEnd(Encrypted.NEITHER);
    }

    /** OpenSSL, as Netty uses it, ends both directions when one ends. */
    @ParameterizedTest
    @EnumSource(names = {"CLIENT", "NODE"})
    @EnabledIfSystemProperty(named = "sigma.test.tls", matches = "jdk")
    void nodeMayAnswerAfterTheClientHasEndedItsSideOfTls(Encrypted encrypted) throws Exception {
        answersAtTheEnd(encrypted);
    }

    private void answersAtTheEnd(Encrypted encrypted) throws Exception {
        try (TestNode node = node(encrypted, HalfClosedTest::answerAtTheEnd)) {
            apply(encrypted, node);
            try (RawClient client = open(encrypted)) {
                String text = "question ".repeat(100_000);
                client.send(text);
                endOutput(client.socket());
                assertThat(new String(client.in().readAllBytes(), StandardCharsets.US_ASCII)
                                .equals(text.toUpperCase(Locale.ROOT)))
                        .isTrue();
            }
            GatewayHarness.eventually(() -> node.openNow() == 0);
        }
    }

    @Test
    void clientMaySendAfterTheNodeHasEndedItsSide() throws Exception {
        sendsAfterTheEnd(Encrypted.NEITHER);
    }

    @ParameterizedTest
    @EnumSource(names = {"CLIENT", "NODE"})
    @EnabledIfSystemProperty(named = "sigma.test.tls", matches = "jdk")
    void clientMaySendAfterTheNodeHasEndedItsSideOfTls(Encrypted encrypted) throws Exception {
        sendsAfterTheEnd(encrypted);
    }

    private void sendsAfterTheEnd(Encrypted encrypted) throws Exception {
        CountDownLatch read = new CountDownLatch(1);
        String text = "late ".repeat(100_000);
        try (TestNode node = node(encrypted, (request, connection) -> {
            connection.send(SWITCH + "bye");
            connection.socket().shutdownOutput();
            if (new String(connection.in().readAllBytes(), StandardCharsets.US_ASCII).equals(text)) {
                read.countDown();
            }
        })) {
            apply(encrypted, node);
            try (RawClient client = open(encrypted)) {
                assertThat(new String(client.in().readAllBytes(), StandardCharsets.US_ASCII))
                        .isEqualTo("bye");
                client.send(text);
                endOutput(client.socket());
                assertThat(read.await(10, TimeUnit.SECONDS)).isTrue();
            }
            GatewayHarness.eventually(() -> node.openNow() == 0);
        }
    }

    /** Nothing of what was sent before the end is lost. */
    @ParameterizedTest
    @EnumSource(names = {"CLIENT", "NODE"})
    void tunnelOnTlsEndsWithOneOfItsSides(Encrypted encrypted) throws Exception {
        CountDownLatch ended = new CountDownLatch(1);
        try (TestNode node = node(encrypted, (request, connection) -> {
            connection.send(SWITCH);
            if (connection.in().readAllBytes().length == 300_000) {
                ended.countDown();
            }
        })) {
            apply(encrypted, node);
            try (RawClient client = open(encrypted)) {
                client.send("x".repeat(300_000));
                endOutput(client.socket());
                assertThat(ended.await(10, TimeUnit.SECONDS)).isTrue();
                assertThat(client.isClosedByPeer()).isTrue();
            }
        }
    }

    private static void endOutput(Socket socket) throws IOException {
        if (socket instanceof SSLSocket encrypted) {
            encrypted.shutdownOutput();
        } else {
            socket.shutdownOutput();
        }
    }

    @Test
    void tunnelOfWhichOneSideIsResetEnds() throws Exception {
        CountDownLatch ended = new CountDownLatch(1);
        try (TestNode node = TestNode.start((request, connection) -> {
            connection.send(SWITCH);
            if (connection.in().read() < 0) {
                ended.countDown();
                Thread.sleep(20_000);
            }
        })) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = open(Encrypted.NEITHER)) {
                client.socket().shutdownOutput();
                assertThat(ended.await(10, TimeUnit.SECONDS)).isTrue();
                node.closeConnections();
                assertThat(client.isClosedByPeer()).isTrue();
            }
        }
    }

    @Test
    void tunnelOfWhichOneSideHasEndedMayNotRestForEver() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        try (TestNode node = TestNode.start((request, connection) -> {
            connection.send(SWITCH);
            done.await(20, TimeUnit.SECONDS);
        })) {
            gateway()
                    .apply(forwarding(node.url())
                            .with(
                                    ResourceType.PROXY_SERVER,
                                    "web",
                                    server -> server.toBuilder()
                                            .limits(ServerLimits.builder()
                                                    .idleTimeoutMillis(1000)
                                                    .build())
                                            .build()));
            try (RawClient client = open(Encrypted.NEITHER)) {
                client.socket().shutdownOutput();
                assertThat(client.isClosedByPeer()).isTrue();
            }
            done.countDown();
            GatewayHarness.eventually(() -> node.openNow() == 0);
        }
    }

    @Override
    protected GatewaySettings settings(Path dataDir) {
        return TestSettings.of(dataDir).loops(1).build();
    }
}
