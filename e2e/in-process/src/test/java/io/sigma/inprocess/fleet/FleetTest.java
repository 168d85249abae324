package io.sigma.inprocess.fleet;

import static io.sigma.inprocess.testkit.MemoryLog.upstream;
import static io.sigma.inprocess.testkit.Waiting.await;
import static io.sigma.inprocess.testkit.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.link.LocalLink;
import io.sigma.inprocess.testkit.FreezingRelay;
import io.sigma.inprocess.testkit.Installation;
import io.sigma.inprocess.testkit.WithInstallation;
import io.sigma.model.AnswerKind;
import io.sigma.model.Gateway;
import io.sigma.model.GatewayAck;
import io.sigma.model.GatewayAnswer;
import io.sigma.model.GatewayState;
import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.Snapshot;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Changes on their way to gateways, and the gateways' answers. */
class FleetTest extends WithInstallation {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private static void untilServes(Installation.Gateway gateway, Snapshot snapshot) throws Exception {
        until(
                gateway.id() + " serves revision " + snapshot.revision(),
                () -> gateway.target().current().revision() == snapshot.revision());
        assertThat(gateway.target().current().hash()).isEqualTo(snapshot.hash());
    }

    private static void untilLive(Installation.ControlPlane controlPlane, String id) throws Exception {
        until(id + " is live", () -> state(controlPlane, id) == GatewayState.CURRENT);
    }

    private static GatewayState state(Installation.ControlPlane controlPlane, String id) {
        return controlPlane.fleet().gateway(id).map(Gateway::state).orElse(GatewayState.LOST);
    }

    @Test
    void aGatewayInTheSameProcessIsServedOnTheLocalBus() throws Exception {
        Installation.ControlPlane one = installation.localControlPlane("one");
        installation.log().commit(upstream("a", "a.test"));
        Installation.Gateway gateway = installation.gateway("edge", new LocalLink(one.vertx()), one.vertx());
        untilServes(gateway, installation.log().current());
        untilLive(one, "edge");

        Snapshot second = installation.log().commit(upstream("b", "b.test"));
        List<GatewayAnswer> answers = await(one.fleet().answers(second.revision(), TIMEOUT));

        assertThat(answers).singleElement().satisfies(answer -> {
            assertThat(answer.gatewayId()).isEqualTo("edge");
            assertThat(answer.answer()).isEqualTo(AnswerKind.ACK);
        });
        untilServes(gateway, second);
        assertThat(one.fleet().clusterPort()).isEmpty();
    }

    @Test
    void aBridgedGatewayTakesTheFullStateFirstAndThenDeltas() throws Exception {
        Installation.ControlPlane one = installation.controlPlane("one");
        installation.log().commit(upstream("a", "a.test"), upstream("b", "b.test"));
        Installation.Gateway gateway = installation.gateway("edge", one.port());
        untilServes(gateway, installation.log().current());
        assertThat(installation.log().deltas()).isZero();

        Snapshot third = installation.log().commit(upstream("a", "c.test"));

        untilServes(gateway, third);
        assertThat(installation.log().deltas()).isEqualTo(1);
        Gateway shown = one.fleet().gateway("edge").orElseThrow();
        assertThat(shown.host()).isEqualTo("host-of-edge");
        assertThat(shown.controlPlane()).isEqualTo("one");
    }

    private static String randomHost(Random random) {
        return Long.toString(random.nextLong() & Long.MAX_VALUE, 36)
                + Long.toString(random.nextLong() & Long.MAX_VALUE, 36) + ".test";
    }

    @Test
    void aStateOfManyChunksArrivesWhole() throws Exception {
        Installation.ControlPlane one = installation.controlPlane("one");
        Random random = new Random(7);
        List<EntityChange> many = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            many.add(upstream(
                    "u" + i, Stream.generate(() -> randomHost(random)).limit(40).toArray(String[]::new)));
        }
        Snapshot large = installation.log().commitAll(many);
        assertThat(io.sigma.snapshot.SnapshotBody.full(large).compress()).hasSizeGreaterThan(1 << 20);

