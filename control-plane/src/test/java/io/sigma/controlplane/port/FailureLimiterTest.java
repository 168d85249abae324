package io.sigma.controlplane.port;

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
    void whoComesWithManyKeysForgetsItsOwnAndBlocksNobody() {
        for (int i = 0; i < 6; i++) {
            limiter.failed("often");
        }
        for (int i = 0; i < 5 * FailureLimiter.KEYS_MAX; i++) {
            limiter.failed("once" + i);
        }
        assertThat(limiter.waitSeconds("often")).isPositive();
        assertThat(limiter.waitSeconds("never")).isZero();
        for (int i = 0; i < 6; i++) {
            limiter.failed("now");
        }
        assertThat(limiter.waitSeconds("now")).as("a new one is counted").isPositive();
    }

    @Test
    void whatIsForgivenDoesNotCount() {
        for (int i = 0; i < 20; i++) {
            limiter.failed("a");
            limiter.forgiven("a");
        }
        assertThat(limiter.failures("a")).isZero();
        limiter.failed("a");
        assertThat(limiter.failures("a")).isEqualTo(1);
    }
}
