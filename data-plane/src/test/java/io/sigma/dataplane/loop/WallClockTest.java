package io.sigma.dataplane.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

final class WallClockTest {

    private final AtomicReference<Instant> instant = new AtomicReference<>(Instant.ofEpochSecond(100, 999_999));

    @Test
    void timeIsThatOfTheDay() {
        WallClock clock = new WallClock(instant::get);
        assertThat(clock.epochMillis(5_000_000, 5_000_000)).isEqualTo(100_000);
        assertThat(clock.epochMillis(5_000_000, 5_000_001)).isEqualTo(100_000);
        assertThat(clock.epochMillis(5_000_001, 5_000_001)).isEqualTo(100_001);
        assertThat(clock.epochMillis(4_000_000, 6_000_000)).isEqualTo(99_999);
    }

    @Test
    void clockThatWasSetIsFollowed() {
        WallClock clock = new WallClock(instant::get);
        assertThat(clock.epochMillis(0, 0)).isEqualTo(100_000);
        instant.set(Instant.ofEpochSecond(50));
        long later = TimeUnit.MILLISECONDS.toNanos(101);
        assertThat(clock.epochMillis(later, later)).isEqualTo(50_000);
    }
}
