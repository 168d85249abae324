package io.sigma.dataplane.filter;

import io.sigma.limit.FairQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Lets a few passwords be checked at once, over all routes of a gateway: that is slow on purpose, and takes a
 * processor. A bounded number waits, in the order of {@link FairQueue}. So whoever tries wrong passwords keeps out no
 * address that has tried none. Thread-safe.
 */
public final class PasswordQueue {

    private static final int WAITING_MAX = 32;
    private static final int ADDRESSES_MAX = 10_000;

    /** A password that is to be checked. */
    public final class Turn {

        private final String address;
        private final CompletableFuture<Boolean> comes;

        private Turn(String address, CompletableFuture<Boolean> comes) {
            this.address = address;
            this.comes = comes;
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
            queue.leave();
        }
    }

    private final FairQueue queue;
    private final RecentMap<AtomicInteger> wrong = new RecentMap<>(ADDRESSES_MAX);

    /** Leaves processors to what else runs beside event loops. */
    public PasswordQueue() {
        this(Math.max(1, Runtime.getRuntime().availableProcessors() / 2));
    }

    PasswordQueue(int runningMax) {
        this.queue = new FairQueue(runningMax, WAITING_MAX, WAITING_MAX);
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
        CompletableFuture<Boolean> comes = queue.join(address, true, failed == null ? 0 : failed.get());
        return comes.isDone() && !comes.join() ? null : new Turn(address, comes);
    }
}
