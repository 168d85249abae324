package io.sigma.controlplane.api.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.controlplane.analysis.Analyst;
import io.sigma.controlplane.api.request.Parameters;
import io.sigma.controlplane.fleet.Extent;
import io.sigma.controlplane.fleet.NoFleet;
import io.sigma.controlplane.store.CommitResult;
import io.sigma.model.AnswerKind;
import io.sigma.model.GatewayAnswer;
import io.sigma.model.RevisionResult;
import io.sigma.snapshot.StateHash;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class AcknowledgementsTest {

    private static GatewayAnswer answer(String id, AnswerKind kind) {
        return GatewayAnswer.builder().gatewayId(id).answer(kind).revision(1L).build();
    }

    /** One gateway that is live and has answered, and what else is known. */
    private static final class Known extends NoFleet {

        private final List<GatewayAnswer> silent;

        Known(List<GatewayAnswer> silent) {
            this.silent = silent;
        }

        @Override
        public Future<List<GatewayAnswer>> answers(long revision, Extent extent, Duration timeout) {
            return Future.succeededFuture(List.of(answer("b", AnswerKind.ACK)));
        }

        @Override
        public List<GatewayAnswer> silent(long revision) {
            return silent;
        }
    }

    private static RevisionResult result(String wait, GatewayAnswer... silent) {
        Analyst none = new Analyst(null, InstantSource.system());
        CommitResult committed =
                new CommitResult(1, StateHash.EMPTY, List.of(), CommitResult.Outcome.UNCHANGED, List.of());
        return new Acknowledgements(new Known(List.of(silent)), none)
                .of(committed, new Parameters(Map.of("wait", wait)));
    }

    @Test
    void aWriteIsNotCompleteWhileAGatewayIsLost() {
        assertThat(result("all").complete()).isTrue();
        RevisionResult lost = result("all", answer("a", AnswerKind.PENDING));
        assertThat(lost.complete()).isFalse();
        assertThat(lost.gateways()).extracting(GatewayAnswer::gatewayId).containsExactly("a", "b");
        assertThat(result("all", answer("a", AnswerKind.ACK)).complete()).isTrue();
    }

    @Test
    void aQuorumIsOneOfAllKnownGateways() {
        assertThat(result("quorum").complete()).isTrue();
        assertThat(result("quorum", answer("a", AnswerKind.PENDING)).complete()).isFalse();
    }
}
