package io.sigma.dataplane.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

final class DeadlinesTest {

    private final ArrayDeque<Runnable> ticks = new ArrayDeque<>();
    private final ArrayDeque<Runnable> afterInput = new ArrayDeque<>();
    private final List<Long> waits = new ArrayList<>();
    private final Loop.Scheduler scheduler = new Loop.Scheduler() {
        @Override
        public void execute(Runnable task) {
            task.run();
        }

        @Override
        public void afterInput(Runnable task) {
            afterInput.add(task);
        }

        @Override
        public void schedule(Runnable task, long millis) {
            ticks.add(task);
            waits.add(millis);
        }
    };
    private final Deadlines deadlines = new Deadlines(scheduler, System::nanoTime, 1);
    private final List<String> fired = new ArrayList<>();

    private final class Named extends Deadlines.Entry {
        private final String name;
        private Runnable action = () -> {};

        private Named(String name) {
            this.name = name;
        }

        @Override
        protected void onDeadline() {
            fired.add(name);
            action.run();
        }

        @Override
        protected void onDeadlineFailed() {
            fired.add(name + " failed");
        }
    }

    private void tickAfter(long millis) {
        LockSupport.parkNanos(millis * 1_000_000);
        runNext(ticks);
        runNext(afterInput);
    }

    private static void runNext(ArrayDeque<Runnable> tasks) {
        Runnable next = tasks.poll();
        if (next != null) {
            next.run();
        }
    }

    @Test
    void deadlineFiresOnceAndMovesWhenItIsSetAgain() {
        Named soon = new Named("soon");
        Named late = new Named("late");
        deadlines.set(soon, 5);
        deadlines.set(late, 60_000);
        deadlines.set(soon, 1);
        tickAfter(10);
        tickAfter(10);
        assertThat(fired).containsExactly("soon");
    }

    @Test
    void nothingTicksWhenNothingIsListed() {
        Named entry = new Named("entry");
        deadlines.set(entry, 1);
        assertThat(ticks).hasSize(1);
        deadlines.remove(entry);
        tickAfter(5);
        assertThat(ticks).isEmpty();
        assertThat(fired).isEmpty();
        deadlines.set(entry, 1);
        tickAfter(5);
        assertThat(fired).containsExactly("entry");
    }

    @Test
    void handlerMayRemoveAnyEntry() {
        List<Named> entries = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            Named entry = new Named("e" + i);
            entry.action = () -> entries.forEach(deadlines::remove);
            entries.add(entry);
            deadlines.set(entry, 1);
        }
        tickAfter(5);
        assertThat(fired).hasSize(1);
        assertThat(ticks).isEmpty();
    }

    @Test
    void deadlineThatFailsKeepsNoOtherFromBeingNoticed() {
        Named last = new Named("last");
        Named failing = new Named("failing");
        failing.action = () -> {
            throw new IllegalStateException("cannot");
        };
        deadlines.set(last, 1);
        deadlines.set(failing, 1);
        tickAfter(5);
        assertThat(fired).containsExactly("failing", "failing failed", "last");
        deadlines.set(last, 1);
        tickAfter(5);
        assertThat(fired).endsWith("last").hasSize(4);
    }

    @Test
    void deadlineThatIsMovedWhileTheSocketsAreReadDoesNotFire() {
        Named moved = new Named("moved");
        Named paused = new Named("paused");
        Named removed = new Named("removed");
        Named kept = new Named("kept");
        for (Named entry : List.of(moved, paused, removed, kept)) {
            deadlines.set(entry, 1);
        }
        LockSupport.parkNanos(5_000_000);
        runNext(ticks);
        assertThat(fired).isEmpty();
        assertThat(ticks).isEmpty();
        deadlines.set(moved, 60_000);
        deadlines.pause(paused);
        deadlines.remove(removed);
        runNext(afterInput);
        assertThat(fired).containsExactly("kept");
        assertThat(ticks).hasSize(1);
    }

    @Test
    void pausedDeadlineDoesNotFire() {
        Named entry = new Named("entry");
        deadlines.set(entry, 1);
        deadlines.pause(entry);
        tickAfter(5);
        assertThat(fired).isEmpty();
        assertThat(ticks).hasSize(1);
    }

    @Test
    void farDeadlinesWakeTheLoopOnceASecond() {
        for (int i = 0; i < 100; i++) {
            Named entry = new Named("far" + i);
            deadlines.set(entry, 60_000);
            deadlines.pause(entry);
            deadlines.set(entry, 30_000);
        }
        assertThat(waits).containsExactly(1_000L);
        tickAfter(0);
        assertThat(waits).containsExactly(1_000L, 1_000L);
    }

    @Test
    void nearDeadlineIsLookedAtWhenItIsDue() {
        deadlines.set(new Named("far"), 60_000);
        deadlines.set(new Named("near"), 500);
        deadlines.set(new Named("behind"), 510);
        deadlines.set(new Named("nearest"), 1);
        assertThat(waits).containsExactly(1_000L, 500L, 1L);
    }

    @Test
    void looksThatANearerOneWentBeforeAreFew() {
        Named far = new Named("far");
        for (int i = 0; i < 1_000; i++) {
            deadlines.set(far, 60_000);
            Named near = new Named("near");
            deadlines.set(near, 1_000 - i);
            deadlines.remove(near);
        }
        assertThat(ticks).hasSizeLessThanOrEqualTo(1_000);
        int looks = ticks.size();
        for (int i = 0; i < looks; i++) {
            tickAfter(0);
        }
        assertThat(ticks).hasSizeLessThanOrEqualTo(2);
    }

    @Test
    void timeInWhichTheLoopStoodStillCountsForNoDeadline() {
        long[] millis = new long[1];
        Deadlines stalled = new Deadlines(scheduler, () -> millis[0] * 1_000_000, 20);
        stalled.set(new Named("before"), 60_000);
        millis[0] += 70_000;
        for (int seconds = 0; seconds < 59; seconds++) {
            runNext(ticks);
            assertThat(afterInput).as("second %d", seconds).isEmpty();
            millis[0] += 1_000;
        }
        for (int seconds = 59; seconds < 61; seconds++) {
            millis[0] += 1_000;
            runNext(ticks);
            runNext(afterInput);
        }
        assertThat(fired).containsExactly("before");
    }

    @Test
    void busyLoopIsNotOneThatStandsStill() {
        long[] millis = new long[1];
        Deadlines busy = new Deadlines(scheduler, () -> millis[0] * 1_000_000, 20);
        busy.set(new Named("entry"), 3_000);
        for (int turn = 0; turn < 3; turn++) {
            millis[0] += 1_200;
            runNext(ticks);
            runNext(afterInput);
        }
        assertThat(fired).containsExactly("entry");
    }
}
