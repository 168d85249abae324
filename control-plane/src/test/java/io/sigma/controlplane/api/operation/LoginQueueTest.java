package io.sigma.controlplane.api.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.controlplane.failure.FailureException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The order of logins while many passwords are checked. */
final class LoginQueueTest {

    private final LoginQueue queue = new LoginQueue();
    private final CountDownLatch gate = new CountDownLatch(1);
    private final List<String> served = new ArrayList<>();
    private final AtomicInteger refused = new AtomicInteger();
    private final List<Thread> threads = new ArrayList<>();

    private void ask(String block, int failures) throws InterruptedException {
        ask(block, false, failures);
    }

    private void ask(String block, boolean known, int failures) throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        Thread thread = Thread.ofVirtual().start(() -> {
            try {
                begun.countDown();
                queue.enter(block, known, failures);
                await(gate);
                synchronized (served) {
                    served.add(block);
                }
                queue.leave();
            } catch (FailureException e) {
                refused.incrementAndGet();
            }
        });
        threads.add(thread);
        begun.await();
        while (thread.getState() == Thread.State.RUNNABLE) {
            Thread.onSpinWait();
        }
    }

    private static void await(CountDownLatch gate) {
        try {
            gate.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void finish() throws InterruptedException {
        gate.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
    }

    @Test
    void whoHasFailedLessComesFirstAndIsNeverRefused() throws Exception {
        for (int round = 1; round <= 4; round++) {
            for (int address = 0; address < 80; address++) {
                ask("flood" + address, round);
            }
        }
        ask("right", 0);
        finish();
        // It begins right after those that run already; the order of the ends is that of the threads.
        assertThat(served.indexOf("right")).isBetween(0, served.size() / 2);
        assertThat(refused.get()).as("of those that flood").isPositive();
    }

    @Test
    void knownAddressComesBeforeThoseThatNeverFailed() throws Exception {
        for (int address = 0; address < 1_000; address++) {
            ask("flood" + address, 0);
        }
        ask("known", true, 3);
        ask("stranger", 0);
        finish();
        assertThat(served.indexOf("known")).isBetween(0, 8);
        assertThat(served).as("as many strangers come before it").doesNotContain("stranger");
    }

    @Test
    void oneAddressDoesNotTakeEveryPlace() throws Exception {
        for (int i = 0; i < 200; i++) {
            ask("one", 0);
        }
        ask("other", 0);
        finish();
        assertThat(served).contains("other");
        assertThat(served.size()).isLessThanOrEqualTo(4 + 8 + 1);
        assertThat(refused.get()).isGreaterThanOrEqualTo(188);
    }
}
