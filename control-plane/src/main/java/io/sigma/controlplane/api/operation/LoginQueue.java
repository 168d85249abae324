package io.sigma.controlplane.api.operation;

import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Lets a few passwords be checked at once, from the look at the database to the answer. A bounded number waits, of one
 * address a few. Known addresses come first, then those with fewer failures, and where there is no room the one that
 * comes last goes: so however many addresses try wrong passwords, one that has tried none is served next, and one that
 * is known even when each of the others comes for the first time. Thread-safe; methods wait, on a virtual thread.
 */
final class LoginQueue {

    private static final int RUNNING_MAX = 4;
    private static final int WAITING_MAX = 128;
    private static final int OF_ADDRESS_MAX = 8;

    /** Who waits; {@code number} says in which order they came. */
    private record Waiting(String block, boolean stranger, int failures, long number, Promise<Void> turn) {}

    private static final Comparator<Waiting> ORDER = Comparator.comparing(Waiting::stranger)
            .thenComparingInt(Waiting::failures)
            .thenComparingLong(Waiting::number);

    // Guarded by this.
    private final List<Waiting> waiting = new ArrayList<>();
    private int running;
    private long count;

    /**
     * Waits for a turn, which is ended by {@link #leave}.
     *
     * @param block address of the client
     * @param known whether it showed right credentials before
     * @param failures of that address that count now; those of it that wait count besides
     * @throws FailureException with {@link Failure.Unavailable} when too many wait
     */
    void enter(String block, boolean known, int failures) {
        Promise<Void> turn = Promise.promise();
        enter(block, known, failures, turn);
        turn.future().await();
    }

    private void enter(String block, boolean known, int failures, Promise<Void> turn) {
        Waiting last = null;
        synchronized (this) {
            if (running < RUNNING_MAX) {
                running++;
                turn.complete();
                return;
            }
            int same = (int)
                    waiting.stream().filter(other -> other.block.equals(block)).count();
            Waiting own = new Waiting(block, !known, failures + same, count++, turn);
            waiting.add(own);
            if (same >= OF_ADDRESS_MAX) {
                last = own;
            } else if (waiting.size() > WAITING_MAX) {
                last = waiting.stream().max(ORDER).orElseThrow();
            }
            if (last != null) {
                waiting.remove(last);
            }
        }
        if (last != null) {
            last.turn.fail(new FailureException(
                    new Failure.Unavailable("Too many passwords are being checked; try again in a moment.")));
        }
    }

    /** Ends a turn. */
    void leave() {
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
            next.turn.complete();
        }
    }
}
