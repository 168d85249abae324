package io.sigma.controlplane.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.store.vote.Candidate;
import io.sigma.model.GatewayVote;
import io.sigma.model.VoteKind;
import io.sigma.snapshot.StateHash;
import io.sigma.snapshot.Vote;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class OpenPollTest {

    private final OpenPoll poll = new OpenPoll(
            "id",
            new Candidate(1, StateHash.EMPTY, 2, StateHash.EMPTY, List.of()),
            null,
            Set.of("edge"),
            Set.of(),
            true,
            1000,
            System::nanoTime,
            end -> {});

    @Test
    void aGatewayThatWasNotAskedNeedNotVote() {
        // Such as one that stops: its connection closes while others vote.
        poll.silent("stopping", "its connection is closed");
        poll.hear(new Vote("edge", "id", VoteKind.ACCEPT, null, null));
        assertThat(poll.votes()).extracting(GatewayVote::gatewayId).containsExactly("edge");
    }

    @Test
    void aGatewayThatWasAskedAndIsGoneEndsTheWrite() {
        poll.silent("edge", "its connection is closed");
        assertThatThrownBy(poll::votes).isInstanceOf(FailureException.class);
    }
}
