package io.sigma.dataplane.engine.uring;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * A timer whose event loop reads its sockets once more before the timer takes effect: a loop that was busy may notice
 * that the time is over before it notices what arrived in time. For every transport. Confined to the event loop.
 */
public final class LateTimer implements Runnable {

    /**
     * The largest number of times that an io_uring loop runs its tasks within one look at its sockets, when the ring is
     * full of events.
     */
    private static final int TURNS_MAX = TunedIoUring.COMPLETIONS / (RingEvents.BATCH * RingEvents.BATCHES_MAX) + 1;

    private final EventExecutor loop;
    private final Runnable task;
    private Future<?> next;
    private int turns;

    @SuppressWarnings("this-escape") // Its loop runs it later.
    private LateTimer(EventExecutor loop, Runnable task, long millis) {
        this.loop = loop;
        this.task = task;
        this.next = loop.schedule(this, millis, TimeUnit.MILLISECONDS);
    }

    /**
     * Has {@code task} run after {@code millis} and a look at the sockets.
     *
     * @param loop the one that calls
     */
    public static LateTimer start(EventExecutor loop, long millis, Runnable task) {
        return new LateTimer(loop, task, millis);
    }

    /**
     * Has {@code task} run after the next look at all sockets.
     *
     * @param loop the one that calls
     */
    public static void afterInput(EventExecutor loop, Runnable task) {
        LateTimer timer = new LateTimer(loop, task, 0);
        timer.turns = 1;
    }

    /** Keeps the task from running. */
    public void cancel() {
        next.cancel(false);
    }

    @Override
    public void run() {
        if (turns == 0 || (turns < TURNS_MAX && RingEvents.isReading())) {
            turns++;
            // Not with the tasks of this loop iteration: the sockets have to be looked at before.
            next = loop.schedule(this, 0, TimeUnit.NANOSECONDS);
        } else {
            task.run();
        }
    }
}
