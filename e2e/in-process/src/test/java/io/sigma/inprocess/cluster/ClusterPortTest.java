package io.sigma.inprocess.cluster;

import static io.sigma.inprocess.testkit.MemoryLog.upstream;
import static io.sigma.inprocess.testkit.Waiting.await;
import static io.sigma.inprocess.testkit.Waiting.failure;
import static io.sigma.inprocess.testkit.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.link.Enrolment;
import io.sigma.identity.ClusterEndpoint;
import io.sigma.inprocess.testkit.Installation;
import io.sigma.snapshot.Snapshot;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.WebSocket;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Access to the cluster port. */
class ClusterPortTest extends WithClusterPort {

    @Test
    void aStrangerWithoutCertificateReachesNoBus() throws Exception {
        assertThat(failure(connect((KeyCertOptions) null, ClusterEndpoint.BUS_PATH)))
                .hasMessageContaining("403");
    }

    @Test
    void strangersKeepNoGatewayOutAndAreSentAway() throws Exception {
        Path credentials = enrolled("edge", one.port());
        NetClient client = installation
                .vertx()
                .createNetClient(new NetClientOptions()
                        .setSsl(true)
                        .setTrustAll(true)
                        .setHostnameVerificationAlgorithm("")
                        .setEnabledSecureTransportProtocols(Set.of(ClusterEndpoint.TLS_VERSION)));
        AtomicInteger sentAway = new AtomicInteger();
        // As many as the installation takes of gateways.
        for (int i = 0; i < 100; i++) {
            await(client.connect(one.port(), "127.0.0.1")
                    .onSuccess(stranger -> stranger.closeHandler(closed -> sentAway.incrementAndGet())));
        }

        assertThat(await(connect(credentials, ClusterEndpoint.BUS_PATH))).isNotNull();

        until("all but those of one address are sent away", () -> sentAway.get() >= 80);
        until("all are", () -> sentAway.get() == 100);
        assertThat(await(connect(enrolled("late", one.port()), ClusterEndpoint.BUS_PATH)))
                .isNotNull();
        await(client.close());
    }

    @Test
    void aGatewayWithTooManyConnectionsLosesItsOldest() throws Exception {
        Path credentials = enrolled("edge", one.port());
        List<Integer> closed = new CopyOnWriteArrayList<>();
        NetClient client = installation
                .vertx()
                .createNetClient(new NetClientOptions()
                        .setSsl(true)
                        .setTrustAll(true)
                        .setHostnameVerificationAlgorithm("")
                        .setKeyCertOptions(keyCert(credentials))
                        .setEnabledSecureTransportProtocols(Set.of(ClusterEndpoint.TLS_VERSION)));
        for (int i = 0; i < 6; i++) {
            int number = i;
            await(client.connect(one.port(), "127.0.0.1")
                    .onSuccess(socket -> socket.closeHandler(any -> closed.add(number))));
        }

        until("two are closed", () -> closed.size() == 2);
        assertThat(closed).containsExactly(0, 1);
        assertThat(await(connect(enrolled("other", one.port()), ClusterEndpoint.BUS_PATH)))
                .isNotNull();
        await(client.close());
    }

    @Test
    void aCertificateOfAnotherAuthorityIsRefused() throws Exception {
        try (Installation other = new Installation(dir.resolve("other"))) {
            // The tables are the same; this one has made its own authority in them meanwhile.
            Path foreign = dir.resolve("enrolled-edge");
            int port = other.controlPlane("foreign").port();
            await(Enrolment.enrol(
                    installation.vertx(), "edge", foreign, List.of("127.0.0.1:" + port), Installation.JOIN_TOKEN));

            assertThat(failure(connect(foreign, ClusterEndpoint.BUS_PATH))).hasMessageContaining("403");
            KeyCertOptions insisting = KeyCertOptions.wrap(new InsistingKey(foreign));
            // TLS ends before HTTP says anything; which exception tells it depends on which end is faster.
            assertThat(failure(connect(insisting, ClusterEndpoint.BUS_PATH)))
                    .isNotInstanceOf(AssertionError.class)
                    .hasMessageNotContaining("40");
        }
    }

    @Test
    void aStrangerCannotReachTheNewerAddressesByOtherPathsEither() throws Exception {
        for (String path : List.of(
                ClusterEndpoint.BUS_PATH, ClusterEndpoint.BUS_PATH + "/", "/BUS/websocket", "/bus/./websocket")) {
            assertThat(failure(connect((KeyCertOptions) null, path))).hasMessageMatching(".*40[0-9].*");
        }
        assertThat(received).isEmpty();
    }

    @Test
    void aMessageThatIsTooLargeEndsTheConnection() throws Exception {
        WebSocket socket = await(connect(enrolled("edge", one.port()), ClusterEndpoint.BUS_PATH));
        Future<Void> closed = closing(socket);

        socket.exceptionHandler(e -> {});
        socket.writeTextMessage("x".repeat(4 * ClusterEndpoint.GATEWAY_MESSAGE_BYTES_MAX));

        await(closed);
        assertThat(received).isEmpty();
    }

    @Test
    void otherPathsAndOtherTransportsOfTheBridgeAreNotServed() throws Exception {
        Path credentials = enrolled("edge", one.port());
        for (String path : List.of("/bus", "/bus/info", "/bus/0/abc/websocket", "/")) {
            assertThat(failure(connect(credentials, path))).hasMessageContaining("404");
        }
    }

    @Test
    void aGatewayTakesNoGatewayForAControlPlane() throws Exception {
        AtomicInteger reached = new AtomicInteger();
        HttpServer impostor = await(installation
                .vertx()
                .createHttpServer(
                        new HttpServerOptions().setSsl(true).setKeyCertOptions(keyCert(enrolled("evil", one.port()))))
                .requestHandler(request -> {
                    reached.incrementAndGet();
                    request.response().end();
                })
                .listen(0, "127.0.0.1"));
        Snapshot newest = installation.log().commit(upstream("a", "a.test"));
        // It has a certificate already, and no join token.
        Path dataDir = dir.resolve("edge");
        await(Enrolment.enrol(
                installation.vertx(), "edge", dataDir, List.of("127.0.0.1:" + one.port()), Installation.JOIN_TOKEN));

        Installation.Gateway gateway = installation.gateway(
                "edge", List.of("127.0.0.1:" + impostor.actualPort(), "127.0.0.1:" + one.port()), null);

        until("edge serves", () -> gateway.target().current().revision() == newest.revision());
        assertThat(reached).hasValue(0);
        await(impostor.close());
    }
}
