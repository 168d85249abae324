package io.sigma.dataplane.link;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.dataplane.snapshot.SnapshotTarget;
import io.sigma.model.VoteKind;
import io.sigma.snapshot.Announcement;
import io.sigma.snapshot.Proposal;
import io.sigma.snapshot.Snapshot;
import io.sigma.snapshot.Vote;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class VoterTest {

    private final Vertx vertx = Vertx.vertx();
    private final BlockingQueue<Vote> votes = new LinkedBlockingQueue<>();

    @AfterEach
    void close() throws Exception {
        vertx.close().await(30, TimeUnit.SECONDS);
    }

    /** A link over which nothing can be fetched. */
    private final class FailingLink implements ControlLink {

        @Override
        public <T> Future<T> request(String address, Object message, Class<T> type) {
            throw new StackOverflowError("on purpose");
        }

        @Override
        public Future<Void> tell(String address, Object message) {
            votes.add((Vote) message);
            return Future.succeededFuture();
        }

        @Override
        public void onAnnouncement(Consumer<Announcement> listener) {}

        @Override
        public void onQuestion(String gatewayId, Consumer<JsonNode> listener) {}

        @Override
        public void onProposal(Consumer<Proposal> listener) {}

        @Override
        public void onConnected(Runnable listener) {}

        @Override
        public Future<Void> open() {
            return Future.succeededFuture();
        }

        @Override
        public Future<Void> close() {
            return Future.succeededFuture();
        }
    }

    /** Serves nothing. */
    private static final class Target implements SnapshotTarget {

        @Override
        public Future<Void> apply(Snapshot snapshot) {
            return Future.failedFuture("nothing is applied here");
        }

        @Override
        public Snapshot current() {
            return Snapshot.NONE;
        }
    }

    /** A write waits for the vote, and the next proposal must not find one that is under way for ever. */
    @Test
    void whatIsThrownOnTheWayIsAVote() throws Exception {
        Context context = vertx.getOrCreateContext();
        Voter voter = new Voter(vertx, context, new FailingLink(), new Target(), "edge", () -> null, () -> null);
        for (String id : new String[] {"first", "second"}) {
            Snapshot none = Snapshot.NONE;
            String hash = none.hash().hex();
            context.runOnContext(any -> voter.hear(new Proposal(id, 0, hash, 1, hash, "one", 1_000, 1, null, false)));
            Vote vote = votes.poll(20, TimeUnit.SECONDS);
            assertThat(vote).isNotNull();
            assertThat(vote.proposalId()).isEqualTo(id);
            assertThat(vote.vote()).isEqualTo(VoteKind.ABSTAIN);
        }
    }
}
