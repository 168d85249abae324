package io.sigma.dataplane.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class LogRingTest {

    private static AccessRecord numbered(long number) {
        return new AccessRecord(
                number,
                "web",
                null,
                null,
                null,
                null,
                null,
                "HTTP/1.1",
                "GET",
                "a",
                "/",
                200,
                1,
                0,
                0,
                0,
                0,
                0,
                "::1",
                1,
                "::1",
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                LogTarget.DEFAULT);
    }

    @Test
    void fullRingTakesNoMore() {
        LogRing ring = new LogRing(4);
        for (int i = 0; i < 4; i++) {
            assertThat(ring.offer(numbered(i))).isTrue();
        }
        assertThat(ring.offer(numbered(4))).isFalse();
        AccessRecord first = ring.poll();
        assertThat(first).isNotNull();
        assertThat(first.epochMillis()).isZero();
        assertThat(ring.offer(numbered(4))).isTrue();
    }

    @Test
    void recordsArriveInOrderAndOnceBetweenTwoThreads() throws Exception {
        LogRing ring = new LogRing(64);
        long count = 200_000;
        AtomicLong shed = new AtomicLong();
        Thread producer = Thread.ofPlatform().start(() -> {
            for (long i = 0; i < count; i++) {
                while (!ring.offer(numbered(i))) {
                    shed.incrementAndGet();
                    Thread.onSpinWait();
                }
            }
        });
        for (long i = 0; i < count; i++) {
            AccessRecord next = ring.poll();
            while (next == null) {
                Thread.onSpinWait();
                next = ring.poll();
            }
            assertThat(next.epochMillis()).isEqualTo(i);
        }
        producer.join();
        assertThat(ring.poll()).isNull();
    }
}
