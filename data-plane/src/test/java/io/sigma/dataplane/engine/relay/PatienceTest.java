package io.sigma.dataplane.engine.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.loop.Deadlines;
import io.sigma.dataplane.loop.Loop;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** From when on a client is slow. The clock is that of the test. */
final class PatienceTest {

    private static final int TICK_MILLIS = 20;

    private final Deque<Runnable> ticks = new ArrayDeque<>();

    private final Deadlines deadlines = new Deadlines(
            new Loop.Scheduler() {
                @Override
                public void execute(Runnable task) {
                    task.run();
                }

                @Override
                public void schedule(Runnable task, long millis) {
                    ticks.add(task);
                }
            },
            this::nanos,
            TICK_MILLIS);

    private final Patience patience = new Patience(
            new Patience.Reader() {
                @Override
                public long taken() {
                    return taken;
                }

                @Override
                public void onSlow() {
                    slow = true;
                }
            },
            deadlines,
            this::nanos);

    private long millis;
    private long taken;
    private boolean slow;

    private long nanos() {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }

    private void pass(int passing) {
        for (int i = 0; i < passing; i++) {
            millis++;
            if (millis % TICK_MILLIS == 0) {
                for (int due = ticks.size(); due > 0; due--) {
                    ticks.remove().run();
                }
            }
        }
    }

    @Test
    void clientThatTakesNothingIsSlowAfterAWhile() {
        assertThat(patience.grants()).isTrue();
        pass(60);
        assertThat(slow).isFalse();
        pass(100);
        assertThat(slow).isTrue();
        assertThat(patience.grants()).isFalse();
    }

    @Test
    void waitsOfAResponseAreAddedUp() {
        for (int i = 0; i < 10; i++) {
            assertThat(patience.grants()).isTrue();
            pass(11);
            patience.pause();
            taken += 1_000;
            pass(500);
        }
        assertThat(patience.grants()).isFalse();
    }

    @Test
    void clientThatTakesMuchIsNeverSlow() {
        for (int i = 0; i < 1_000; i++) {
            assertThat(patience.grants()).isTrue();
            pass(5);
            patience.pause();
            taken += 100_000;
        }
        // It takes as much within one long wait.
        assertThat(patience.grants()).isTrue();
        for (int i = 0; i < 1_000; i++) {
            taken += 100_000;
            pass(5);
        }
        assertThat(slow).isFalse();
    }

    @Test
    void nextResponseBeginsAnew() {
        assertThat(patience.grants()).isTrue();
        pass(200);
        assertThat(patience.grants()).isFalse();
        patience.stop();
        assertThat(patience.grants()).isTrue();
    }
}
