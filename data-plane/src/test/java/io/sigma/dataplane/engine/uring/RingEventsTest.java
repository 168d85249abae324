package io.sigma.dataplane.engine.uring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.DefaultEventLoop;
import io.netty.channel.uring.IoUring;
import io.sigma.dataplane.loop.Prefetched;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class RingEventsTest {

    /** Of which nothing follows. */
    private static final byte CLOSED = RingOps.CLOSE;

    private final DefaultEventLoop loop = new DefaultEventLoop();
    private final List<RingChannel> channels = new ArrayList<>();
    private final List<String> happened = new ArrayList<>();

    @BeforeEach
    void needsTheRing() {
        assumeTrue(IoUring.isAvailable());
    }

    @AfterEach
    void end() throws InterruptedException {
        channels.forEach(channel -> channel.unsafe().closeForcibly());
        loop.shutdownGracefully(0, 5, TimeUnit.SECONDS).sync();
    }

    private RingChannel channel(Prefetched reader) {
        RingChannel made = new RingChannel((short) 1);
        made.leadsTo(reader);
        channels.add(made);
        return made;
    }

    private RingChannel noting(String name) {
        return channel(new Prefetched() {
            @Override
            public int prefetch(int distance) {
                happened.add(name + distance);
                return distance;
            }
        });
    }

    private static void many(RingEvents events) {
        for (int i = 0; i < RingEvents.MANY; i++) {
            events.opened();
        }
    }

    private void onLoop(Runnable task) throws InterruptedException {
        loop.submit(task).sync();
        // What was scheduled meanwhile comes after it.
        loop.submit(() -> {}).sync();
    }

    @Test
    void whatWasWrittenIsSentAfterEachBatch() throws InterruptedException {
        RingChannel channel = noting("a");
        onLoop(() -> {
            RingEvents events = new RingEvents(loop, null);
            for (int i = 1; i <= RingEvents.BATCH + 1; i++) {
                events.take(channel, CLOSED, 0, 0, 0);
                int taken = i;
                if (i == 1 || i == RingEvents.BATCH + 1) {
                    assertThat(RingEvents.afterBatch(() -> happened.add("sent " + taken)))
                            .isTrue();
                }
                happened.add("event " + i);
            }
        });
        assertThat(happened)
                .startsWith("event 1")
                .containsSubsequence("event 15", "sent 1", "event 16", "event 17", "sent 17")
                .hasSize(RingEvents.BATCH + 3);
    }

    @Test
    void thereIsOneSenderOfABatchAndNoneWithoutABatch() throws InterruptedException {
        RingChannel channel = noting("a");
        onLoop(() -> {
            assertThat(RingEvents.afterBatch(() -> {})).isFalse();
            RingEvents events = new RingEvents(loop, null);
            assertThat(RingEvents.afterBatch(() -> {})).isFalse();
            events.take(channel, CLOSED, 0, 0, 0);
            assertThat(RingEvents.afterBatch(() -> {})).isTrue();
            assertThat(RingEvents.afterBatch(() -> {})).isFalse();
        });
    }

    @Test
    void aSenderThatThrowsDoesNotEndTheBatchesAfterIt() throws InterruptedException {
        RingChannel channel = noting("a");
        RingEvents[] events = new RingEvents[1];
        onLoop(() -> {
            events[0] = new RingEvents(loop, null);
            many(events[0]);
            events[0].take(channel, RingOps.RECV, RingOps.ECANCELED, 0, 0);
            assertThat(RingEvents.afterBatch(() -> {
                        throw new StackOverflowError("on purpose");
                    }))
                    .isTrue();
        });
        happened.clear();
        onLoop(() -> events[0].take(channel, RingOps.RECV, RingOps.ECANCELED, 0, 0));
        onLoop(() -> {
            events[0].take(channel, CLOSED, 0, 0, 0);
            assertThat(RingEvents.afterBatch(() -> happened.add("sent"))).isTrue();
        });
        assertThat(happened).contains("sent");
    }

    @Test
    void aReadThatThrowsDoesNotEndWhatFollowsIt() throws InterruptedException {
        RingChannel channel = noting("a");
        RingEvents[] events = new RingEvents[1];
        onLoop(() -> {
            events[0] = new RingEvents(loop, null);
            events[0].readLater(() -> {
                throw new StackOverflowError("on purpose");
            });
            events[0].readLater(() -> happened.add("read"));
            events[0].take(channel, CLOSED, 0, 0, 0);
        });
        assertThat(happened).containsExactly("read");
        onLoop(() -> {
            events[0].take(channel, CLOSED, 0, 0, 0);
            assertThat(RingEvents.afterBatch(() -> happened.add("sent"))).isTrue();
        });
        assertThat(happened).contains("sent");
    }

    @Test
    void manyConnectionsAreReadAheadOneDistanceAfterTheOther() throws InterruptedException {
        RingChannel a = noting("a");
        RingChannel b = noting("b");
        onLoop(() -> {
            RingEvents events = new RingEvents(loop, null);
            many(events);
            events.take(a, RingOps.RECV, RingOps.ECANCELED, 0, 0);
            events.take(b, RingOps.RECV, RingOps.ECANCELED, 0, 0);
            events.take(channel(new Prefetched() {}), CLOSED, 0, 0, 0);
            assertThat(RingEvents.afterBatch(() -> happened.add("sent"))).isTrue();
            assertThat(happened).isEmpty();
        });
        assertThat(happened)
                .containsExactly(
                        "a0", "b0", "a1", "b1", "a2", "b2", "a3", "b3", "a4", "b4", "a5", "b5", "a6", "b6", "sent");
    }

    @Test
    void tasksHaveTheirTurnWhileEventsGoOn() throws InterruptedException {
        RingChannel channel = noting("a");
        onLoop(() -> {
            RingEvents events = new RingEvents(loop, null);
            loop.execute(() -> happened.add("task"));
            loop.schedule(() -> happened.add("timer"), 0, TimeUnit.MILLISECONDS);
            for (int i = 0; i < RingEvents.BATCH * (RingEvents.BATCHES_MAX + 1); i++) {
                events.take(channel, CLOSED, 0, 0, 0);
            }
            happened.add("events");
            for (int i = 0; i < RingEvents.BATCH + 1; i++) {
                events.take(channel, CLOSED, 0, 0, 0);
            }
            assertThat(RingEvents.afterBatch(() -> happened.add("sent"))).isTrue();
        });
        assertThat(happened).containsExactly("task", "timer", "events", "sent");
    }

    @Test
    void fewOfThoseThatBroughtMuchAreReadAgainInATurn() throws InterruptedException {
        RingChannel channel = noting("a");
        int all = 2 * RingEvents.READS_MAX + 1;
        onLoop(() -> {
            RingEvents events = new RingEvents(loop, null);
            for (int i = 0; i < all; i++) {
                events.readLater(() -> happened.add("read"));
            }
            events.take(channel, CLOSED, 0, 0, 0);
            assertThat(happened).isEmpty();
            loop.execute(() -> happened.add("end of turn"));
        });
        for (int turn = 0; turn < 5; turn++) {
            loop.submit(() -> {}).sync();
        }
        assertThat(happened.subList(0, RingEvents.READS_MAX + 1))
                .containsOnlyOnce("end of turn")
                .endsWith("end of turn");
        assertThat(happened).hasSize(all + 1);
    }

    @Test
    void fewConnectionsAreNot() throws InterruptedException {
        RingChannel a = noting("a");
        onLoop(() -> {
            RingEvents events = new RingEvents(loop, null);
            many(events);
            events.closed();
            events.take(a, RingOps.RECV, RingOps.ECANCELED, 0, 0);
            events.take(a, RingOps.RECV, RingOps.ECANCELED, 0, 0);
        });
        assertThat(happened).isEmpty();
    }

    @Test
    void whenReadingAheadFailsEventsAreHandledAndItEnds() throws InterruptedException {
        RingChannel broken = channel(new Prefetched() {
            @Override
            public int prefetch(int distance) {
                happened.add("failed");
                throw new IllegalStateException("an error that the test expects");
            }
        });
        RingEvents[] events = new RingEvents[1];
        for (int turn = 0; turn < 2; turn++) {
            onLoop(() -> {
                if (events[0] == null) {
                    events[0] = new RingEvents(loop, null);
                    many(events[0]);
                }
                events[0].take(broken, CLOSED, 0, 0, 0);
                events[0].take(broken, CLOSED, 0, 0, 0);
                assertThat(RingEvents.afterBatch(() -> happened.add("sent"))).isTrue();
            });
        }
        assertThat(happened).containsExactly("failed", "sent", "sent");
    }
}
