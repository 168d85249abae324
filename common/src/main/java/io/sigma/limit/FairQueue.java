package io.sigma.limit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Lets a few of many run at once, fair between addresses; a bounded number waits. Known addresses come first, then
 * those with fewer failures and fewer that wait. Where there is no room, the one that comes last goes. So however often
 * others fail, an address that has not failed comes next. Thread-safe.
 */
public final class FairQueue {

    /** A waiting task; {@code number} is its place in the order of arrival. */
    private record Waiting(String address, boolean known, int failures, long number, CompletableFuture<Boolean> turn) {}

    private static final Comparator<Waiting> ORDER = Comparator.<Waiting, Boolean>comparing(who -> !who.known)
            .thenComparingInt(Waiting::failures)
            .thenComparingLong(Waiting::number);

    private final int runningMax;
    private final int waitingMax;
    private final int ofAddressMax;

    // Guarded by this.
    private final List<Waiting> waiting = new ArrayList<>();
    private int running;
    private long count;

    /**
     * @param runningMax how many run at once; 0 for a queue of those that wait for something else, and
     *     {@link #withdraw}
     * @param waitingMax how many wait
     * @param ofAddressMax how many of one address wait
     */
    public FairQueue(int runningMax, int waitingMax, int ofAddressMax) {
        this.runningMax = runningMax;
        this.waitingMax = waitingMax;
        this.ofAddressMax = ofAddressMax;
    }

    /**
     * Gets in line. Does not wait.
     *
     * @param address of the client, as one of {@link AddressBlock}
     * @param known whether the address comes before those that are not
     * @param failures of the address that count now; those of it that wait count besides
     * @return completes with true when it runs, until {@link #leave}; with false when it gave way to others
     */
    public CompletableFuture<Boolean> join(String address, boolean known, int failures) {
        CompletableFuture<Boolean> turn = new CompletableFuture<>();
        Waiting last = null;
        synchronized (this) {
            if (running < runningMax) {
                running++;
                turn.complete(true);
                return turn;
            }
            int same = (int) waiting.stream()
                    .filter(other -> other.address.equals(address))
                    .count();
            Waiting own = new Waiting(address, known, failures + same, count++, turn);
            waiting.add(own);
            if (same >= ofAddressMax) {
                last = own;
            } else if (waiting.size() > waitingMax) {
                last = waiting.stream().max(ORDER).orElseThrow();
            }
            if (last != null) {
                waiting.remove(last);
            }
        }
        if (last != null) {
            last.turn.complete(false);
        }
        return turn;
    }

    /** Takes out who waits no longer: {@code turn} is what {@link #join} returned, and never completes after that. */
    @SuppressWarnings("ReferenceEquality") // A turn is itself alone.
    public synchronized void withdraw(CompletableFuture<Boolean> turn) {
        waiting.removeIf(who -> who.turn == turn);
    }

    /** Ends a run, which lets the next one run. */
    public void leave() {
        Waiting next;
        synchronized (this) {
            next = waiting.stream().min(ORDER).orElse(null);
            if (next == null) {
                running--;
            } else {
                waiting.remove(next);
            }
        }
        if (next != null) {
            next.turn.complete(true);
        }
    }
}
