package io.sigma.controlplane.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.snapshot.TrafficEntry;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class SlotShareTest {

    private static final TrafficEntry ENTRY = new TrafficEntry(
            TrafficEntry.Kind.ROUTE,
            "r",
            List.of(1L, 0L, 13L, 1L, 1L, 4L),
            1001,
            7,
            List.of(1, 1, 2, 1, 3, 1, 5, 1, 8, 16));

    private static long requests(TrafficEntry entry) {
        return entry.statuses().stream().mapToLong(Long::longValue).sum();
    }

    private static long timed(TrafficEntry entry) {
        long sum = 0;
        for (int i = 1; i < entry.durations().size(); i += 2) {
            sum += entry.durations().get(i);
        }
        return sum;
    }

    @Test
    void aSpanThatFillsASlotIsAllOfIt() {
        List<SlotShare> shares = SlotShare.of(105_000, 5);
        assertThat(shares).containsExactly(new SlotShare(100, 0, 1));
        assertThat(shares.getFirst().of(ENTRY)).isEqualTo(ENTRY);
    }

    @Test
    void whatOverlapsTwoSlotsIsSharedByTimeAndLosesNothing() {
        for (long end = 105_000; end < 110_000; end += 37) {
            List<TrafficEntry> parts = SlotShare.of(end, 5).stream()
                    .map(share -> share.of(ENTRY))
                    .filter(Objects::nonNull)
                    .toList();
            assertThat(parts.stream().mapToLong(SlotShareTest::requests).sum()).isEqualTo(20);
            assertThat(parts.stream().mapToLong(TrafficEntry::bytesIn).sum()).isEqualTo(1001);
            assertThat(parts).allSatisfy(part -> {
                assertThat(part.statuses()).allMatch(count -> count >= 0);
                assertThat(timed(part)).isEqualTo(requests(part));
            });
        }
        assertThat(SlotShare.of(107_500, 5)).containsExactly(new SlotShare(100, 0, 0.5), new SlotShare(105, 0.5, 1));
        assertThat(requests(Objects.requireNonNull(
                        SlotShare.of(107_500, 5).getFirst().of(ENTRY))))
                .isEqualTo(10);
    }

    @Test
    void aSlotOfAMinuteTakesWhatIsInIt() {
        assertThat(SlotShare.of(121_000, 60)).containsExactly(new SlotShare(60, 0, 0.8), new SlotShare(120, 0.8, 1));
        assertThat(SlotShare.of(119_000, 60)).containsExactly(new SlotShare(60, 0, 1));
    }
}
