package io.sigma.controlplane.api.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class DueSlotsTest {

    private static final long START = 1_700_000_000L;

    private final DueSlots slots = new DueSlots();

    private List<Long> tell(long now) {
        DueSlots.Span due = slots.at(now);
        if (due.isEmpty()) {
            return List.of();
        }
        slots.told(due);
        return LongStream.iterate(due.from(), at -> at < due.to(), at -> at + 5)
                .boxed()
                .toList();
    }

    private List<Long> hour(LongUnaryOperator nowMillis) {
        List<Long> told = new ArrayList<>();
        for (long tick = 0; tick < 720; tick++) {
            told.addAll(tell(Math.floorDiv(nowMillis.applyAsLong(tick), 1000)));
        }
        return told;
    }

    private static void assertNoGap(List<Long> told) {
        assertThat(told.size()).isBetween(718, 721);
        for (int i = 1; i < told.size(); i++) {
            assertThat(told.get(i) - told.get(i - 1)).as("slot %s", i).isEqualTo(5);
        }
    }

    @Test
    void aTimerAtTheEdgeOfSlotsThatComesEarlyAndLateLeavesNoneOut() {
        Random random = new Random(1);
        assertNoGap(hour(tick -> (START + tick * 5) * 1000 + random.nextLong(-40, 40)));
    }

    @Test
    void aTimerThatDriftsLeavesNoneOut() {
        assertNoGap(hour(tick -> START * 1000 + tick * 5_007));
    }

    @Test
    void aTimerThatWasHeldUpCatchesUp() {
        // Half a minute without a tick, and then the ticks that were missed at once.
        assertNoGap(hour(tick -> (START + (tick >= 300 && tick < 306 ? 306 : tick) * 5) * 1000));
    }

    @Test
    void aClockThatIsSetForwardDoesNotTellAnHour() {
        tell(START);
        assertThat(tell(START + 3_600)).hasSize(12).endsWith(START + 3_600 - 20);
    }

    @Test
    void aClockThatIsSetBackGoesOnAtOnce() {
        tell(START);
        assertThat(tell(START - 600)).containsExactly(START - 620);
        assertThat(tell(START - 595)).containsExactly(START - 615);
    }

    @Test
    void whatWasNotToldIsToldTheNextTime() {
        tell(START);
        // The database was away.
        assertThat(slots.at(START + 5)).isEqualTo(new DueSlots.Span(START - 15, START - 10));
        assertThat(tell(START + 10)).containsExactly(START - 15, START - 10);
    }
}
