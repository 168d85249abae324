package io.sigma.dataplane.filter;

import io.sigma.limit.FairQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Lets a few credentials be checked at once, over all routes of a gateway, because a check takes a processor. A bounded
 * number waits, in the order of {@link FairQueue}. So an address with wrong credentials keeps out no address that has
 * sent none. Thread-safe.
 */
public final class CredentialQueue {

    private static final int ADDRESSES_MAX = 10_000;

    /** Credentials that are to be checked. */
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

        /** Ends a turn that came, and says whether the credentials were right. */
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

    /**
     * Requests that wait for the means of a check, such as keys. They take no place from requests that can be checked.
     */
    private final FairQueue unprepared;

    private final RecentMap<AtomicInteger> wrong = new RecentMap<>(ADDRESSES_MAX);

    /**
     * Leaves half of the processors to what else runs beside event loops.
     *
     * @param waitingMax how many wait
     */
    public CredentialQueue(int waitingMax) {
        this(Math.max(1, Runtime.getRuntime().availableProcessors() / 2), waitingMax);
    }

    CredentialQueue(int runningMax, int waitingMax) {
        this.queue = new FairQueue(runningMax, waitingMax, waitingMax);
        this.unprepared = new FairQueue(0, waitingMax, waitingMax);
    }

    /**
     * Gets in line.
     *
     * @param address of the client, as one of {@link io.sigma.limit.AddressBlock}
     * @return null when there is no room for it
     */
    @Nullable
    public Turn join(String address) {
        CompletableFuture<Boolean> comes = queue.join(address, true, failures(address));
        return comes.isDone() && !comes.join() ? null : new Turn(address, comes);
    }

    /**
     * Waits for what a check needs and others wait for as well. As many may wait as wait for their turn, in the same
     * order, so that something that never comes does not gather requests.
     *
     * @param address as of {@link #join}
     * @param needed whether it fails makes no difference
     * @return false when there was no room, or this one gave way to others; true when it came, or after {@code millis}
     */
    public boolean await(String address, CompletableFuture<Void> needed, long millis) {
        if (needed.isDone()) {
            return true;
        }
        CompletableFuture<Boolean> place = unprepared.join(address, true, failures(address));
        try {
            CompletableFuture.anyOf(place, needed).get(millis, TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            // The caller looks at what there is then.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            unprepared.withdraw(place);
        }
        return !place.isDone();
    }

    private int failures(String address) {
        AtomicInteger failed = wrong.get(address);
        return failed == null ? 0 : failed.get();
    }
}
