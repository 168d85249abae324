package io.sigma.dataplane.filter.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class TokenBucketsTest {

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);

    private TokenBuckets buckets(int burst, int keysMax) {
        return new TokenBuckets(now::get, 100, burst, keysMax);
    }

    @Test
    void tokensComeBackOneByOne() {
        TokenBuckets buckets = buckets(2, 100);
        assertThat(buckets.take("a")).isEqualTo(new TokenBuckets.Decision(1, 100, 0));
        assertThat(buckets.take("a")).isEqualTo(new TokenBuckets.Decision(0, 200, 0));
        assertThat(buckets.take("a")).isEqualTo(new TokenBuckets.Decision(0, 200, 100));
        now.addAndGet(99);
        assertThat(buckets.take("a").granted()).isFalse();
        now.addAndGet(1);
        assertThat(buckets.take("a").granted()).isTrue();
        assertThat(buckets.take("a").granted()).isFalse();
        now.addAndGet(10_000);
        assertThat(buckets.take("a").remaining()).isEqualTo(1);
    }

    @Test
    void countsGoOnInOtherBuckets() {
        TokenBuckets before = buckets(2, 100);
        before.take("a");
        before.take("a");
        Map<Object, Long> counts = new HashMap<>();
        before.forEach(counts::put);
        now.addAndGet(5_000);
        TokenBuckets after = buckets(2, 100);
        counts.forEach(after::empty);
        assertThat(after.take("a")).isEqualTo(new TokenBuckets.Decision(0, 200, 100));
        assertThat(after.take("b").granted()).isTrue();
        // Whatever another process says, a bucket holds no less than nothing.
        after.empty("c", Long.MAX_VALUE);
        after.empty("c", -1);
        assertThat(after.take("c")).isEqualTo(new TokenBuckets.Decision(0, 200, 100));
    }

    @Test
    void keysAreBoundedAndWhatIsInUseIsKept() {
        TokenBuckets buckets = buckets(1, 100);
        assertThat(buckets.take("used").granted()).isTrue();
        for (int i = 0; i < 10_000; i++) {
            buckets.take(i);
            assertThat(buckets.take("used").granted()).isFalse();
            assertThat(buckets.size()).isLessThanOrEqualTo(100);
        }
    }

    @Test
    void threadsTogetherGetNoMoreThanThereIs() throws Exception {
        TokenBuckets buckets = buckets(1000, 100);
        AtomicInteger granted = new AtomicInteger();
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            for (int i = 0; i < 4; i++) {
                threads.execute(() -> {
                    for (int j = 0; j < 1000; j++) {
                        granted.addAndGet(buckets.take("a").granted() ? 1 : 0);
                    }
                });
            }
            threads.shutdown();
            assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(granted).hasValue(1000);
    }
}
