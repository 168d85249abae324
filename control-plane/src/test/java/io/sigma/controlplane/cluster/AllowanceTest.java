package io.sigma.controlplane.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class AllowanceTest {

    private final Allowance allowance = new Allowance(0);

    @Test
    void messagesAreBoundedAndComeBackWithTime() {
        for (int i = 0; i < Allowance.MESSAGES_MAX; i++) {
            assertThat(allowance.take(10, 0)).isTrue();
        }
        assertThat(allowance.take(10, 0)).isFalse();
        long second = TimeUnit.SECONDS.toNanos(1);
        int taken = 0;
        while (allowance.take(10, second)) {
            taken++;
        }
        assertThat(taken).isEqualTo(Allowance.MESSAGES_PER_SECOND);
        assertThat(allowance.isFull(second)).isFalse();
        assertThat(allowance.isFull(100 * second)).isTrue();
    }

    @Test
    void whatTheyHoldIsBoundedToo() {
        int length = 32 * 1024;
        int taken = 0;
        while (allowance.take(length, 0)) {
            taken++;
        }
        assertThat(taken * (long) length).isLessThanOrEqualTo(Allowance.CHARS_MAX);
    }
}
