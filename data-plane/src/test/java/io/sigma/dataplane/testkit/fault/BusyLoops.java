package io.sigma.dataplane.testkit.fault;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Event loops that are held up behind what they have read and before their timers: a timer that passes meanwhile is
 * looked at before the sockets are.
 */
public final class BusyLoops {

    /** Longer than the loops take from one look at their deadlines to the next. */
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(150);

    private static final long TIMEOUT_SECONDS = 60;

    /** What happens beside the loops. */
    @FunctionalInterface
    public interface Events {
        void happen() throws Exception;
    }

    private final CountDownLatch busy;
    private final CountDownLatch over = new CountDownLatch(1);

    private BusyLoops(int loops) {
        this.busy = new CountDownLatch(loops);
    }

    public static void during(EventLoopGroup loops, Events what) throws Exception {
        int count = 0;
        for (EventExecutor each : loops) {
            assert each instanceof EventLoop;
            count++;
        }
        BusyLoops held = new BusyLoops(count);
        try {
            for (EventExecutor each : loops) {
                each.execute(() -> held.hold(each));
            }
            if (!held.busy.await(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("the event loops do not run");
            }
            what.happen();
        } finally {
            held.over.countDown();
        }
    }

    /** Timers that are due at the end of this run together, the one that was due first before the others. */
    private void hold(EventExecutor loop) {
        loop.schedule(this::await, 0, TimeUnit.NANOSECONDS);
        LockSupport.parkNanos(TICK_NANOS);
    }

    private void await() {
        busy.countDown();
        try {
            over.await(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
