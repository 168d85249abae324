package io.sigma.controlplane.api.operation;

import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.limit.FairQueue;
import io.vertx.core.Future;

/**
 * Lets a few passwords be checked at once, from the look at the database to the answer. A bounded number waits, of one
 * address a few. An address that is known comes next even if each of the others comes for the first time. Thread-safe;
 * methods wait, on a virtual thread.
 */
final class LoginQueue {

    private static final int RUNNING_MAX = 4;
    private static final int WAITING_MAX = 128;
    private static final int OF_ADDRESS_MAX = 8;

    private final FairQueue queue = new FairQueue(RUNNING_MAX, WAITING_MAX, OF_ADDRESS_MAX);

    /**
     * Waits for a turn, which is ended by {@link #leave}.
     *
     * @param block address of the client
     * @param known whether it showed right credentials before
     * @param failures of that address that count now; those of it that wait count besides
     * @throws FailureException with {@link Failure.Unavailable} when too many wait
     */
    void enter(String block, boolean known, int failures) {
        boolean came =
                Future.fromCompletionStage(queue.join(block, known, failures)).await();
        if (!came) {
            throw new FailureException(
                    new Failure.Unavailable("Too many passwords are being checked; try again in a moment."));
        }
    }

    /** Ends a turn. */
    void leave() {
        queue.leave();
    }
}
