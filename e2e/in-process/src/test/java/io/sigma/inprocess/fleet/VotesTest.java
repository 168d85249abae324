package io.sigma.inprocess.fleet;

import static io.sigma.inprocess.testkit.MemoryLog.upstream;
import static io.sigma.inprocess.testkit.Waiting.await;
import static io.sigma.inprocess.testkit.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import io.sigma.check.Faults;
import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.store.vote.Candidate;
import io.sigma.controlplane.store.vote.Poll;
import io.sigma.dataplane.link.LocalLink;
import io.sigma.inprocess.testkit.FreezingRelay;
import io.sigma.inprocess.testkit.Installation;
import io.sigma.model.GatewayVote;
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
import org.junit.jupiter.api.Test;

/** The votes of gateways before a write commits, and the candidates that they keep. */
final class VotesTest extends VotesContract {

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
                .containsExactly(Faults.refusedByGateway("/upstreams/bad", "edge-2", "bad (expected: good)"));
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
        try (FreezingRelay relay = FreezingRelay.to(installation.vertx(), one.port())) {
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
