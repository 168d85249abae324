package io.sigma.standalone.fleet;

import static io.sigma.standalone.fleet.MemoryLog.upstream;
import static io.sigma.standalone.fleet.Waiting.await;
import static io.sigma.standalone.fleet.Waiting.failure;
import static io.sigma.standalone.fleet.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.cluster.CertificateRequest;
import io.sigma.cluster.ClusterEndpoint;
import io.sigma.dataplane.control.Enrolment;
import io.sigma.json.Json;
import io.sigma.model.VoteKind;
import io.sigma.snapshot.FetchRequest;
import io.sigma.snapshot.GatewayStatus;
import io.sigma.snapshot.HealthReport;
import io.sigma.snapshot.RouteAnswer;
import io.sigma.snapshot.Snapshot;
import io.sigma.snapshot.SnapshotProtocol;
import io.sigma.snapshot.StateHash;
import io.sigma.snapshot.TrafficReport;
import io.sigma.snapshot.Vote;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.PemKeyCertOptions;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What those may do who reach the cluster port. */
class ClusterPortTest extends WithInstallation {

    @SuppressWarnings("NullAway.Init")
    private Installation.ControlPlane one;

    // Held because a client that is collected closes its connections.
    private final Queue<WebSocketClient> clients = new ConcurrentLinkedQueue<>();
    private final Queue<JsonObject> received = new ConcurrentLinkedQueue<>();

    @BeforeEach
    void begin() throws Exception {
        one = installation.controlPlane("one");
    }

    @AfterEach
    void end() throws Exception {
        for (WebSocketClient client : clients) {
            await(client.close());
        }
    }

    private Path enrolled(String id, int port) throws Exception {
        Path dataDir = dir.resolve("enrolled-" + id);
        await(Enrolment.enrol(
                installation.vertx(), id, dataDir, List.of("127.0.0.1:" + port), Installation.JOIN_TOKEN));
        return dataDir;
    }

    private static PemKeyCertOptions keyCert(Path dataDir) {
        return new PemKeyCertOptions()
                .setKeyPath(dataDir.resolve("gateway-key.pem").toString())
                .setCertPath(dataDir.resolve("gateway-cert.pem").toString());
    }

    private Future<WebSocket> connect(@Nullable Path dataDir, String path) {
        return connect(dataDir == null ? null : keyCert(dataDir), path);
    }

    private Future<WebSocket> connect(@Nullable KeyCertOptions keyCert, String path) {
        WebSocketClientOptions options = new WebSocketClientOptions()
                .setSsl(true)
                .setTrustAll(true)
                .setVerifyHost(false)
                .setMaxFrameSize(1 << 20)
                .setMaxMessageSize(1 << 20);
        if (keyCert != null) {
            options.setKeyCertOptions(keyCert);
        }
        WebSocketClient client = installation.vertx().createWebSocketClient(options);
        clients.add(client);
        return client.connect(one.port(), "127.0.0.1", path);
    }

    private Future<Void> closing(WebSocket socket) {
        Promise<Void> closed = Promise.promise();
        socket.closeHandler(v -> closed.tryComplete());
        socket.binaryMessageHandler(bytes -> received.add(new JsonObject(bytes)));
        return closed.future();
    }

    private static String message(String type, String address, JsonObject body) {
        return new JsonObject()
                .put("type", type)
                .put("address", address)
                .put("replyAddress", "r1")
                .put("body", body)
                .encode();
    }

    private static String told(String address, Object body) {
        return new JsonObject()
                .put("type", "send")
                .put("address", address)
                .put("body", of(body))
                .encode();
    }

    private static JsonObject of(Object body) {
        return new JsonObject(Json.text(body));
    }

    /** Returns whether each request ends the connection of the gateway edge, and that nobody on the bus hears of it. */
    private void areCutOff(List<String> attempts, String... addresses) throws Exception {
        AtomicInteger reached = new AtomicInteger();
        for (String address : addresses) {
            one.vertx().eventBus().consumer(address, message -> reached.incrementAndGet());
        }
        Path credentials = enrolled("edge", one.port());
        for (String attempt : attempts) {
            WebSocket socket = await(connect(credentials, ClusterEndpoint.BUS_PATH));
            Future<Void> closed = closing(socket);
            socket.writeTextMessage(attempt);
            await(closed);
        }
        assertThat(reached).hasValue(0);
        assertThat(received).noneMatch(message -> message.containsKey("address"));
    }

