package io.sigma.controlplane.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.model.AnswerKind;
import io.sigma.model.Gateway;
import io.sigma.model.GatewayAnswer;
import io.sigma.model.GatewayState;
import io.sigma.snapshot.GatewayStatus;
import io.sigma.snapshot.StateHash;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The registry's state of gateways, by a clock that the test moves. */
final class GatewayRegistryTest extends GatewayRegistryContract {

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
    void gatewayTakesThePlaceOfTheOneThatWasLostFirst() {
        hear("first", 5, null, false);
        millis = 1;
        hear("second", 5, null, false);
        millis = 11_000;
        for (int i = 2; i < GatewayRegistry.GATEWAYS_MAX; i++) {
            hear("g" + i, 5, null, false);
        }
        hear("new", 5, null, false);
        assertThat(registry.gateway("new")).isPresent();
        assertThat(registry.gateway("first")).isEmpty();
        assertThat(registry.gateway("second")).isPresent();
        hear("newer", 5, null, false);
        hear("newest", 5, null, false);
        assertThat(registry.gateway("newer")).isPresent();
        assertThat(registry.gateway("newest")).as("nobody is lost").isEmpty();
    }
}
