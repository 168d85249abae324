package io.sigma.dataplane.engine.uring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringIoHandlerConfig;
import io.netty.util.concurrent.Future;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The events that wake an event loop that waits for its ring. */
final class RingHandlerTest {

    private static final int SECONDS = 20;

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
