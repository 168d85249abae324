package io.sigma.controlplane.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sigma.model.AnswerKind;
import io.sigma.model.GatewayAnswer;
import io.sigma.model.GatewayState;
import io.sigma.model.GatewayWaiver;
import io.sigma.model.Refusal;
import io.sigma.snapshot.StateHash;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Waits for the answers of gateways. Against a clock that the test moves. */
final class GatewayAnswersTest extends GatewayRegistryContract {

    @Test
    void aWaitIsOverWhenEveryLiveGatewayHasAnswered() {
        hear("a", 4, null, false);
        hear("b", 4, null, false);
        Answers wait = registry.await(5);
        millis += 20;
        hear("a", 5, null, false);
        assertThat(wait.promise().future().isComplete()).isFalse();
        millis += 30;
        hear("b", 4, 5L, false);

        assertThat(result(wait))
                .extracting(GatewayAnswer::gatewayId, GatewayAnswer::answer, GatewayAnswer::millis)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("a", AnswerKind.ACK, 20L),
                        org.assertj.core.groups.Tuple.tuple("b", AnswerKind.NACK, 50L));
    }

    @Test
    void aRefusalOfAnOlderRevisionIsNoAnswer() {
        hear("a", 3, 4L, false);
        Answers wait = registry.await(5);

        assertThat(wait.promise().future().isComplete()).isFalse();
        registry.giveUp(wait);

        assertThat(result(wait)).singleElement().satisfies(answer -> {
            assertThat(answer.answer()).isEqualTo(AnswerKind.PENDING);
            assertThat(answer.millis()).isNull();
        });
    }

    @Test
    void aGatewayThatIsLostOrStopsIsNotWaitedForAndOneThatComesIs() {
        hear("lost", 4, null, false);
        Answers wait = registry.await(5);
        millis += 5_000;
        hear("stops", 4, null, false);
        hear("comes", 4, null, false);
        millis += 5_001;
        hear("stops", 4, null, true);
        registry.changed();
        assertThat(wait.promise().future().isComplete()).isFalse();

        hear("comes", 5, null, false);

        assertThat(result(wait)).extracting(GatewayAnswer::gatewayId).containsExactly("comes");
        // It is known and has not answered: nobody may say that everybody has.
        assertThat(registry.silent(5)).extracting(GatewayAnswer::gatewayId).containsExactly("lost");
    }

    private static final StateHash OTHER = StateHash.parse("0".repeat(63) + "1");

    @Test
    void theNumberOfARevisionWithAnotherHashIsNoAcknowledgement() {
        hear("same", 5, StateHash.EMPTY, null);
        hear("other", 5, OTHER, null);
        Answers wait = registry.await(5);
        assertThat(wait.promise().future().isComplete()).isFalse();
        registry.giveUp(wait);

        assertThat(result(wait))
                .extracting(GatewayAnswer::gatewayId, GatewayAnswer::answer)
                .containsExactly(tuple("other", AnswerKind.PENDING), tuple("same", AnswerKind.ACK));
        assertThat(state("other")).isEqualTo(GatewayState.OTHER_HISTORY);
        assertThat(state("same")).isEqualTo(GatewayState.CURRENT);
    }

    @Test
    void aNewerRevisionOfAnotherHistoryIsNoAcknowledgementEither() {
        newest = 7;
        hear("other", 6, OTHER, null);
        hear("ahead", 8, OTHER, null);
        Answers wait = registry.await(5);
        assertThat(wait.promise().future().isComplete()).isFalse();

        // Only now is it known what revision 8 is, and that what this gateway serves is not it.
        newest = 8;
        registry.changed();
        hear("other", 8, StateHash.EMPTY, null);
        registry.giveUp(wait);
        assertThat(result(wait))
                .extracting(GatewayAnswer::gatewayId, GatewayAnswer::answer)
                .containsExactly(tuple("ahead", AnswerKind.PENDING), tuple("other", AnswerKind.ACK));
    }

    @Test
    void aRevisionThatNoControlPlaneCanHaveMadeIsOfAnotherHistory() {
        newest = 7;
        hear("ahead", 7 + Histories.AHEAD_MAX, OTHER, null);
        hear("far", 8 + Histories.AHEAD_MAX, OTHER, null);
        hear("last", Long.MAX_VALUE, OTHER, null);

        assertThat(state("ahead")).isEqualTo(GatewayState.CURRENT);
        assertThat(state("far")).isEqualTo(GatewayState.OTHER_HISTORY);
        assertThat(state("last")).isEqualTo(GatewayState.OTHER_HISTORY);
    }

    @Test
    void aRefusalOfTheSameNumberInAnotherHistoryIsNoRefusal() {
        Refusal.Builder refusal =
                Refusal.builder().revision(5L).pointer("/routes/a").message("wrong");
        hear("old", 4, StateHash.EMPTY, refusal.stateHash(OTHER.hex()).build());
        assertThat(registry.refused(5, StateHash.EMPTY.hex())).isEmpty();

        hear("now", 4, StateHash.EMPTY, refusal.stateHash(StateHash.EMPTY.hex()).build());
        RefusedRevision refused = registry.refused(5, StateHash.EMPTY.hex()).orElseThrow();
        assertThat(refused.refusals()).containsOnlyKeys("now");
        assertThat(refused.good()).isEqualTo(4);
        assertThat(refused.served()).isFalse();
        assertThat(refused.isWaived()).isFalse();
    }

    @Test
    void aGatewayThatServesNothingOrIsWaivedHoldsUpNobody() {
        hear("new", 0, 5L, false);
        hear("broken", 4, 5L, false);
        hear("good", 5, null, false);
        RefusedRevision refused = registry.refused(5, StateHash.EMPTY.hex()).orElseThrow();
        assertThat(refused.refusals()).containsOnlyKeys("broken", "new");
        assertThat(refused.waived()).containsExactly("new");
        assertThat(refused.served()).isTrue();

        GatewayWaiver waiver = GatewayWaiver.builder()
                .gatewayId("broken")
                .waivedAt(Instant.EPOCH)
                .waivedBy("ann")
                .revision(5L)
                .build();
        registry.waive(Map.of("broken", waiver));

        assertThat(registry.refused(5, StateHash.EMPTY.hex()).orElseThrow().isWaived())
                .isTrue();
        assertThat(registry.gateway("broken").orElseThrow().waived()).isTrue();
        assertThat(registry.gateway("broken").orElseThrow().waiver()).isEqualTo(waiver);
        assertThat(registry.gateway("good").orElseThrow().waiver()).isNull();
    }

    @Test
    void withoutGatewaysThereIsNothingToWaitFor() {
        assertThat(result(registry.await(5))).isEmpty();
    }

    @Test
    void aQuorumIsEnoughOnceMoreThanHalfHaveAcknowledged() {
        for (String id : List.of("a", "b", "c", "d")) {
            hear(id, 5, null, false);
        }
        newest = 6;
        Answers wait = registry.await(6, Extent.QUORUM);
        hear("a", 6, null, false);
        hear("b", 6, null, false);
        assertThat(wait.promise().future().isComplete()).isFalse();

        hear("c", 6, null, false);

        assertThat(Extent.QUORUM.isReached(result(wait))).isTrue();
        assertThat(Extent.ALL.isReached(result(wait))).isFalse();
        assertThat(result(wait))
                .extracting(GatewayAnswer::answer)
                .containsExactly(AnswerKind.ACK, AnswerKind.ACK, AnswerKind.ACK, AnswerKind.PENDING);
    }

    @Test
    void aQuorumThatCannotBeReachedIsNotWaitedFor() {
        for (String id : List.of("a", "b", "c", "d")) {
            hear(id, 5, null, false);
        }
        newest = 6;
        Answers wait = registry.await(6, Extent.QUORUM);
        hear("a", 5, 6L, false);
        assertThat(wait.promise().future().isComplete()).isFalse();

        hear("b", 5, 6L, false);

        assertThat(Extent.QUORUM.isReached(result(wait))).isFalse();
    }

    @Test
    void timeThatPassesIsNoWorkForEachWaitOnEachGateway() {
        int gateways = 200;
        int writes = 50;
        for (int i = 0; i < gateways; i++) {
            hear("g" + i, 5, null, false);
        }
        List<Answers> waits = new ArrayList<>();
        for (int i = 0; i < writes; i++) {
            newest++;
            waits.add(registry.await(newest));
        }
        looks = 0;
        registry.changed();
        newest++;
        registry.changed();
        assertThat(looks).as("questions about a state").isLessThan(20 * gateways);

        millis += 5_000;
        for (int i = 1; i < gateways; i++) {
            hear("g" + i, newest, null, false);
        }
        assertThat(waits).noneMatch(wait -> wait.promise().future().isComplete());
        millis += 5_001;
        looks = 0;
        registry.changed();

        // The last one that they waited for is lost.
        assertThat(waits).allSatisfy(wait -> assertThat(result(wait)).hasSize(gateways - 1));
        assertThat(looks).as("questions about a state").isLessThan(5 * writes * gateways);
    }

    @Test
    void aGatewayThatIsForgottenIsNotWaitedFor() {
        hear("a", 4, null, false);
        millis += 5_000;
        hear("b", 5, null, false);
        Answers wait = registry.await(5);
        assertThat(wait.promise().future().isComplete()).isFalse();

        registry.forget(now().minusMillis(1));
        registry.changed();

        assertThat(result(wait)).extracting(GatewayAnswer::gatewayId).containsExactly("b");
    }

    @Test
    void aWaitKnowsWhatBecameKnownAfterTheGatewaySpoke() {
        hear("a", 6, null, false);
        Answers wait = registry.await(5);
        assertThat(wait.promise().future().isComplete()).isFalse();
        newest = 6;
        registry.changed();

        assertThat(result(wait)).extracting(GatewayAnswer::answer).containsExactly(AnswerKind.ACK);
    }
}
