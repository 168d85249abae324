package io.sigma.dataplane.engine.body;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.loop.Deadlines;
import io.sigma.dataplane.loop.Loop;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The least rate of a body, by a clock of the test. */
final class BodyRateTest implements BodyRate.Watcher {

    private static final int PERIOD_MILLIS = 60_000;
    private static final int BYTES_PER_SECOND = 240;

    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private final List<String> events = new ArrayList<>();
    private long nanos;
    private boolean mayPause = true;
    private final Deadlines deadlines = new Deadlines(
            new Loop.Scheduler() {
                @Override
                public void execute(Runnable task) {
                    tasks.add(task);
                }

                @Override
                public void afterInput(Runnable task) {
                    tasks.add(task);
                }

                @Override
                public void schedule(Runnable task, long millis) {
                    tasks.add(task);
                }
            },
            () -> nanos,
            1);
    private BodyRate rate = new BodyRate(deadlines, PERIOD_MILLIS, BYTES_PER_SECOND, this);

    @Override
    public boolean mayPause() {
        events.add("asked");
        return mayPause;
    }

    @Override
    public void onPauseEnd() {
        events.add("ended");
    }

    @Override
    public void onSlow() {
        events.add("slow");
    }

    /** Lets so many seconds pass, in each of which so many octets come. */
    private void seconds(int seconds, int octets) {
        for (int i = 0; i < seconds; i++) {
            if (octets > 0) {
                rate.received(octets);
            }
            nanos += TimeUnit.SECONDS.toNanos(1);
            // The tick that notices a deadline, and what follows when the sockets were read.
            for (int round = 0; round < 3; round++) {
                for (int left = tasks.size(); left > 0; left--) {
                    tasks.remove().run();
                }
            }
        }
    }

    @Test
    void bodyAtItsRateIsAskedNothing() {
        rate.start();
        seconds(150, BYTES_PER_SECOND);
        assertThat(events).isNotEmpty().containsOnly("ended");
    }

    @Test
    void bodyThatMayPauseHasItsRateOnAverage() {
        rate.start();
        seconds(1, BYTES_PER_SECOND * 60);
        seconds(58, 0);
        assertThat(events).contains("asked").doesNotContain("slow");
        seconds(50, 0);
        assertThat(events).doesNotContain("slow");
        seconds(12, 0);
        assertThat(events).containsOnlyOnce("slow").endsWith("ended", "slow");
    }

    @Test
    void bodyThatMayNotPauseHasItsRateInEachStep() {
        mayPause = false;
        rate.start();
        seconds(4, BYTES_PER_SECOND * 100);
        seconds(2, 0);
        assertThat(events).doesNotContain("slow");
        seconds(5, 0);
        assertThat(events).containsOnlyOnce("slow");
        seconds(60, 0);
        assertThat(events).containsOnlyOnce("slow");
    }

    @Test
    void shorterPeriodOfTheConfigurationHolds() {
        rate = new BodyRate(deadlines, 2_000, BYTES_PER_SECOND, this);
        rate.start();
        seconds(3, 1);
        assertThat(events).containsExactly("ended", "slow");
    }

    @Test
    void pauseEndsWhenTheClientIsNotWaitedFor() {
        rate.start();
        seconds(6, 0);
        rate.stop();
        seconds(120, 0);
        assertThat(events).containsExactly("asked", "ended");
    }
}
