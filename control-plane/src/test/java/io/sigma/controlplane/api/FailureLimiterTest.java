package io.sigma.controlplane.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class FailureLimiterTest {

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
    private final FailureLimiter limiter = new FailureLimiter(6, nanos::get);

    @Test
    void triesComeBackWithTime() {
        for (int i = 0; i < 6; i++) {
            assertThat(limiter.waitSeconds("a")).isZero();
            limiter.failed("a");
        }
        assertThat(limiter.waitSeconds("a")).isEqualTo(10);
        assertThat(limiter.waitSeconds("b")).as("another address").isZero();
        nanos.addAndGet(Duration.ofSeconds(4).toNanos());
        assertThat(limiter.waitSeconds("a")).isEqualTo(6);
        nanos.addAndGet(Duration.ofSeconds(6).toNanos());
        assertThat(limiter.waitSeconds("a")).isZero();
        limiter.failed("a");
        assertThat(limiter.waitSeconds("a")).isEqualTo(10);
    }

    @Test
    void theAddressSeenLongestAgoIsForgotten() {
        for (int i = 0; i < 6; i++) {
            limiter.failed("first");
        }
        for (int i = 0; i < 10_000; i++) {
            limiter.failed("address" + i);
        }
        assertThat(limiter.waitSeconds("first")).isZero();
        for (int i = 0; i < 5; i++) {
            limiter.failed("address9999");
        }
        assertThat(limiter.waitSeconds("address9999")).isPositive();
    }
}
