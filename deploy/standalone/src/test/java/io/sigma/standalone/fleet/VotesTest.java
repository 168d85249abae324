package io.sigma.standalone.fleet;

import static io.sigma.standalone.fleet.MemoryLog.upstream;
import static io.sigma.standalone.fleet.Waiting.await;
import static io.sigma.standalone.fleet.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.store.history.EntityEdit;
import io.sigma.controlplane.store.vote.Candidate;
import io.sigma.controlplane.store.vote.Poll;
import io.sigma.dataplane.link.LocalLink;
import io.sigma.model.FieldError;
import io.sigma.model.GatewayState;
import io.sigma.model.GatewayVote;
import io.sigma.model.Kind;
import io.sigma.model.VoteKind;
import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.Proposal;
import io.sigma.snapshot.Snapshot;
import io.sigma.snapshot.SnapshotBody;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What gateways are asked before a write commits, and what they keep of it. */
class VotesTest extends WithInstallation {

    @BeforeEach
    void commitTheFirstRevision() {
        installation.log().commit(upstream("a", "a.test"));
    }

    private Candidate candidate(EntityChange... changes) {
        Snapshot base = installation.log().current();
        Snapshot next = base.advance(base.revision() + 1, List.of(changes));
        List<EntityEdit> edits = Stream.of(changes)
                .map(change -> new EntityEdit(change.kind(), change.id(), null, change.resource()))
                .toList();
        return new Candidate(base.revision(), base.hash(), next.revision(), next.hash(), edits);
    }

    /** Returns what becomes of a write that {@code at} proposes. */
    private Poll proposed(Installation.ControlPlane at, EntityChange... changes) {
        return at.fleet().ballot().open(candidate(changes));
    }

    private Installation.Gateway serving(String id, Installation.ControlPlane controlPlane) throws Exception {
        Installation.Gateway gateway = installation.gateway(id, controlPlane.port());
        untilCurrent(gateway, controlPlane);
        return gateway;
    }

    private void untilCurrent(Installation.Gateway gateway, Installation.ControlPlane controlPlane) throws Exception {
        until(
                gateway.id() + " is current",
                () -> gateway.target().current().revision()
                                == installation.log().current().revision()
                        && controlPlane
                                .fleet()
                                .gateway(gateway.id())
                                .map(one -> one.state() == GatewayState.CURRENT)
                                .orElse(false));
    }

    @Test
    void gatewaysOfEveryControlPlaneVoteAndServeWhatTheyCompiledWithoutFetching() throws Exception {
        Installation.ControlPlane one = installation.controlPlane("one");
        Installation.ControlPlane two = installation.controlPlane("two");
        Installation.Gateway first = serving("edge-1", one);
        Installation.Gateway second = serving("edge-2", two);
        untilCurrent(second, one);

        Poll poll = proposed(one, upstream("b", "b.test"));
        List<GatewayVote> votes = poll.votes();

        assertThat(votes)
                .extracting(GatewayVote::gatewayId, GatewayVote::vote)
                .containsExactly(tuple("edge-1", VoteKind.ACCEPT), tuple("edge-2", VoteKind.ACCEPT));
        assertThat(first.target().current().revision()).isEqualTo(1);
        Snapshot committed = installation.log().commit(upstream("b", "b.test"));
        poll.committed();
        for (Installation.Gateway gateway : List.of(first, second)) {
            until("served", () -> gateway.target().current().revision() == committed.revision());
            assertThat(gateway.target().current().hash()).isEqualTo(committed.hash());
            assertThat(gateway.target().reused()).isEqualTo(1);
        }
        assertThat(installation.log().deltas()).isZero();
        until("nothing is left", () -> proposals() == 0);
    }

