package io.sigma.dataplane.engine.uring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoEvent;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoRegistration;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringIoHandle;
import io.netty.channel.uring.IoUringIoHandlerConfig;
import io.netty.channel.uring.IoUringIoOps;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The events that wake an event loop that waits for its ring. */
final class RingHandlerTest {

    private static final int SECONDS = 20;
    private static final int WAKE_UPS = 2_000;

    private EventLoopGroup loops;
    private EventLoop loop;

    @BeforeEach
    void start() {
        assumeTrue(IoUring.isAvailable());
        loops = new MultiThreadIoEventLoopGroup(1, RingHandler.factory(new IoUringIoHandlerConfig()));
        loop = loops.next();
    }

    @AfterEach
    void stop() throws Exception {
        if (loops != null) {
            loops.shutdownGracefully(0, SECONDS, TimeUnit.SECONDS).sync();
        }
    }

    @Test
    void ringsOfThisVersionOfNettyAreKnown() throws Exception {
        assertThat(NettyRing.isReachable()).isTrue();
        assertThat(loop.submit(RingHandler::current).get(SECONDS, TimeUnit.SECONDS))
                .isNotNull();
    }

    @Test
    void tasksOfOtherThreadsAreRun() throws Exception {
        for (int i = 0; i < 1_000; i++) {
            int number = i;
            assertThat(loop.submit(() -> number).get(SECONDS, TimeUnit.SECONDS)).isEqualTo(i);
        }
    }

    /** Netty makes an object each time that the ring is looked at. */
    @Test
    void wakingUpAllocatesNothing() throws Exception {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long id = loop.submit(() -> Thread.currentThread().threadId()).get(SECONDS, TimeUnit.SECONDS);
        Semaphore woken = new Semaphore(0);
        Runnable task = woken::release;
        wake(task, woken);
        long before = threads.getThreadAllocatedBytes(id);
        wake(task, woken);
        assertThat((threads.getThreadAllocatedBytes(id) - before) / (double) WAKE_UPS)
                .isLessThan(1);
    }

    private void wake(Runnable task, Semaphore woken) throws InterruptedException {
        for (int i = 0; i < WAKE_UPS; i++) {
            loop.execute(task);
            assertThat(woken.tryAcquire(SECONDS, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** What was written for an event is sent without a turn of the loop's tasks. */
    @Test
    void endOfAllEventsComesBeforeTheTasksThatTheyLeadTo() throws Exception {
        List<String> order = Collections.synchronizedList(new ArrayList<>());
        Promise<Boolean> over = loop.newPromise();
        onEvent(ring -> {
            loop.execute(() -> {
                order.add("task");
                over.setSuccess(ring.after(() -> order.add("never")));
            });
            order.add("event");
            order.add(String.valueOf(ring.after(() -> order.add("end"))));
            order.add(String.valueOf(ring.after(() -> order.add("never"))));
        });
        assertThat(over.get(SECONDS, TimeUnit.SECONDS)).isFalse();
        assertThat(order).containsExactly("event", "true", "false", "end", "task");
    }

    @Test
    void endThatFailsEndsNoLoop() throws Exception {
        Promise<Boolean> taken = loop.newPromise();
        onEvent(ring -> taken.setSuccess(ring.after(() -> {
            throw new IllegalStateException("made by this test");
        })));
        assertThat(taken.get(SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(loop.submit(() -> "alive").get(SECONDS, TimeUnit.SECONDS)).isEqualTo("alive");
    }

    /** Has {@code action} run on the loop as a completion of the ring is handled. */
    private void onEvent(Consumer<RingHandler> action) throws Exception {
        IoUringIoHandle handle = new IoUringIoHandle() {
            @Override
            public void handle(IoRegistration registration, IoEvent event) {
                registration.cancel();
                action.accept(Objects.requireNonNull(RingHandler.current()));
            }

            @Override
            public void close() {
                // It has nothing.
            }
        };
        IoRegistration registration = ((IoEventLoop) loop).register(handle).get(SECONDS, TimeUnit.SECONDS);
        IoUringIoOps nothing =
                new IoUringIoOps((byte) 0, (byte) 0, (short) 0, -1, 0, 0, 0, 0, 1L, (short) 0, (short) 0, 0, 0);
        loop.execute(() -> registration.submit(nothing));
    }

    /** More timers than are remembered, each before all that came before it. */
    @Test
    void tasksAreRunWhenTheyAreDueHoweverLateTheyWereAdded() throws Exception {
        int count = 40;
        List<Integer> order = Collections.synchronizedList(new ArrayList<>());
        List<Future<?>> tasks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int number = i;
            // By a turn of its own, so that the loop waits for each before the next one is added.
            loop.submit(() -> {}).get(SECONDS, TimeUnit.SECONDS);
            tasks.add(loop.schedule(() -> order.add(number), 2_000 - 40L * i, TimeUnit.MILLISECONDS));
        }
        for (Future<?> task : tasks) {
            assertThat(task.await(SECONDS, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(order).hasSize(count).isSortedAccordingTo(Collections.reverseOrder());
    }

    @Test
    void timerThatIsCancelledKeepsNoOtherOneFromEnding() throws Exception {
        loop.schedule(() -> {}, 5, TimeUnit.MILLISECONDS).cancel(false);
        Future<?> later = loop.schedule(() -> {}, 30, TimeUnit.MILLISECONDS);
        assertThat(later.await(SECONDS, TimeUnit.SECONDS)).isTrue();
        Future<?> repeated = loop.scheduleAtFixedRate(() -> {}, 1, 1, TimeUnit.MILLISECONDS);
        Future<?> last = loop.schedule(() -> {}, 60, TimeUnit.MILLISECONDS);
        assertThat(last.await(SECONDS, TimeUnit.SECONDS)).isTrue();
        repeated.cancel(false);
    }
}
