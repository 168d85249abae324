package io.sigma.dataplane.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class LogQueueTest {

    private static final LogTarget FILE = new LogTarget(null, "a", 1, 1);

    private static boolean offer(LogQueue queue, LogTarget target, int number, int length) {
        byte[] line = new byte[length];
        for (int shift = 0; shift < 32; shift += 8) {
            line[shift / 8] = (byte) (number >>> shift);
        }
        return queue.offer(target, line, length);
    }

    @Test
    void queueTakesNoMoreThanItsLinesUntilSomeAreWritten() {
        AtomicInteger woken = new AtomicInteger();
        LogQueue queue = new LogQueue(8, woken::incrementAndGet);
        for (int i = 0; i < 8; i++) {
            assertThat(woken).hasValue(i < 4 ? 0 : 1);
            assertThat(offer(queue, LogTarget.DEFAULT, i, 4)).isTrue();
        }
        assertThat(offer(queue, LogTarget.DEFAULT, 8, 4)).isFalse();
        List<Integer> lengths = new ArrayList<>();
        queue.drain((target, lines) -> lengths.add(lines.remaining()));
        assertThat(queue.isHalfFull()).isFalse();
        assertThat(lengths).containsExactly(32);
        assertThat(offer(queue, LogTarget.DEFAULT, 8, 4)).isTrue();
    }

    @Test
    void queueTakesNoMoreThanItsBlocksWhateverTheLinesAndWakesTheWriterWithEverySecond() {
        AtomicInteger woken = new AtomicInteger();
        LogQueue queue = new LogQueue(1_000, woken::incrementAndGet);
        int taken = 0;
        while (offer(queue, LogTarget.DEFAULT, taken, 50_000)) {
            taken++;
            assertThat(woken).hasValue(taken / 2);
        }
        assertThat(taken).isEqualTo(8);
        List<Integer> lengths = new ArrayList<>();
        assertThat(queue.isHalfFull()).isTrue();
        queue.drain((target, lines) -> lengths.add(lines.remaining()));
        assertThat(queue.isHalfFull()).isFalse();
        assertThat(lengths).hasSize(8).containsOnly(50_000);
        assertThat(offer(queue, LogTarget.DEFAULT, taken, 50_000)).isTrue();
    }

    @Test
    void lineThatFitsInNoBlockCountsAsManyAndIsTakenByAnEmptyQueueAtLeast() {
        LogQueue queue = new LogQueue(1_000, () -> {});
        int length = 3 * LogBlock.BYTES;
        assertThat(offer(queue, LogTarget.DEFAULT, 0, 10 * length)).isTrue();
        assertThat(offer(queue, LogTarget.DEFAULT, 1, 4)).isFalse();
        queue.drain((target, lines) -> assertThat(lines.remaining()).isEqualTo(10 * length));
        assertThat(offer(queue, LogTarget.DEFAULT, 1, length)).isTrue();
        assertThat(offer(queue, LogTarget.DEFAULT, 2, length)).isTrue();
        assertThat(offer(queue, LogTarget.DEFAULT, 3, length)).isFalse();
        assertThat(offer(queue, LogTarget.DEFAULT, 3, 4)).isTrue();
    }

    @Test
    void linesOfTwoFilesByTurnsStayApart() {
        LogQueue queue = new LogQueue(10_000, () -> {});
        for (int i = 0; i < 1_000; i++) {
            assertThat(offer(queue, i % 2 == 0 ? LogTarget.DEFAULT : FILE, i, 8))
                    .isTrue();
        }
        List<@Nullable String> files = new ArrayList<>();
        List<Integer> numbers = new ArrayList<>();
        queue.drain((target, lines) -> {
            files.add(target.file());
            numbers.add(Integer.reverseBytes(lines.getInt()));
        });
        assertThat(numbers).hasSize(1_000).isSorted();
        for (int i = 0; i < files.size(); i++) {
            assertThat(files.get(i)).isEqualTo(i % 2 == 0 ? null : FILE.file());
        }
    }

    @Test
    void linesArriveInOrderAndOnceBetweenTwoThreads() throws Exception {
        LogQueue queue = new LogQueue(2_000, () -> {});
        int count = 500_000;
        Thread loop = Thread.ofPlatform().start(() -> {
            for (int i = 0; i < count; i++) {
                while (!offer(queue, i % 5_000 < 100 && i % 3 == 0 ? FILE : LogTarget.DEFAULT, i, 8 + i % 7 * 100)) {
                    Thread.onSpinWait();
                }
            }
        });
        AtomicInteger next = new AtomicInteger();
        while (next.get() < count) {
            queue.drain((target, lines) -> {
                while (lines.hasRemaining()) {
                    int number = Integer.reverseBytes(lines.getInt(lines.position()));
                    assertThat(number).isEqualTo(next.getAndIncrement());
                    assertThat(target.file() != null).isEqualTo(number % 5_000 < 100 && number % 3 == 0);
                    lines.position(lines.position() + 8 + number % 7 * 100);
                }
            });
        }
        loop.join();
        queue.drain((target, lines) -> {
            throw new AssertionError("nothing is left");
        });
    }
}