    private long proposals() {
        try {
            return await(installation
                            .pool()
                            .query("select count(*) as n from proposals")
                            .execute())
                    .iterator()
                    .next()
                    .getLong("n");
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aProposalIsVotedOnThoughItsNotificationWasMissed() throws Exception {
        Installation.ControlPlane one = installation.controlPlane("one");
        Installation.ControlPlane two = installation.controlPlane("two");
        Installation.Gateway gateway = serving("edge-2", two);
        untilCurrent(gateway, one);
        await(installation
                .pool()
                .query("select pg_terminate_backend(pid) from pg_stat_activity"
                        + " where datname = current_database() and query ilike 'listen%'")
                .execute());

        Poll poll = proposed(one, upstream("b", "b.test"));

        assertThat(poll.votes()).extracting(GatewayVote::vote).containsExactly(VoteKind.ACCEPT);
    }

    @Test
    void aRefusalBehindAnotherControlPlaneIsToldWithPointerAndNothingIsKept() throws Exception {
        Installation.ControlPlane one = installation.controlPlane("one");
        Installation.ControlPlane two = installation.controlPlane("two");
        Installation.Gateway gateway = serving("edge-2", two);
        untilCurrent(gateway, one);

        Poll poll = proposed(one, upstream("bad", "b.test"));
        FailureException refused = catchThrowableOfType(FailureException.class, poll::votes);

        Failure.RefusedByGateway failure = (Failure.RefusedByGateway) refused.failure();
        assertThat(failure.errors())
                .containsExactly(new FieldError("/upstreams/bad", "gateway edge-2: bad (expected: good)"));
        assertThat(failure.votes()).extracting(GatewayVote::vote).containsExactly(VoteKind.REFUSE);
        poll.withdrawn();
        assertThat(gateway.target().candidate()).isNull();
        assertThat(gateway.target().current().revision()).isEqualTo(1);
    }

    @Test
    void aWithdrawnProposalIsDroppedBehindEveryControlPlane() throws Exception {
        Installation.ControlPlane one = installation.controlPlane("one");
        Installation.ControlPlane two = installation.controlPlane("two");
        Installation.Gateway first = serving("edge-1", one);
        Installation.Gateway second = serving("edge-2", two);
        untilCurrent(second, one);
        Poll poll = proposed(one, upstream("b", "b.test"));
        assertThat(poll.votes()).hasSize(2);
        assertThat(first.target().candidate()).isNotNull();

        poll.withdrawn();

        until("dropped", () -> first.target().candidate() == null);
        until("dropped", () -> second.target().candidate() == null);
    }

    @Test
    void whatWasNeverCommittedGoesWithTheNextRevision() throws Exception {
        Installation.ControlPlane one = installation.controlPlane("one");
        Installation.Gateway gateway = serving("edge", one);
        assertThat(proposed(one, upstream("b", "b.test")).votes()).hasSize(1);

        // The control plane that asked died; another write comes first.
        Snapshot other = installation.log().commit(upstream("c", "c.test"));

        until("served", () -> gateway.target().current().hash().equals(other.hash()));
        assertThat(gateway.target().reused()).isZero();
        assertThat(gateway.target().candidate()).isNull();
    }

    @Test
    void aGatewayThatDoesNotAnswerIsReportedAndThenNotWaitedForUntilItDoes() throws Exception {
        Installation.ControlPlane one = installation.controlPlane("one", 300, false);
        Installation.Gateway gateway = serving("edge", one);
        Promise<Void> release = Promise.promise();
        gateway.target().holdVotes(release);

        Poll first = proposed(one, upstream("b", "b.test"));
        assertThat(first.votes()).singleElement().satisfies(vote -> {
            assertThat(vote.vote()).isEqualTo(VoteKind.SILENT);
            assertThat(vote.reason()).isEqualTo("no answer within 300 ms");
        });
        Poll second = proposed(one, upstream("b", "b.test"));
        assertThat(second.votes())
                .singleElement()
                .satisfies(vote -> assertThat(vote.reason()).contains("not waited for"));

        gateway.target().holdVotes(null);
        release.complete();
        first.withdrawn();
        second.withdrawn();
        until("it votes again", () -> {
            Poll next = proposed(one, upstream("b", "b.test"));
            List<GatewayVote> votes = next.votes();
            next.withdrawn();
            return votes.getFirst().vote() == VoteKind.ACCEPT;
        });
    }

    @Test
    void aWriteFailsWithoutTheVoteOfAGatewayWhereItIsRequired() throws Exception {
        Installation.ControlPlane one = installation.controlPlane("one", 200, true);
        Installation.Gateway gateway = serving("edge", one);
        gateway.target().holdVotes(Promise.promise());

        Poll poll = proposed(one, upstream("b", "b.test"));

        FailureException failed = catchThrowableOfType(FailureException.class, poll::votes);
        assertThat(failed.failure()).isInstanceOf(Failure.Unavailable.class);
        assertThat(failed).hasMessageContaining("edge did not vote within 200 ms (gatewayVotesRequired)");
        poll.withdrawn();
    }

    /** Commits a revision that {@code gateway} does not serve before the promise is kept. */
    private Promise<Void> behind(Installation.Gateway gateway) {
        Promise<Void> release = Promise.promise();
        gateway.target().hold(release);
        installation.log().commit(upstream("b", "b.test"));
        return release;
    }

    @Test
    void aGatewayThatIsBehindAbstainsWithAReason() throws Exception {
        Installation.ControlPlane one = installation.controlPlane("one");
        Installation.Gateway gateway = serving("edge", one);
        Promise<Void> release = behind(gateway);

        Poll poll = proposed(one, upstream("c", "c.test"));

        assertThat(poll.votes()).singleElement().satisfies(vote -> {
            assertThat(vote.vote()).isEqualTo(VoteKind.ABSTAIN);
            assertThat(vote.reason()).isEqualTo("is behind: serves revision 1");
        });
        release.complete();
    }

    @Test
    void aGatewayThatIsAboutToCatchUpVotes() throws Exception {
        Installation.ControlPlane one = installation.controlPlane("one");
        Installation.Gateway gateway = serving("edge", one);
        Promise<Void> release = behind(gateway);

        Poll poll = proposed(one, upstream("c", "c.test"));
        release.complete();

        assertThat(poll.votes()).extracting(GatewayVote::vote).containsExactly(VoteKind.ACCEPT);
    }

    @Test
    void aLargeProposalIsFetchedInChunks() throws Exception {
        Installation.ControlPlane one = installation.controlPlane("one");
        Installation.ControlPlane two = installation.controlPlane("two");
        serving("edge-1", one);
        Installation.Gateway second = serving("edge-2", two);
        untilCurrent(second, one);
        Random random = new Random(7);
        List<EntityChange> many = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            many.add(upstream(
                    "u" + i,
                    Stream.generate(() -> Long.toString(random.nextLong() & Long.MAX_VALUE, 36)
                                    + Long.toString(random.nextLong() & Long.MAX_VALUE, 36) + ".test")
                            .limit(40)
                            .toArray(String[]::new)));
        }
        Candidate large = candidate(many.toArray(EntityChange[]::new));
        assertThat(new SnapshotBody(large.revision(), large.hash().hex(), large.changes()).compress())
                .hasSizeGreaterThan(4 * Proposal.DATA_BYTES_MAX);

        Poll poll = one.fleet().ballot().open(large);

        assertThat(poll.votes()).extracting(GatewayVote::vote).containsExactly(VoteKind.ACCEPT, VoteKind.ACCEPT);
        poll.withdrawn();
    }

    @Test
    void aGatewayInTheSameProcessVotesOnTheLocalBus() throws Exception {
        Installation.ControlPlane one = installation.localControlPlane("one");
        Installation.Gateway gateway = installation.gateway("edge", new LocalLink(one.vertx()), one.vertx());
        untilCurrent(gateway, one);

        Poll poll = proposed(one, upstream("b", "b.test"));

        assertThat(poll.votes()).extracting(GatewayVote::vote).containsExactly(VoteKind.ACCEPT);
        poll.withdrawn();
    }

    @Test
    @SuppressWarnings("try") // That it is closed before the end is what the test is about.
    void aGatewayWhoseConnectionEndsIsNotWaitedFor() throws Exception {
        Installation.ControlPlane one = installation.controlPlane("one", 15_000, false);
        try (Relay relay = Relay.to(installation.vertx(), one.port())) {
            Installation.Gateway gateway = installation.gateway("edge", relay.port());
            untilCurrent(gateway, one);
            gateway.target().holdVotes(Promise.promise());
            Poll poll = proposed(one, upstream("b", "b.test"));

            relay.close();

            assertThat(poll.votes()).singleElement().satisfies(vote -> {
                assertThat(vote.vote()).isEqualTo(VoteKind.SILENT);
                assertThat(vote.reason()).isEqualTo("its connection is closed");
            });
            poll.withdrawn();
        }
    }

    /** Commits revision 2, which the gateways accept and then cannot serve. */
    private void refusedLate(Installation.ControlPlane controlPlane, Installation.Gateway... gateways)
            throws Exception {
        for (Installation.Gateway gateway : gateways) {
            gateway.target().refuseLate("late");
        }
        Poll poll = proposed(controlPlane, upstream("late", "late.test"));
        assertThat(poll.votes()).extracting(GatewayVote::vote).containsOnly(VoteKind.ACCEPT);
        installation.log().commit(upstream("late", "late.test"));
        poll.committed();
        for (Installation.Gateway gateway : gateways) {
            until(
                    "refused",
                    () -> controlPlane
                            .fleet()
                            .refused()
                            .map(refused -> refused.refusals().containsKey(gateway.id()))
                            .orElse(false));
        }
    }

    private static Failure failure(Poll poll) {
        FailureException failed = catchThrowableOfType(FailureException.class, poll::votes);
        poll.withdrawn();
        return failed.failure();
    }

    private static EntityChange gone(String upstream) {
        return new EntityChange(Kind.UPSTREAM, upstream, null);
    }

    @Test
    void afterARefusalWritesAreAnsweredWithItAndOneThatMendsItIsServed() throws Exception {
        Installation.ControlPlane one = installation.controlPlane("one");
        Installation.ControlPlane two = installation.controlPlane("two");
        Installation.Gateway gateway = serving("edge", two);
        untilCurrent(gateway, one);
        refusedLate(one, gateway);

        // Something else, which leaves the gateway where it is.
        Failure other = failure(proposed(one, upstream("c", "c.test")));
        assertThat(other).isInstanceOfSatisfying(Failure.RevisionRefused.class, refused -> {
            assertThat(refused.revision()).isEqualTo(2);
            assertThat(refused.text())
                    .isEqualTo("gateway edge refuses revision 2 because of /upstreams/late: late (expected: good)");
            assertThat(refused.errors())
                    .containsExactly(new FieldError("/upstreams/late", "gateway edge: late (expected: good)"));
        });
        // What does not mend the culprit, or is wrong itself, is refused as any other write.
        assertThat(failure(proposed(one, upstream("late", "still.test")))).isInstanceOf(Failure.RefusedByGateway.class);

        Poll mending = proposed(one, gone("late"), upstream("c", "c.test"));
        assertThat(mending.votes()).extracting(GatewayVote::vote).containsExactly(VoteKind.ACCEPT);
        Snapshot mended = installation.log().commitAll(List.of(gone("late"), upstream("c", "c.test")));
        mending.committed();

        until("served", () -> gateway.target().current().hash().equals(mended.hash()));
        assertThat(gateway.target().reused()).isEqualTo(1);
        until("nothing is refused", () -> one.fleet().refused().isEmpty());
        Poll next = proposed(one, upstream("d", "d.test"));
        assertThat(next.votes()).extracting(GatewayVote::vote).containsExactly(VoteKind.ACCEPT);
        next.withdrawn();
    }

    @Test
    void aGatewayThatRefusesOnItsOwnIsWaivedUntilItServesTheNewestRevision() throws Exception {
        Installation.ControlPlane one = installation.controlPlane("one");
        Installation.Gateway good = serving("good", one);
        Installation.Gateway broken = serving("broken", one);
        refusedLate(one, broken);
        assertThat(failure(proposed(one, upstream("c", "c.test")))).isInstanceOf(Failure.RevisionRefused.class);

        await(installation
                .pool()
                .query("insert into gateway_waivers (gateway_id, waived_by) values ('broken', 'ann')")
                .execute());
        until("waived", () -> one.fleet().gateway("broken").orElseThrow().waived() != null);
        Poll poll = proposed(one, upstream("c", "c.test"));

        assertThat(poll.votes())
                .extracting(GatewayVote::gatewayId, GatewayVote::vote)
                .containsExactly(tuple("broken", VoteKind.REFUSE), tuple("good", VoteKind.ACCEPT));
        Snapshot next = installation.log().commit(upstream("c", "c.test"));
        poll.committed();
        until("served", () -> good.target().current().hash().equals(next.hash()));

        // Its disk is mended: it catches up by itself, and counts again.
        broken.target().mend("late");
        until(
                "no longer waived",
                () -> one.fleet()
                        .gateway("broken")
                        .map(gateway -> gateway.waived() == null && gateway.state() == GatewayState.CURRENT)
                        .orElse(false));
    }

    @Test
    void aGatewayThatServesNothingYetHoldsUpNobody() throws Exception {
        Installation.ControlPlane one = installation.controlPlane("one");
        Installation.Gateway good = serving("good", one);
        installation.log().commit(upstream("late", "late.test"));
        untilCurrent(good, one);
        Installation.Gateway fresh = installation.gateway("fresh", one.port(), "late");
        until("refused", () -> one.fleet().refused().isPresent());

        Poll poll = proposed(one, upstream("c", "c.test"));

        assertThat(poll.votes())
                .extracting(GatewayVote::gatewayId, GatewayVote::vote)
                .containsExactly(tuple("fresh", VoteKind.REFUSE), tuple("good", VoteKind.ACCEPT));
        assertThat(fresh.target().current().revision()).isZero();
        poll.withdrawn();
    }

    @Test
    void aWithdrawalThatOvertakesTheProposalIsHeard() throws Exception {
        Installation.ControlPlane one = installation.controlPlane("one");
        Installation.ControlPlane two = installation.controlPlane("two");
        Installation.Gateway gateway = serving("edge", two);
        untilCurrent(gateway, one);
        for (int i = 0; i < 30; i++) {
            // Withdrawn while the other control plane still reads it.
            proposed(one, upstream("b" + i, "b.test")).withdrawn();
        }
        until("nothing is kept", () -> gateway.target().candidate() == null && proposals() == 0);
        Thread.sleep(300);
        assertThat(gateway.target().candidate()).isNull();
    }
}
