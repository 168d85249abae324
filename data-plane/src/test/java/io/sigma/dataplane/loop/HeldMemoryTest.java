package io.sigma.dataplane.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
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
            task.run();
        }

        @Override
        public void schedule(Runnable task, long millis) {
            timers.add(task);
        }
    };
    private final HeldMemory one = new Loop(0, scheduler, budget, 2).memory();
    private final HeldMemory other = new Loop(1, scheduler, budget, 2).memory();

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
        protected @Nullable Object owner() {
            return owner;
        }

        @Override
        protected void end() {
            over = true;
            holds = 0;
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
