package io.sigma.inprocess.fleet;

import static io.sigma.inprocess.testkit.MemoryLog.upstream;
import static io.sigma.inprocess.testkit.Waiting.until;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.store.history.EntityEdit;
import io.sigma.controlplane.store.vote.Candidate;
import io.sigma.controlplane.store.vote.Poll;
import io.sigma.inprocess.testkit.Installation;
import io.sigma.inprocess.testkit.WithInstallation;
import io.sigma.model.GatewayState;
import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.Snapshot;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;

/** The base of tests of votes: a first revision, and proposals that are not written. */
abstract class VotesContract extends WithInstallation {

    @BeforeEach
    void commitTheFirstRevision() {
        installation.log().commit(upstream("a", "a.test"));
    }

    Candidate candidate(EntityChange... changes) {
        Snapshot base = installation.log().current();
        Snapshot next = base.advance(base.revision() + 1, List.of(changes));
        List<EntityEdit> edits = Stream.of(changes)
                .map(change -> new EntityEdit(change.kind(), change.id(), null, change.resource()))
                .toList();
        return new Candidate(base.revision(), base.hash(), next.revision(), next.hash(), edits);
    }

    /** Returns what becomes of a write that {@code at} proposes. */
    Poll proposed(Installation.ControlPlane at, EntityChange... changes) {
        return at.fleet().ballot().open(candidate(changes));
    }

    Installation.Gateway serving(String id, Installation.ControlPlane controlPlane) throws Exception {
        Installation.Gateway gateway = installation.gateway(id, controlPlane.port());
        untilCurrent(gateway, controlPlane);
        return gateway;
    }

    void untilCurrent(Installation.Gateway gateway, Installation.ControlPlane controlPlane) throws Exception {
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

    static Failure failure(Poll poll) {
        FailureException failed = catchThrowableOfType(FailureException.class, poll::votes);
        poll.withdrawn();
        return failed.failure();
    }
}
