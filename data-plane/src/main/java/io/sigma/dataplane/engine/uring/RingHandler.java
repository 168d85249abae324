package io.sigma.dataplane.engine.uring;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoRegistration;
import io.netty.channel.unix.Buffer;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringIoHandlerConfig;
import io.netty.util.concurrent.FastThreadLocal;
import io.netty.util.concurrent.ThreadAwareExecutor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Netty's handler of a ring, which waits with one system call. Netty submits a timer for each time that it waits, whose
 * end is an event as well, and wakes up for each small send that is done while it is submitted. Here a timer stays
 * until it is over, and the kernel waits for one event more than there are sends that it does at once. Confined to the
 * event loop.
 */
final class RingHandler implements IoHandler {

    /** Timers that are known to run; another one than these wakes the loop once more than is necessary. */
    private static final int TIMERS_MAX = 8;

    /** The longest delay until the failure of a send is known that was expected to complete at once, in nanoseconds. */
    private static final long QUIET_NANOS_MAX = 50_000_000;

    private static final int QUIET_MAX = 64;
    private static final long SECOND = 1_000_000_000;
    private static final Logger LOG = LoggerFactory.getLogger(RingHandler.class);
    private static final FastThreadLocal<RingHandler> CURRENT = new FastThreadLocal<>();

    private final IoUringIoHandler netty;
    private final NettyRing ring;
    private final Woken woken = new Woken();
    private final ByteBuffer time = ByteBuffer.allocateDirect(16).order(ByteOrder.nativeOrder());
    private final long timeAddress = Buffer.memoryAddress(time);
    /** When timers end, by {@link System#nanoTime()}, the first one first. */
    private final long[] timers = new long[TIMERS_MAX];

    private int timerCount;
    /** Numbers of submissions that are done as they are submitted; of more than these the kernel wakes the loop. */
    private final int[] quiet = new int[QUIET_MAX];

    private int quietCount;
    private boolean ending;
    private boolean handling;
    /** What is to be done after all that the kernel has done is handled. */
    private @Nullable Runnable last;

    private RingHandler(IoUringIoHandler netty) {
        this.netty = netty;
        this.ring = new NettyRing(netty);
    }

    /** Returns what makes handlers; those of Netty where they cannot be improved. */
    static IoHandlerFactory factory(IoUringIoHandlerConfig config) {
        IoHandlerFactory netty = IoUringIoHandler.newFactory(config);
        if (!NettyRing.isReachable()) {
            return netty;
        }
        return new IoHandlerFactory() {
            @Override
            public IoHandler newHandler(ThreadAwareExecutor executor) {
                return new RingHandler((IoUringIoHandler) netty.newHandler(executor));
            }

            @Override
            public boolean isChangingThreadSupported() {
                return netty.isChangingThreadSupported();
            }
        };
    }

    /** Returns the handler of the loop that calls; null when it is another one's. */
    static @Nullable RingHandler current() {
        return CURRENT.get();
    }

    /** Returns the number of what is submitted next. */
    int next() {
        return ring.tail();
    }

    /**
     * Notes that what was submitted last is done at once, well or not, and that nobody waits for it to be known: with
     * the next event is early enough.
     *
     * @param number of it, unless nothing could be submitted
     */
    void quiet(int number) {
        if (quietCount < QUIET_MAX && ring.tail() - number == 1) {
            quiet[quietCount++] = number;
        }
    }

    /** Somebody waits for what was submitted so far. */
    void hurry() {
        quietCount = 0;
    }

    @Override
    public void initialize() {
        netty.initialize();
        CURRENT.set(this);
    }

    @Override
    public int run(IoHandlerContext context) {
        boolean waits = !ending && !ring.hasCompletions() && context.canBlock();
        if (waits) {
            await(context);
        }
        handling = true;
        try {
            boolean asNetty = ending || context.shouldReportActiveIoTime();
            return asNetty ? netty.run(waits ? woken : context) : ring.handleCompletions();
        } finally {
            handling = false;
            // Netty submits what there was; what comes now has not been.
            quietCount = 0;
            finish();
        }
    }

    private void finish() {
        Runnable end = last;
        last = null;
        if (end != null) {
            try {
                end.run();
            } catch (RuntimeException | Error e) {
                // Netty lets nothing pass that a task throws, but an exception of its handler ends the loop.
                LOG.error("The end of a wake-up failed", e);
            }
        }
    }

    /**
     * Has {@code end} run as soon as what the kernel has done is handled, without the queue of the loop's tasks.
     *
     * @return whether it will; not when nothing is being handled, or something else will be run
     */
    boolean after(Runnable end) {
        if (!handling || last != null) {
            return false;
        }
        last = end;
        return true;
    }

    private void await(IoHandlerContext context) {
        ring.awaitWakeUps();
        int sends = quietSends();
        long end = context.deadlineNanos();
        if (end != -1 || sends > 0) {
            long now = System.nanoTime();
            long delay = end == -1 ? Long.MAX_VALUE : context.delayNanos(now);
            wakeAfter(now, sends > 0 ? Math.min(delay, QUIET_NANOS_MAX) : delay);
        }
        ring.submitAndWait(1 + sends);
        woken.reporting = context;
    }

    /** Returns how many the kernel has not taken yet, and will have done when it has. */
    private int quietSends() {
        int sends = 0;
        if (quietCount > 0) {
            int head = ring.head();
            for (int i = 0; i < quietCount; i++) {
                if (quiet[i] - head >= 0) {
                    sends++;
                }
            }
        }
        return sends;
    }

    /** Has the kernel wake the loop after {@code delay} nanoseconds, unless it will do so before. */
    private void wakeAfter(long now, long delay) {
        int over = 0;
        while (over < timerCount && timers[over] - now <= 0) {
            over++;
        }
        timerCount -= over;
        System.arraycopy(timers, over, timers, 0, timerCount);
        long end = now + delay;
        if (timerCount > 0 && timers[0] - end <= 0) {
            return;
        }
        timerCount = Math.min(timerCount, TIMERS_MAX - 1);
        System.arraycopy(timers, 0, timers, 1, timerCount);
        timers[0] = end;
        timerCount++;
        time.putLong(0, delay / SECOND);
        time.putLong(8, delay % SECOND);
        ring.timer(timeAddress);
    }

    @Override
    public void prepareToDestroy() {
        ending = true;
        netty.prepareToDestroy();
    }

    @Override
    public void destroy() {
        netty.destroy();
    }

    @Override
    public IoRegistration register(IoHandle handle) throws Exception {
        return netty.register(handle);
    }

    @Override
    public void wakeup() {
        netty.wakeup();
    }

    @Override
    public boolean isCompatible(Class<? extends IoHandle> handleType) {
        return netty.isCompatible(handleType);
    }

    /** The context that Netty gets after the wait: it handles completions, and does not block again. */
    private static final class Woken implements IoHandlerContext {

        private @Nullable IoHandlerContext reporting;

        @Override
        public boolean canBlock() {
            return false;
        }

        @Override
        public long delayNanos(long now) {
            return 0;
        }

        @Override
        public long deadlineNanos() {
            return -1;
        }

        @Override
        public boolean shouldReportActiveIoTime() {
            return reporting != null && reporting.shouldReportActiveIoTime();
        }

        @Override
        public void reportActiveIoTime(long nanos) {
            if (reporting != null) {
                reporting.reportActiveIoTime(nanos);
            }
        }
    }
}
