package io.sigma.dataplane.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class HeldMemoryTest {

    private static final long MIB = 1024 * 1024;

    private final LongAdder refused = new LongAdder();
    private final LongAdder ended = new LongAdder();
    private final MemoryBudget budget = new MemoryBudget(64 * MIB, refused, ended);
    private final List<Runnable> timers = new ArrayList<>();
    private final Loop.Scheduler scheduler = new Loop.Scheduler() {
        @Override
        public void execute(Runnable task) {
            if (busy) {
                timers.add(task);
            } else {
                task.run();
            }
        }

        @Override
        public void schedule(Runnable task, long millis) {
            timers.add(task);
        }
    };
    private long millis;
    private boolean busy;
    private final HeldMemory one = new HeldMemory(budget, 2, scheduler, this::nanos);
    private final HeldMemory other = new HeldMemory(budget, 2, scheduler, this::nanos);

    private long nanos() {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /** Of 16 MiB that an owner may hold on a loop. */
    @Test
    void whatIsLentIsBoundedUntilItIsGivenBack() {
        assertThat(one.windowBytesMax()).isEqualTo(MIB);
        assertThat(one.lentToConnectionMax()).isEqualTo(4 * MIB);
        assertThat(one.lend(5 * MIB)).isEqualTo(5 * MIB);
        assertThat(one.lend(5 * MIB)).isEqualTo(3 * MIB);
        assertThat(one.lend(1)).isZero();
        assertThat(other.lend(1)).as("of another loop").isEqualTo(1);
        one.giveBack(MIB);
        assertThat(one.lend(5 * MIB)).isEqualTo(MIB);
    }

    private static class Connection extends HeldMemory.Holder {

        private final @Nullable Object owner;
        private long holds;
        private long taken;
        private boolean over;
        int ends;

        Connection(@Nullable Object owner) {
            this.owner = owner;
        }

        @Override
        protected long held() {
            return holds;
        }

        @Override
        protected long taken() {
            return taken;
        }

        @Override
        protected @Nullable Object owner() {
            return owner;
        }

        @Override
        protected void end() {
            over = true;
            holds = 0;
        }

        /** The peer takes {@code bytes} of what is held, and as much comes for it. */
        void passes(HeldMemory memory, long bytes) {
            taken += bytes;
            memory.grew(this, bytes);
        }

        void takes(HeldMemory memory, long bytes) {
            holds += bytes;
            memory.grew(this, bytes);
        }
    }

    private void tick() {
        List<Runnable> due = new ArrayList<>(timers);
        timers.clear();
        due.forEach(Runnable::run);
    }

    @Test
    void anOwnerThatHoldsMoreThanItsShareLosesItsLargestConnectionAndNobodyElseDoes() {
        Connection small = new Connection("greedy");
        Connection large = new Connection("greedy");
        Connection decent = new Connection("decent");
        decent.takes(one, 3 * MIB);
        small.takes(one, 5 * MIB);
        large.takes(one, 14 * MIB);
        assertThat(large.over).isTrue();
        assertThat(small.over).isFalse();
        assertThat(decent.over).isFalse();
        assertThat(ended.sum()).isEqualTo(1);
        assertThat(budget.held()).isEqualTo(8 * MIB);
    }

    @Test
    void connectionThatTakesItsTimeToEndIsEndedOnceAndCountsNoMore() {
        Connection closing = new Connection("greedy") {
            @Override
            protected void end() {
                ends++;
            }
        };
        Connection decent = new Connection("greedy");
        decent.takes(one, 2 * MIB);
        closing.takes(one, 17 * MIB);
        closing.takes(one, 2 * MIB);
        tick();
        assertThat(closing.ends).isEqualTo(1);
        assertThat(ended.sum()).isEqualTo(1);
        assertThat(budget.held()).isEqualTo(2 * MIB);
        assertThat(decent.over).isFalse();
    }

    @Test
    void anOwnerNearItsShareIsRefusedAndOthersAreNot() {
        Connection greedy = new Connection("greedy");
        greedy.takes(one, 13 * MIB);
        assertThat(one.refuses(greedy)).isTrue();
        assertThat(one.refuses(new Connection("decent"))).isFalse();
        assertThat(refused.sum()).isEqualTo(1);
        greedy.holds = 0;
        assertThat(one.refuses(greedy)).isFalse();
    }

    @Test
    void whenTheProcessHoldsTooMuchTheLargestOwnersEndUntilThereIsRoom() {
        List<Connection> many = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Connection connection = new Connection("address-" + i);
            many.add(connection);
            connection.takes(i % 2 == 0 ? one : other, (6 + i) * MIB);
        }
        assertThat(budget.held()).isLessThan(64 * MIB / 8 * 7);
        assertThat(many.getFirst().over).isFalse();
        assertThat(many).filteredOn(connection -> connection.over).isNotEmpty();
        assertThat(ended.sum()).isPositive();
    }

    @Test
    void quickReaderIsNotEndedInThePlaceOfThoseThatHoldLessForLong() {
        Connection quick = new Connection("quick");
        quick.takes(one, 3 * MIB);
        List<Connection> slow = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Connection connection = new Connection("slow-" + i);
            slow.add(connection);
            connection.takes(one, MIB);
        }
        for (int i = 0; i < 20; i++) {
            millis += 100;
            quick.passes(one, 3 * MIB);
            slow.forEach(connection -> connection.takes(one, MIB * 4 / 100));
        }
        for (int i = 0; i < 20; i++) {
            slow.get(i).takes(one, MIB);
        }
        assertThat(slow).filteredOn(connection -> connection.over).isNotEmpty();
        assertThat(quick.over).isFalse();
    }

    /** What it held before the last moment was taken: its new response is not held for long. */
    @Test
    void readerOfOneResponseAfterTheOtherIsJudgedByTheLast() {
        Connection quick = new Connection("quick");
        Connection idle = new Connection("idle");
        idle.takes(one, 100);
        List<Connection> slow = new ArrayList<>();
        for (int i = 0; i < 27; i++) {
            Connection connection = new Connection("slow-" + i);
            slow.add(connection);
            connection.takes(one, MIB);
        }
        for (int i = 0; i < 10; i++) {
            millis += 1_000;
            quick.taken += quick.holds;
            quick.holds = 0;
            tick();
            quick.takes(one, 2 * MIB);
            tick();
        }
        slow.getFirst().takes(one, 27 * MIB / 2);
        slow.getLast().takes(one, 27 * MIB / 2);
        assertThat(slow).filteredOn(connection -> connection.over).isNotEmpty();
        assertThat(quick.over).isFalse();
        assertThat(idle.over).isFalse();
    }

    @Test
    void whoStopsReadingIsEndedAlthoughItReadBefore() {
        Connection stopped = new Connection("stopped");
        Connection quick = new Connection("quick");
        stopped.takes(one, 3 * MIB);
        quick.takes(one, 4 * MIB);
        for (int i = 0; i < 40; i++) {
            millis += 100;
            quick.passes(one, 4 * MIB);
            if (i < 20) {
                stopped.passes(one, 3 * MIB);
            }
            tick();
        }
        for (int i = 0; i < 50 && !stopped.over; i++) {
            new Connection("new-" + i).takes(one, MIB);
        }
        assertThat(stopped.over).isTrue();
        assertThat(quick.over).isFalse();
    }

    @Test
    void loopThatHoldsLittleEndsNobodyForAnotherThatHoldsMuch() {
        List<Connection> many = new ArrayList<>();
        for (int i = 0; i < 55; i++) {
            Connection connection = new Connection("many-" + i);
            many.add(connection);
            connection.takes(one, MIB);
        }
        Connection decent = new Connection("decent");
        decent.takes(other, 2 * MIB);
        assertThat(budget.held()).isLessThan(56 * MIB);
        assertThat(many)
                .filteredOn(connection -> connection.over)
                .as("of the other loop")
                .isNotEmpty();
        assertThat(decent.over).isFalse();
    }

    /** Their end would make no room. */
    @Test
    void idleConnectionsWithLittleAreNotEndedInAFlood() {
        List<Connection> idle = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            Connection connection = new Connection(i % 40 == 0 ? "greedy" : "idle-" + i);
            idle.add(connection);
            connection.takes(one, MIB / 64);
        }
        millis += 60_000;
        tick();
        for (int i = 0; i < 60; i++) {
            new Connection("flood-" + i).takes(one, MIB);
        }
        for (int i = 0; i < 20; i++) {
            new Connection("greedy").takes(one, MIB);
        }
        assertThat(ended.sum()).isPositive();
        assertThat(idle).noneMatch(connection -> connection.over);
    }

    @Test
    void manyThatHoldLittleForLongEndInThePlaceOfAQuickReader() {
        for (int i = 0; i < 55 * 64; i++) {
            new Connection("silent-" + i).takes(one, MIB / 64);
        }
        millis += 60_000;
        tick();
        Connection quick = new Connection("quick");
        quick.takes(one, 2 * MIB);
        assertThat(ended.sum()).isPositive();
        assertThat(quick.over).isFalse();
    }

    @Test
    void loopThatHoldsLittleServesWhileAnotherMakesRoom() {
        busy = true;
        for (int i = 0; i < 55; i++) {
            new Connection("many-" + i).takes(one, MIB);
        }
        Connection decent = new Connection("decent");
        decent.takes(other, 9 * MIB);
        assertThat(budget.held()).isEqualTo(64 * MIB);
        assertThat(other.refuses(new Connection("new"))).isFalse();
        assertThat(decent.over).isFalse();
        busy = false;
        tick();
        assertThat(budget.held()).isLessThan(56 * MIB);
        assertThat(decent.over).isFalse();
    }

    @Test
    void connectionsWithoutAnOwnerAreJudgedOneByOne() {
        Connection first = new Connection(null);
        Connection second = new Connection(null);
        first.takes(one, 10 * MIB);
        second.takes(one, 10 * MIB);
        assertThat(first.over).isFalse();
        assertThat(second.over).isFalse();
    }

    @Test
    void whatIsGivenBackIsFoundWithinATick() {
        Connection connection = new Connection("client");
        connection.takes(one, 5 * MIB);
        assertThat(budget.held()).isEqualTo(5 * MIB);
        connection.holds = 0;
        tick();
        assertThat(budget.held()).isZero();
        assertThat(timers).as("nothing is watched that holds nothing").isEmpty();
        connection.takes(one, 2 * MIB);
        assertThat(budget.held()).isEqualTo(2 * MIB);
        assertThat(timers).hasSize(1);
    }

    @Test
    void aLittleIsCountedWithTheNextTick() {
        Connection connection = new Connection("client");
        connection.takes(one, 100);
        assertThat(budget.held()).isZero();
        tick();
        assertThat(budget.held()).isEqualTo(100);
    }

    @Test
    void connectionThatCannotBeCountedEndsAndTheOthersAreCounted() {
        boolean[] ends = new boolean[1];
        HeldMemory.Holder broken = new HeldMemory.Holder() {
            @Override
            protected long held() {
                throw new IllegalStateException("on purpose");
            }

            @Override
            protected long taken() {
                return 0;
            }

            @Override
            protected @Nullable Object owner() {
                return null;
            }

            @Override
            protected void end() {
                ends[0] = true;
                throw new IllegalStateException("on purpose");
            }
        };
        Connection sound = new Connection("a");
        one.grew(broken, 1);
        sound.takes(one, MIB);
        List<Runnable> due = List.copyOf(timers);
        timers.clear();
        due.forEach(Runnable::run);
        assertThat(ends[0]).isTrue();
        assertThat(budget.held()).isEqualTo(MIB);
        assertThat(timers).as("the next count").hasSize(1);
    }
}