        Installation.Gateway gateway = installation.gateway("edge", one.port());

        untilServes(gateway, large);
    }

    @Test
    void nackKeepsTheLastGoodSnapshotAndIsReportedWithItsPointer() throws Exception {
        Installation.ControlPlane one = installation.controlPlane("one");
        Snapshot good = installation.log().commit(upstream("a", "a.test"));
        Installation.Gateway gateway = installation.gateway("edge", one.port());
        untilServes(gateway, good);
        untilLive(one, "edge");

        Snapshot bad = installation.log().commit(upstream("bad", "b.test"));
        List<GatewayAnswer> answers = await(one.fleet().answers(bad.revision(), TIMEOUT));

        assertThat(answers).singleElement().satisfies(answer -> {
            assertThat(answer.answer()).isEqualTo(AnswerKind.NACK);
            assertThat(answer.revision()).isEqualTo(good.revision());
            assertThat(answer.refusal()).isNotNull();
            assertThat(answer.refusal().pointer()).isEqualTo("/upstreams/bad");
            assertThat(answer.refusal().revision()).isEqualTo(bad.revision());
        });
        assertThat(gateway.target().current().hash()).isEqualTo(good.hash());
        assertThat(state(one, "edge")).isEqualTo(GatewayState.REFUSED);
    }

    @Test
    void acknowledgementsAreSeenAcrossControlPlanes() throws Exception {
        Installation.ControlPlane one = installation.controlPlane("one");
        Installation.ControlPlane two = installation.controlPlane("two");
        Snapshot first = installation.log().commit(upstream("a", "a.test"));
        untilServes(installation.gateway("edge-1", one.port()), first);
        untilServes(installation.gateway("edge-2", two.port()), first);
        for (Installation.ControlPlane each : List.of(one, two)) {
            untilLive(each, "edge-1");
            untilLive(each, "edge-2");
        }

        Snapshot second = installation.log().commit(upstream("b", "b.test"));

        for (Installation.ControlPlane each : List.of(one, two)) {
            assertThat(await(each.fleet().answers(second.revision(), TIMEOUT)))
                    .extracting(GatewayAnswer::gatewayId, GatewayAnswer::answer)
                    .containsExactly(
                            org.assertj.core.groups.Tuple.tuple("edge-1", AnswerKind.ACK),
                            org.assertj.core.groups.Tuple.tuple("edge-2", AnswerKind.ACK));
        }
    }

    @Test
    void whatGatewaysSaidIsToldAfterwardsByEveryControlPlane() throws Exception {
        Installation.ControlPlane one = installation.controlPlane("one");
        Installation.ControlPlane two = installation.controlPlane("two");
        Snapshot first = installation.log().commit(upstream("a", "a.test"));
        untilServes(installation.gateway("edge-1", one.port()), first);
        untilServes(installation.gateway("edge-2", two.port()), first);
        untilLive(one, "edge-2");
        untilLive(two, "edge-1");

        Instant committed = Instant.now();
        Snapshot bad = installation.log().commit(upstream("bad", "b.test"));

        for (Installation.ControlPlane each : List.of(one, two)) {
            until(
                    "both refused",
                    () -> acks(each, bad.revision(), committed).stream()
                                    .filter(ack -> ack.answer() == AnswerKind.NACK)
                                    .count()
                            == 2);
            assertThat(acks(each, bad.revision(), committed)).allSatisfy(ack -> {
                assertThat(ack.refusal().pointer()).isEqualTo("/upstreams/bad");
                assertThat(ack.lag()).isEqualTo(1);
                assertThat(ack.live()).isTrue();
            });
            assertThat(acks(each, first.revision(), committed))
                    .extracting(GatewayAck::gatewayId, GatewayAck::answer)
                    .containsExactly(
                            org.assertj.core.groups.Tuple.tuple("edge-1", AnswerKind.ACK),
                            org.assertj.core.groups.Tuple.tuple("edge-2", AnswerKind.ACK));
        }
    }

    private static List<GatewayAck> acks(Installation.ControlPlane one, long revision, Instant committed) {
        try {
            return await(one.fleet().acks(revision, committed));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aGatewayThatDoesNotAnswerInTimeIsPending() throws Exception {
        Installation.ControlPlane one = installation.controlPlane("one");
        Snapshot first = installation.log().commit(upstream("a", "a.test"));
        Installation.Gateway gateway = installation.gateway("edge", one.port());
        untilServes(gateway, first);
        untilLive(one, "edge");
        Promise<Void> release = Promise.promise();
        gateway.target().hold(release);

        Snapshot second = installation.log().commit(upstream("b", "b.test"));
        List<GatewayAnswer> answers = await(one.fleet().answers(second.revision(), Duration.ofMillis(300)));

        assertThat(answers)
                .singleElement()
                .satisfies(answer -> assertThat(answer.answer()).isEqualTo(AnswerKind.PENDING));
        assertThat(state(one, "edge")).isEqualTo(GatewayState.BEHIND);
        release.complete();
        untilServes(gateway, second);
    }

    @Test
    void nobodyWaitsForAGatewayThatSaidGoodbye() throws Exception {
        Installation.ControlPlane one = installation.controlPlane("one");
        Installation.ControlPlane two = installation.controlPlane("two");
        Snapshot first = installation.log().commit(upstream("a", "a.test"));
        Installation.Gateway gateway = installation.gateway("edge", one.port());
        untilServes(gateway, first);
        untilLive(one, "edge");
        untilLive(two, "edge");

        await(gateway.client().close());

        until("both know", () -> state(one, "edge") == GatewayState.LOST && state(two, "edge") == GatewayState.LOST);
        Snapshot second = installation.log().commit(upstream("b", "b.test"));
        assertThat(await(one.fleet().answers(second.revision(), TIMEOUT))).isEmpty();
    }

    @Test
    void aGatewayThatIsLostWhileWaitingNoLongerCounts() throws Exception {
        Installation.ControlPlane one = installation.controlPlane("one");
        Snapshot first = installation.log().commit(upstream("a", "a.test"));
        try (FreezingRelay relay = FreezingRelay.to(installation.vertx(), one.port())) {
            Installation.Gateway gateway = installation.gateway("edge", relay.port());
            untilServes(gateway, first);
            untilLive(one, "edge");
            relay.freeze();

            Snapshot second = installation.log().commit(upstream("b", "b.test"));

            assertThat(await(one.fleet().answers(second.revision(), TIMEOUT))).isEmpty();
            assertThat(state(one, "edge")).isEqualTo(GatewayState.LOST);
        }
    }

    @Test
    void aGatewayGoesOverToTheOtherControlPlaneAndBackAgain() throws Exception {
        Installation.ControlPlane one = installation.controlPlane("one");
        Installation.ControlPlane two = installation.controlPlane("two");
        Snapshot first = installation.log().commit(upstream("a", "a.test"));
        Installation.Gateway gateway = installation.gateway("edge", one.port(), two.port());
        untilServes(gateway, first);
        untilLive(one, "edge");
        boolean hangsOnOne =
                one.fleet().gateway("edge").orElseThrow().controlPlane().equals("one");
        Installation.ControlPlane used = hangsOnOne ? one : two;
        Installation.ControlPlane other = hangsOnOne ? two : one;
        String otherName = hangsOnOne ? "two" : "one";

        installation.kill(used);

        until(
                "edge hangs on " + otherName,
                () -> otherName.equals(
                        other.fleet().gateway("edge").map(Gateway::controlPlane).orElse("")));
        Snapshot second = installation.log().commit(upstream("b", "b.test"));
        untilServes(gateway, second);

        installation.kill(other);
        Snapshot third = installation.log().commit(upstream("c", "c.test"));
        assertThat(gateway.target().current().hash()).isEqualTo(second.hash());
        installation.controlPlane("one", used.port(), Installation.SECRET);
        untilServes(gateway, third);
    }

    @Test
    void aControlPlaneThatHangsIsLeftWithinSeconds() throws Exception {
        Installation.ControlPlane one = installation.controlPlane("one");
        Snapshot first = installation.log().commit(upstream("a", "a.test"));
        try (FreezingRelay frozen = FreezingRelay.to(installation.vertx(), one.port())) {
            Installation.Gateway gateway = installation.gateway("edge", frozen.port());
            untilServes(gateway, first);
            frozen.freeze();
            Snapshot second = installation.log().commit(upstream("b", "b.test"));
            frozen.thawNew();

            long began = System.nanoTime();
            untilServes(gateway, second);

            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(8));
        }
    }

    @Test
    void aRestoredDatabaseIsFollowed() throws Exception {
        Installation.ControlPlane one = installation.controlPlane("one");
        Snapshot old = installation.log().commit(upstream("a", "a.test"));
        installation.log().commit(upstream("b", "b.test"), upstream("c", "c.test"));
        Installation.Gateway gateway = installation.gateway("edge", one.port());
        untilServes(gateway, installation.log().current());

        installation.log().restore(old);

        untilServes(gateway, old);
    }

    @Test
    void aRestoredDatabaseThatHasComeAsFarAgainIsFollowedByEveryGateway() throws Exception {
        Installation.ControlPlane one = installation.controlPlane("one");
        Installation.ControlPlane two = installation.controlPlane("two");
        Snapshot old = installation.log().commit(upstream("a", "a.test"));
        Snapshot lost = installation.log().commit(upstream("b", "b.test"));
        Installation.Gateway first = installation.gateway("edge-1", one.port());
        Installation.Gateway second = installation.gateway("edge-2", two.port());
        untilServes(first, lost);
        untilServes(second, lost);

        Snapshot truth = old.advance(old.revision() + 1, List.of(upstream("c", "c.test")));
        assertThat(truth.revision()).isEqualTo(lost.revision());
        installation.log().restore(truth);

        assertThat(await(one.fleet().answers(truth.revision(), Duration.ofMillis(1))))
                .extracting(GatewayAnswer::answer)
                .containsOnly(AnswerKind.PENDING);
        for (Installation.Gateway gateway : List.of(first, second)) {
            until("serves the truth", () -> gateway.target().current().hash().equals(truth.hash()));
        }
        until("acknowledged", () -> state(one, "edge-1") == GatewayState.CURRENT);
    }

    @Test
    void aRestoredDatabaseThatHasGoneFurtherIsFollowed() throws Exception {
        Installation.ControlPlane one = installation.controlPlane("one");
        Snapshot old = installation.log().commit(upstream("a", "a.test"));
        Snapshot lost = installation.log().commit(upstream("b", "b.test"));
        Installation.Gateway gateway = installation.gateway("edge", one.port());
        untilServes(gateway, lost);

        Snapshot truth = old.advance(old.revision() + 3, List.of(upstream("c", "c.test")));
        installation.log().restore(truth);

        untilServes(gateway, truth);
        assertThat(gateway.target().current().state().upstreams()).containsOnlyKeys("a", "c");
    }

    @Test
    void listenersHearOfEveryChangeOfState() throws Exception {
        Installation.ControlPlane one = installation.controlPlane("one");
        List<String> heard = java.util.Collections.synchronizedList(new ArrayList<>());
        one.fleet().onChange(gateway -> heard.add(gateway.revision() + " " + gateway.state()));
        Snapshot first = installation.log().commit(upstream("a", "a.test"));
        Installation.Gateway gateway = installation.gateway("edge", one.port());
        untilServes(gateway, first);

        until("heard", () -> heard.contains("1 CURRENT"));
        await(gateway.client().close());
        until("heard", () -> heard.contains("1 LOST"));

        assertThat(heard).startsWith("0 BEHIND").endsWith("1 LOST");
    }
}
