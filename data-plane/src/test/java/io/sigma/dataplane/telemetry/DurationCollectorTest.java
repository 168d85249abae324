package io.sigma.dataplane.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class DurationCollectorTest {

    private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

    private final AtomicLong now = new AtomicLong(-5);

    private LoopDurations loop() {
        return new LoopDurations(new long[] {10, 20}, now.get());
    }

    @Test
    void textIsThatOfATimerOfMicrometer() {
        Duration[] buckets = {Duration.ofMillis(1), Duration.ofMillis(25), Duration.ofSeconds(1), Duration.ofSeconds(60)
        };
        PrometheusMeterRegistry expected = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        PrometheusMeterRegistry actual = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        long[] bounds = {1_000_000, 25_000_000, 1_000_000_000, 60_000_000_000L};
        DurationCollector collector = new DurationCollector(bounds, 2, System::nanoTime);
        actual.getPrometheusRegistry().register(collector);
        assertThat(actual.scrape()).isEqualTo(expected.scrape());
        Random random = new Random(3);
        for (String server : new String[] {"web", "a\"b\\c", "tls"}) {
            Timer timer = Timer.builder("sigma.request.duration")
                    .description("From the head of the request to the end of the response.")
                    .tags("proxy_server", server)
                    .serviceLevelObjectives(buckets)
                    .register(expected);
            LoopDurations[] loops = collector.of(server);
            assertThat(actual.scrape()).isEqualTo(expected.scrape());
            for (int i = 0; i < 1_000; i++) {
                long nanos = i < bounds.length ? bounds[i] : random.nextLong(1L << (1 + random.nextInt(37)));
                timer.record(nanos, TimeUnit.NANOSECONDS);
                loops[i % 2].add(nanos, System.nanoTime());
            }
            assertThat(actual.scrape()).isEqualTo(expected.scrape());
        }
    }

    @Test
    void longestIsForgottenAfterThreeMinutesAtMost() {
        LoopDurations loop = loop();
        loop.add(30, now.get());
        assertThat(loop.max(now.addAndGet(MINUTE))).isEqualTo(30);
        assertThat(loop.max(now.addAndGet(MINUTE))).isEqualTo(30);
        assertThat(loop.max(now.addAndGet(MINUTE))).isZero();
        loop.add(20, now.get());
        loop.add(10, now.addAndGet(MINUTE));
        assertThat(loop.max(now.get())).isEqualTo(20);
        loop.add(5, now.addAndGet(MINUTE));
        assertThat(loop.max(now.get())).isEqualTo(20);
        loop.add(6, now.addAndGet(MINUTE));
        assertThat(loop.max(now.get())).isEqualTo(10);
        loop.add(1, now.addAndGet(2 * MINUTE));
        assertThat(loop.max(now.get())).isEqualTo(6);
        loop.add(2, now.addAndGet(10 * MINUTE));
        assertThat(loop.max(now.get())).isEqualTo(2);
    }

    @Test
    void durationBelongsToTheFirstBucketThatIsNotBelowIt() {
        LoopDurations loop = loop();
        for (long nanos : new long[] {0, 10, 11, 20, 21, 1_000}) {
            loop.add(nanos, now.get());
        }
        assertThat(new long[] {loop.count(0), loop.count(1), loop.count(2)}).containsExactly(2, 2, 2);
        assertThat(loop.sum()).isEqualTo(1_062);
    }
}
