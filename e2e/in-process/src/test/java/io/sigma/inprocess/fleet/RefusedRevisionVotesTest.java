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
import io.sigma.controlplane.store.vote.Poll;
import io.sigma.inprocess.testkit.Installation;
import io.sigma.model.GatewayState;
import io.sigma.model.GatewayVote;
import io.sigma.model.Kind;
import io.sigma.model.VoteKind;
import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.Snapshot;
import io.vertx.core.Promise;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Votes while gateways refuse what is committed, do not answer, or serve nothing yet. */
final class RefusedRevisionVotesTest extends VotesContract {

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
                    .containsExactly(Faults.refusedByGateway("/upstreams/late", "edge", "late (expected: good)"));
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
}
