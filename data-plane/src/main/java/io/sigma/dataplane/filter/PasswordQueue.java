package io.sigma.dataplane.filter;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Lets a few passwords be checked at once, over all routes of a gateway: that is slow on purpose, and takes a
 * processor. A bounded number waits. Addresses with fewer wrong passwords, and fewer that wait, come first, and where
 * there is no room the one that comes last goes. So whoever tries wrong passwords keeps out no address that has tried
 * none. Thread-safe.
 */
public final class PasswordQueue {

    private static final int WAITING_MAX = 32;
    private static final int ADDRESSES_MAX = 10_000;

    private static final Comparator<Turn> ORDER =
            Comparator.<Turn>comparingInt(turn -> turn.failures).thenComparingLong(turn -> turn.number);

    /** A password that is to be checked. */
    public final class Turn {

        private final String address;
        private final int failures;
        private final long number;
        private final CompletableFuture<Boolean> comes = new CompletableFuture<>();

        private Turn(String address, int failures, long number) {
            this.address = address;
            this.failures = failures;
            this.number = number;
        }

        /**
         * Waits.
         *
         * @return false when it gave way to others; else {@link #leave} ends it
         */
        public boolean await() {
            return comes.join();
        }

        /** Ends a turn that came, and says whether the password was right. */
        public void leave(boolean right) {
            if (!right) {
                wrong.putIfAbsent(address, new AtomicInteger());
                AtomicInteger count = wrong.get(address);
                if (count != null) {
                    count.incrementAndGet();
                }
            }
            next();
        }
    }

    private final int runningMax;
    private final RecentMap<AtomicInteger> wrong = new RecentMap<>(ADDRESSES_MAX);

    // Guarded by this.
    private final List<Turn> waiting = new ArrayList<>();
    private int running;
    private long count;

    /** Leaves processors to what else runs beside event loops. */
    public PasswordQueue() {
        this(Math.max(1, Runtime.getRuntime().availableProcessors() / 2));
    }

    PasswordQueue(int runningMax) {
        this.runningMax = runningMax;
    }

    /**
     * Gets in line.
     *
     * @param address of the client, as one of {@link io.sigma.limit.AddressBlock}
     * @return null when there is no room for it
     */
    @Nullable
    public Turn join(String address) {
        AtomicInteger failed = wrong.get(address);
        Turn last = null;
        Turn own;
        synchronized (this) {
            int same = (int) waiting.stream()
                    .filter(turn -> turn.address.equals(address))
                    .count();
            own = new Turn(address, same + (failed == null ? 0 : failed.get()), count++);
            if (running < runningMax) {
                running++;
                own.comes.complete(true);
                return own;
            }
            waiting.add(own);
            if (waiting.size() > WAITING_MAX) {
                last = waiting.stream().max(ORDER).orElseThrow();
                waiting.remove(last);
            }
        }
        if (last != null && last != own) {
            last.comes.complete(false);
        }
        return last == own ? null : own;
    }

    private void next() {
        Turn next;
        synchronized (this) {
            next = waiting.stream().min(ORDER).orElse(null);
            if (next == null) {
                running--;
            } else {
                waiting.remove(next);
            }
        }
        if (next != null) {
            next.comes.complete(true);
        }
    }
}
