package io.sigma.inprocess.cluster;

import static io.sigma.inprocess.testkit.MemoryLog.upstream;
import static io.sigma.inprocess.testkit.Waiting.await;
import static io.sigma.inprocess.testkit.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.identity.CertificateRequest;
import io.sigma.identity.ClusterEndpoint;
import io.sigma.model.VoteKind;
import io.sigma.snapshot.GatewayStatus;
import io.sigma.snapshot.HealthReport;
import io.sigma.snapshot.RouteAnswer;
import io.sigma.snapshot.Snapshot;
import io.sigma.snapshot.SnapshotProtocol;
import io.sigma.snapshot.StateHash;
import io.sigma.snapshot.TrafficReport;
import io.sigma.snapshot.Vote;
import io.vertx.core.Future;
import io.vertx.core.http.WebSocket;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;
import org.junit.jupiter.api.Test;

/** The permissions of a gateway on the bus. */
class BusPermissionsTest extends WithClusterPort {

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

        socket.writeTextMessage(told(SnapshotProtocol.VOTE, of(new Vote("edge", "p", VoteKind.ACCEPT, null, null))));
        socket.writeTextMessage(told(SnapshotProtocol.STATUS, of(status)));

        until(
                "it is known",
                () -> one.fleet().gateways().stream()
                        .anyMatch(gateway -> gateway.id().equals("edge")));
        assertThat(closed.isComplete()).isFalse();
        assertThat(received).noneMatch(message -> message.containsKey("address"));
    }

    @Test
    void aGatewayThatSendsWithoutEndIsCutOff() throws Exception {
        GatewayStatus status =
                new GatewayStatus("edge", "h", "1", Instant.EPOCH, 1, StateHash.EMPTY.hex(), null, false);
        for (String text : List.of(
                told(SnapshotProtocol.STATUS, of(status)),
                told(SnapshotProtocol.VOTE, of(new Vote("edge", "p", VoteKind.ACCEPT, null, null))))) {
            AtomicInteger heard = new AtomicInteger();
            one.vertx().eventBus().consumer(SnapshotProtocol.STATUS, message -> heard.incrementAndGet());
            WebSocket socket = await(connect(enrolled("edge", one.port()), ClusterEndpoint.BUS_PATH));
            Future<Void> closed = closing(socket);
            for (int i = 0; i < 60_000 && !closed.isComplete(); i++) {
                socket.writeTextMessage(text);
            }
            await(closed);
            assertThat(heard.get()).isLessThan(40_000);
        }
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
        JsonObject body = new JsonObject().put("gatewayId", "edge");
        areCutOff(
                List.of(
                        message("send", "secret", body),
                        message("publish", "secret", body),
                        message("publish", SnapshotProtocol.ANNOUNCE, body),
                        message("send", SnapshotProtocol.ANNOUNCE, body),
                        message("register", "secret", body),
                        message("register", SnapshotProtocol.ask("other"), body),
                        message("send", SnapshotProtocol.ask("edge"), body),
                        message("register", SnapshotProtocol.STATUS, body),
                        message("unregister", "secret", body),
                        // It would be no request, and only a status or a vote may be none.
                        told(SnapshotProtocol.FETCH, body),
                        new JsonObject(told(SnapshotProtocol.STATUS, body))
                                .put("replyAddress", 1)
                                .encode()),
                "secret",
                SnapshotProtocol.ANNOUNCE,
                SnapshotProtocol.FETCH,
                SnapshotProtocol.STATUS);
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
                                of(new RouteAnswer("other", "q", null, RouteAnswer.Failure.FAILED, "", "no", null))),
                        message("send", SnapshotProtocol.HEALTH, of(HealthReport.of("other", true, List.of()))),
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
}
