package io.sigma.controlplane.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class FailureLimiterTest {

    private final AtomicLong nanos = new AtomicLong();
    private final FailureLimiter limiter = new FailureLimiter(2, 3, nanos::get);

    @Test
    void anAddressIsBlockedForTheRestOfTheMinute() {
        limiter.failed("a");
        assertThat(limiter.isBlocked("a")).isFalse();
        limiter.failed("a");

        assertThat(limiter.isBlocked("a")).isTrue();
        assertThat(limiter.isBlocked("b")).isFalse();
        nanos.addAndGet(TimeUnit.MINUTES.toNanos(1));
        assertThat(limiter.isBlocked("a")).isFalse();
    }

    @Test
    void manyAddressesTogetherAreBlockedToo() {
        limiter.failed("a");
        limiter.failed("b");
        limiter.failed("c");

        assertThat(limiter.isBlocked("d")).isTrue();
    }
}