    private static JsonObject fetch(String gatewayId) {
        return new JsonObject(Json.text(new FetchRequest(gatewayId, 0, StateHash.EMPTY.hex(), null, 0)));
    }

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
    void aGatewayMayFetchInItsOwnName() throws Exception {
        Snapshot newest = installation.log().commit(upstream("a", "a.test"));
        WebSocket socket = await(connect(enrolled("edge", one.port()), ClusterEndpoint.BUS_PATH));
        Future<Void> closed = closing(socket);

        socket.writeTextMessage(message("send", SnapshotProtocol.FETCH, fetch("edge")));

        until("a reply", () -> !received.isEmpty());
        assertThat(received.element().getJsonObject("body").getLong("revision")).isEqualTo(newest.revision());
        assertThat(closed.isComplete()).isFalse();
    }

    @Test
    void aStatusAndAVoteNeedNoReply() throws Exception {
        GatewayStatus status =
                new GatewayStatus("edge", "h", "1", Instant.EPOCH, 1, StateHash.EMPTY.hex(), null, false);
        WebSocket socket = await(connect(enrolled("edge", one.port()), ClusterEndpoint.BUS_PATH));
        Future<Void> closed = closing(socket);

        socket.writeTextMessage(told(SnapshotProtocol.VOTE, new Vote("edge", "p", VoteKind.ACCEPT, null, null)));
        socket.writeTextMessage(told(SnapshotProtocol.STATUS, status));

        until(
                "it is known",
                () -> one.fleet().gateways().stream()
                        .anyMatch(gateway -> gateway.id().equals("edge")));
        assertThat(closed.isComplete()).isFalse();
        assertThat(received).noneMatch(message -> message.containsKey("address"));
    }

    @Test
    void aGatewayThatSpeaksForAnotherIsCutOff() throws Exception {
        installation.log().commit(upstream("a", "a.test"));
        WebSocket socket = await(connect(enrolled("edge", one.port()), ClusterEndpoint.BUS_PATH));
        Future<Void> closed = closing(socket);

        socket.writeTextMessage(message("send", SnapshotProtocol.FETCH, fetch("another")));

        await(closed);
        assertThat(received).noneMatch(message -> message.containsKey("address"));
    }

    @Test
    void aGatewayReachesNoOtherAddressAndPublishesNothing() throws Exception {
        AtomicInteger reached = new AtomicInteger();
        one.vertx().eventBus().consumer("secret", message -> reached.incrementAndGet());
        one.vertx().eventBus().consumer(SnapshotProtocol.ANNOUNCE, message -> reached.incrementAndGet());
        Path credentials = enrolled("edge", one.port());
        JsonObject body = new JsonObject().put("gatewayId", "edge");
        List<String> attempts = List.of(
                message("send", "secret", body),
                message("publish", "secret", body),
                message("publish", SnapshotProtocol.ANNOUNCE, body),
                message("send", SnapshotProtocol.ANNOUNCE, body),
                message("register", "secret", body),
                message("register", SnapshotProtocol.ask("other"), body),
                message("send", SnapshotProtocol.ask("edge"), body),
                message("register", SnapshotProtocol.STATUS, body),
                message("unregister", "secret", body),
                // Without a reply address it would be no request, and only a status or a vote may be none.
                new JsonObject()
                        .put("type", "send")
                        .put("address", SnapshotProtocol.FETCH)
                        .put("body", body)
                        .encode(),
                new JsonObject()
                        .put("type", "send")
                        .put("address", SnapshotProtocol.STATUS)
                        .put("replyAddress", 1)
                        .put("body", body)
                        .encode());

        for (String attempt : attempts) {
            WebSocket socket = await(connect(credentials, ClusterEndpoint.BUS_PATH));
            Future<Void> closed = closing(socket);
            socket.writeTextMessage(attempt);
            await(closed);
        }

        assertThat(reached).hasValue(0);
    }

    @Test
    void aGatewayNeitherVotesNorReportsNorAnswersNorRenewsForAnother() throws Exception {
        areCutOff(
                List.of(
                        message("send", SnapshotProtocol.VOTE, of(new Vote("other", "p", VoteKind.REFUSE, "/", "no"))),
                        message(
                                "send",
                                SnapshotProtocol.TRAFFIC,
                                of(new TrafficReport("other", Instant.EPOCH, 1, 0, List.of()))),
                        message(
                                "send",
                                SnapshotProtocol.ANSWER,
                                of(new RouteAnswer("other", "q", null, RouteAnswer.Failure.FAILED, "", "no"))),
                        message("send", SnapshotProtocol.HEALTH, of(new HealthReport("other", true, List.of()))),
                        message(
                                "send",
                                SnapshotProtocol.STATUS,
                                of(new GatewayStatus(
                                        "other", "h", "1", Instant.EPOCH, 1, StateHash.EMPTY.hex(), null, false))),
                        message("send", SnapshotProtocol.RENEW, of(new CertificateRequest("other", new byte[0]))),
                        // Nor without a name, or with a thing for a name.
                        message("send", SnapshotProtocol.VOTE, new JsonObject()),
                        message(
                                "send",
                                SnapshotProtocol.VOTE,
                                new JsonObject().put("gatewayId", new JsonObject().put("gatewayId", "edge"))),
                        // The name counts that is in the body, not one beside it.
                        new JsonObject(message(
                                        "send", SnapshotProtocol.VOTE, new JsonObject().put("gatewayId", "other")))
                                .put("gatewayId", "edge")
                                .encode()),
                SnapshotProtocol.VOTE,
                SnapshotProtocol.TRAFFIC,
                SnapshotProtocol.ANSWER,
                SnapshotProtocol.HEALTH,
                SnapshotProtocol.STATUS,
                SnapshotProtocol.RENEW);
    }

