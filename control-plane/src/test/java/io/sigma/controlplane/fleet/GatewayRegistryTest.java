package io.sigma.controlplane.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sigma.model.AnswerKind;
import io.sigma.model.Gateway;
import io.sigma.model.GatewayAnswer;
import io.sigma.model.GatewayState;
import io.sigma.model.GatewayWaiver;
import io.sigma.model.Refusal;
import io.sigma.snapshot.GatewayStatus;
import io.sigma.snapshot.StateHash;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Against a clock that the test moves. */
class GatewayRegistryTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private long millis;
    private long newest = 5;
    private int looks;
    private final GatewayRegistry registry = new GatewayRegistry(
            histories(), Duration.ofSeconds(10), this::now, () -> TimeUnit.MILLISECONDS.toNanos(millis));

    /** Revisions up to the newest, each with the hash of the empty state. */
    private Histories histories() {
        return new Histories() {
            @Override
            public long newest() {
                return newest;
            }

            @Override
            public @Nullable StateHash hashOf(long revision) {
                looks++;
                return revision <= newest ? StateHash.EMPTY : null;
            }
        };
    }

    private Instant now() {
        return START.plusMillis(millis);
    }

    private void hear(String id, long revision, @Nullable Long refused, boolean stopping) {
        hear(id, "one", revision, refused, stopping, now());
    }

    private void hear(
            String id, String controlPlane, long revision, @Nullable Long refused, boolean stopping, Instant seen) {
        Refusal refusal = refused == null
                ? null
                : Refusal.builder()
                        .revision(refused)
                        .pointer("/routes/a")
                        .message("wrong")
                        .build();
        registry.update(new GatewayRow(
                new GatewayStatus(id, "host", "1", START, revision, StateHash.EMPTY.hex(), refusal, stopping),
                controlPlane,
                seen));
    }

    private GatewayState state(String id) {
        return registry.gateway(id).orElseThrow().state();
    }

    private static List<GatewayAnswer> result(Answers wait) {
        return wait.promise().future().result();
    }

    @Test
    void aStateFollowsFromWhatAGatewayServesRefusesAndWhenItSpoke() {
        hear("current", 5, null, false);
        hear("behind", 3, null, false);
        hear("refused", 3, 4L, false);
        hear("stopped", 5, null, true);

        assertThat(registry.gateways())
                .extracting(Gateway::id, Gateway::state, Gateway::lag)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("behind", GatewayState.BEHIND, 2L),
                        org.assertj.core.groups.Tuple.tuple("current", GatewayState.CURRENT, 0L),
                        org.assertj.core.groups.Tuple.tuple("refused", GatewayState.REFUSED, 2L),
                        org.assertj.core.groups.Tuple.tuple("stopped", GatewayState.LOST, 0L));
        millis += 10_001;
        assertThat(state("current")).isEqualTo(GatewayState.LOST);
    }

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

    private void hear(String id, long revision, StateHash hash, @Nullable Refusal refusal) {
        registry.update(new GatewayRow(
                new GatewayStatus(id, "host", "1", START, revision, hash.hex(), refusal, false), "one", now()));
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
    void aGatewayThatIsLostIsKnownUntilItSaysThatItStops() {
        hear("lost", 4, null, false);
        hear("stopped", 4, null, true);
        hear("has it", 5, null, false);
        millis += 10_001;
        hear("live", 5, null, false);

        assertThat(registry.silent(5))
                .extracting(GatewayAnswer::gatewayId, GatewayAnswer::answer)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("has it", AnswerKind.ACK),
                        org.assertj.core.groups.Tuple.tuple("lost", AnswerKind.PENDING));
    }

    @Test
    void gatewaysOfOthersAreNotLostWhileNobodyCouldTell() {
        GatewayRegistry sharing = new GatewayRegistry(
                histories(), Duration.ofSeconds(10), this::now, () -> TimeUnit.MILLISECONDS.toNanos(millis), "one");
        for (String controlPlane : List.of("one", "two")) {
            sharing.update(new GatewayRow(
                    new GatewayStatus("of " + controlPlane, "host", "1", START, 5, StateHash.EMPTY.hex(), null, false),
                    controlPlane,
                    now()));
        }
        sharing.sighted();
        millis += 10_001;
        assertThat(sharing.gateways())
                .extracting(Gateway::id, Gateway::state)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("of one", GatewayState.LOST),
                        org.assertj.core.groups.Tuple.tuple("of two", GatewayState.CURRENT));
        sharing.sighted();
        assertThat(sharing.gateway("of two").orElseThrow().state()).isEqualTo(GatewayState.LOST);
    }

    @Test
    void withoutGatewaysThereIsNothingToWaitFor() {
        assertThat(result(registry.await(5))).isEmpty();
    }

    @Test
    void aGatewayIsWhereItWasSeenLast() {
        hear("a", "two", 5, null, false, START.plusMillis(10));
        hear("a", "one", 3, null, false, START);
        assertThat(registry.gateway("a").orElseThrow().controlPlane()).isEqualTo("two");

        hear("a", "one", 3, null, false, START.plusMillis(20));

        assertThat(registry.gateway("a").orElseThrow().controlPlane()).isEqualTo("one");
    }

    @Test
    void whatOneControlPlaneSaysComesInOrderWhateverTheClockSays() {
        hear("a", "two", 3, null, false, START.plusMillis(10));
        hear("a", "two", 5, null, false, START);

        assertThat(registry.gateway("a").orElseThrow().revision()).isEqualTo(5);
    }

    @Test
    void listenersHearOfARevisionOrStateOnce() {
        List<String> heard = new ArrayList<>();
        registry.onChange(gateway -> heard.add(gateway.revision() + " " + gateway.state()));

        hear("a", 4, null, false);
        hear("a", 4, null, false);
        hear("a", 5, null, false);
        newest = 6;
        registry.changed();
        millis += 10_001;
        registry.changed();
        registry.changed();

        assertThat(heard).containsExactly("4 BEHIND", "5 CURRENT", "5 BEHIND", "5 LOST");
    }

    @Test
    void anErrorOfOneListenerKeepsNoOtherFromHearing() {
        List<String> heard = new ArrayList<>();
        registry.onChange(gateway -> {
            throw new StackOverflowError("on purpose");
        });
        registry.onChange(gateway -> heard.add(gateway.id()));

        hear("a", 4, null, false);

        assertThat(heard).containsExactly("a");
    }

    /** Else it would be waited for until the clock has caught up. */
    @Test
    void aGatewayThatWasSeenBeforeTheClockWentBackIsLostInTime() {
        millis = 3_600_000;
        hear("a", 5, null, false);
        millis = 0;
        registry.changed();
        assertThat(state("a")).isEqualTo(GatewayState.CURRENT);
        millis += 10_001;
        registry.changed();
        assertThat(state("a")).isEqualTo(GatewayState.LOST);
    }

    @Test
    void thoseUnseenForLongAreForgotten() {
        hear("a", 5, null, false);
        millis += 60_000;
        hear("b", 5, null, false);

        registry.forget(now().minusMillis(1));

        assertThat(registry.gateways()).extracting(Gateway::id).containsExactly("b");
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
    void aGatewayThatSpeaksIsLookedAtAlone() {
        int gateways = 2_000;
        for (int i = 0; i < gateways; i++) {
            hear("g" + i, 5, null, false);
        }
        newest = 6;
        Answers wait = registry.await(6);
        looks = 0;
        for (int i = 0; i < gateways; i++) {
            assertThat(wait.promise().future().isComplete()).isFalse();
            hear("g" + i, 6, null, false);
        }
        assertThat(result(wait)).hasSize(gateways).allMatch(answer -> answer.answer() == AnswerKind.ACK);
        assertThat(looks).as("questions about a state").isLessThan(20 * gateways);
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
