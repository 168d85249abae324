package io.sigma.dataplane.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.RawHttp2;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.TestSettings;
import io.sigma.dataplane.testkit.TestTls;
import io.sigma.dataplane.testkit.TlsContract;
import io.sigma.model.ServerTls;
import io.vertx.core.Future;
import java.net.Socket;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A gateway that is told to stop: it says so, goes on for a while, and ends connections in order. */
final class StoppingTest {

    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    /** Longer than a test waits for anything. */
    private static final int LONG_MILLIS = 60_000;

    @TempDir
    Path folder;

    private int port;
    private final TestTls tls = TestTls.create("localhost");

    private GatewayHarness start(int stopDelayMillis) {
        return start(settings().stopDelayMillis(stopDelayMillis));
    }

    private GatewayHarness start(TestSettings settings) {
        port = Config.freePort();
        return GatewayHarness.start(settings.build());
    }

    private TestSettings settings() {
        return TestSettings.of(folder).drainMillis(10_000);
    }

    private Config config(TestNode node, boolean encrypted) {
        Config config = Config.forwarding(port, node.url());
        return encrypted
                ? config.certificate(tls.resource("c"))
                        .encrypted("web", ServerTls.builder().build())
                : config;
    }

    private Socket connect(boolean encrypted) throws Exception {
        return encrypted
                ? TlsContract.client(null).getSocketFactory().createSocket("127.0.0.1", port)
                : new Socket(java.net.InetAddress.getLoopbackAddress(), port);
    }

    /** Sends requests until a response says that it is the last: the loop of a connection hears of an end later. */
    private static void awaitLast(RawClient client) throws Exception {
        RawClient.Answer last = get(client);
        for (int i = 0; i < 10_000 && last.field("connection") == null; i++) {
            last = get(client);
        }
        assertThat(last.field("connection")).isEqualTo("close");
    }

    private static RawClient.Answer get(RawClient client) throws Exception {
        client.send(GET);
        RawClient.Answer answer = client.read();
        assertThat(answer.status()).isEqualTo(200);
        return answer;
    }

    private static int ready(GatewayHarness gateway) throws Exception {
        return RawClient.get(gateway.gateway().telemetryPort(), "localhost", "/health/ready")
                .status();
    }

    @Test
    void readinessEndsFirstAndRequestsAreServedForTheDelay() throws Exception {
        try (TestNode node = TestNode.named("ok");
                GatewayHarness gateway = start(LONG_MILLIS)) {
            gateway.apply(config(node, false));
            assertThat(ready(gateway)).isEqualTo(200);
            Future<Void> stopping = gateway.gateway().close();
            assertThat(ready(gateway)).isEqualTo(503);
            // New connections, new configuration: all as before.
            for (int i = 0; i < 3; i++) {
                assertThat(RawClient.get(port, "a", "/").status()).isEqualTo(200);
                gateway.apply(config(node, false).route("r" + i, "all", "/x", "pass"));
            }
            assertThat(stopping.isComplete()).isFalse();
            // Told once more, it does not wait.
        }
    }

    @Test
    void idleConnectionGetsOneMoreResponseThatSaysItIsTheLast() throws Exception {
        for (boolean encrypted : new boolean[] {false, true}) {
            try (TestNode node = TestNode.named("ok");
                    GatewayHarness gateway = start(0)) {
                gateway.apply(config(node, encrypted));
                try (RawClient client = new RawClient(connect(encrypted))) {
                    client.send(GET);
                    assertThat(client.read().field("connection")).isNull();
                    gateway.gateway().close();
                    awaitLast(client);
                    // What follows is read, and nobody resets the connection.
                    client.send(GET);
                    assertThat(client.in().read()).isEqualTo(-1);
                }
            }
        }
    }

    @Test
    void silentConnectionEndsByItsEndAndNotByAReset() throws Exception {
        for (boolean encrypted : new boolean[] {false, true}) {
            try (TestNode node = TestNode.named("ok");
                    GatewayHarness gateway = start(0)) {
                gateway.apply(config(node, encrypted));
                try (RawClient client = new RawClient(connect(encrypted))) {
                    client.send(GET);
                    assertThat(client.read().status()).isEqualTo(200);
                    Future<Void> stopped = gateway.gateway().close();
                    assertThat(client.in().read()).isEqualTo(-1);
                    client.socket().close();
                    GatewayHarness.await(stopped);
                }
            }
        }
    }

    @Test
    void requestThatRunsIsAnsweredAndItsResponseIsTheLast() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        try (TestNode node = TestNode.start((request, connection) -> {
                    if (request.target().equals("/late")) {
                        asked.countDown();
                        release.await(20, TimeUnit.SECONDS);
                    }
                    connection.ok("late");
                });
                GatewayHarness gateway = start(settings().stopDelayMillis(0).loops(1))) {
            gateway.apply(config(node, false));
            try (RawClient client = RawClient.connect(port);
                    RawClient other = RawClient.connect(port)) {
                get(other);
                client.send(GET.replace("GET / ", "GET /late "));
                assertThat(asked.await(10, TimeUnit.SECONDS)).isTrue();
                gateway.gateway().close();
                GatewayHarness.eventually(() -> !isOpen());
                awaitLast(other);
                // Sent before the answer says that nothing follows.
                client.send(GET);
                release.countDown();
                RawClient.Answer answer = client.read();
                assertThat(answer.text()).isEqualTo("late");
                assertThat(answer.field("connection")).isEqualTo("close");
                assertThat(client.in().read()).isEqualTo(-1);
            }
        }
    }

    @Test
    void clientOfHttp2IsToldAndStreamsThatItOpenedBeforeItHeardAreServed() throws Exception {
        for (boolean encrypted : new boolean[] {false, true}) {
            try (TestNode node = TestNode.named("ok");
                    GatewayHarness gateway = start(0)) {
                gateway.apply(config(node, encrypted));
                Socket socket = connect(encrypted);
                if (socket instanceof javax.net.ssl.SSLSocket secure) {
                    var parameters = secure.getSSLParameters();
                    parameters.setApplicationProtocols(new String[] {"h2"});
                    secure.setSSLParameters(parameters);
                }
                try (RawHttp2 client = RawHttp2.on(socket)) {
                    request(client, 1);
                    assertThat(client.status(client.next())).isEqualTo("200");
                    RawHttp2.Frame body = client.next();
                    assertThat(body.type()).isEqualTo(RawHttp2.DATA);
                    gateway.gateway().close();
                    RawHttp2.Frame told = client.next();
                    assertThat(told.type()).isEqualTo(RawHttp2.GOAWAY);
                    assertThat(told.error()).isZero();
                    assertThat(told.payload()[0]).isEqualTo((byte) 0x7f);
                    request(client, 3);
                    assertThat(client.status(client.next())).isEqualTo("200");
                    assertThat(client.next().type()).isEqualTo(RawHttp2.DATA);
                    RawHttp2.Frame last = client.next();
                    assertThat(last.type()).isEqualTo(RawHttp2.GOAWAY);
                    assertThat(last.payload()[3]).isEqualTo((byte) 3);
                }
            }
        }
    }

    private static void request(RawHttp2 client, int stream) throws Exception {
        client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS | RawHttp2.END_STREAM, stream, RawHttp2.head());
    }

    private boolean isOpen() {
        try (RawClient client = RawClient.connect(port)) {
            return client.socket().isConnected();
        } catch (java.io.IOException e) {
            return false;
        }
    }
}