    @Test
    void aGatewayHearsNeitherWhatOthersAreAskedNorWhatTheySay() throws Exception {
        List<String> attempts = new ArrayList<>();
        for (String address : List.of(
                SnapshotProtocol.VOTE,
                SnapshotProtocol.TRAFFIC,
                SnapshotProtocol.ANSWER,
                SnapshotProtocol.HEALTH,
                SnapshotProtocol.STATUS,
                SnapshotProtocol.FETCH,
                SnapshotProtocol.RENEW,
                SnapshotProtocol.ask("other"),
                SnapshotProtocol.ask("edge2"),
                SnapshotProtocol.ask("edge.x"),
                SnapshotProtocol.ask(""))) {
            attempts.add(message("register", address, new JsonObject()));
        }
        areCutOff(attempts);
    }

    @Test
    void aGatewayProposesNothingAsksNothingAndPublishesNothing() throws Exception {
        JsonObject own =
                new JsonObject().put("gatewayId", "edge").put("id", "p").put("withdrawn", true);
        areCutOff(
                List.of(
                        message("publish", SnapshotProtocol.PREPARE, own),
                        message("send", SnapshotProtocol.PREPARE, own),
                        message("publish", SnapshotProtocol.ask("other"), own),
                        message("send", SnapshotProtocol.ask("other"), own),
                        message("publish", SnapshotProtocol.VOTE, own),
                        message("publish", SnapshotProtocol.ANSWER, own),
                        message("publish", SnapshotProtocol.TRAFFIC, own),
                        message("publish", SnapshotProtocol.RENEW, own)),
                SnapshotProtocol.PREPARE,
                SnapshotProtocol.ask("other"),
                SnapshotProtocol.VOTE,
                SnapshotProtocol.ANSWER,
                SnapshotProtocol.TRAFFIC,
                SnapshotProtocol.RENEW);
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
    void aNoteInTheTransportIsNoMessageOfTheProtocol() throws Exception {
        Path credentials = enrolled("edge", one.port());
        JsonObject body = fetch("edge");
        JsonObject headers = new JsonObject(message("send", SnapshotProtocol.FETCH, body))
                .put("headers", new JsonObject().put("codec", "x").put("timeout", "1"));
        WebSocket socket = await(connect(credentials, ClusterEndpoint.BUS_PATH));
        Future<Void> closed = closing(socket);

        socket.writeTextMessage(headers.encode());

        until("a reply", () -> !received.isEmpty());
        assertThat(received.element().getJsonObject("body").getLong("revision")).isZero();
        assertThat(closed.isComplete()).isFalse();
    }

    @Test
    void whatIsNoSigningRequestIsAnsweredAndRenewingHasABound() throws Exception {
        WebSocket socket = await(connect(enrolled("edge", one.port()), ClusterEndpoint.BUS_PATH));
        Future<Void> closed = closing(socket);
        socket.writeTextMessage(message(
                "send", SnapshotProtocol.RENEW, of(new CertificateRequest("edge", new byte[] {1, 2, 3}))));
        until("an answer", () -> received.size() == 1);
        assertThat(received.remove().getString("message")).contains("signingRequest");
        socket.writeTextMessage(message("send", SnapshotProtocol.RENEW, new JsonObject().put("gatewayId", "edge")));
        until("an answer", () -> received.size() == 1);
        assertThat(received.remove().getString("type")).isEqualTo("err");

        JsonObject request = of(new CertificateRequest("edge", signingRequest()));
        List<String> answers = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            socket.writeTextMessage(message("send", SnapshotProtocol.RENEW, request));
            until("an answer", () -> received.size() == 1);
            JsonObject answer = received.remove();
            answers.add(answer.getString("type") + " " + answer.getString("message", ""));
        }

        assertThat(answers.subList(0, 5)).containsOnly("rec ");
        assertThat(answers.get(5)).startsWith("err ").contains("5 times a minute");
        assertThat(closed.isComplete()).isFalse();
    }

    private static byte[] signingRequest() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        KeyPair keys = generator.generateKeyPair();
        return new JcaPKCS10CertificationRequestBuilder(new X500Principal("CN=edge"), keys.getPublic())
                .build(new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate()))
                .getEncoded();
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
