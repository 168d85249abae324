package io.sigma.controlplane.store.database;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.ConnectionPoolTooBusyException;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * A few turns at a time, given in the order in which they are asked for. Beside the queue of a pool, which does not
 * tell a wait for others from one for the database. Thread-safe; does not block.
 */
final class Turns {

    private final int queueMax;

    // Guarded by this.
    private final Queue<Promise<Void>> waiting = new ArrayDeque<>();
    private int free;

    /** @param queueMax how many may wait */
    Turns(int turns, int queueMax) {
        this.free = turns;
        this.queueMax = queueMax;
    }

    /** Completes when it is the caller's turn, until {@link #give}; fails when too many wait. */
    synchronized Future<Void> take() {
        if (free > 0) {
            free--;
            return Future.succeededFuture();
        }
        if (waiting.size() >= queueMax) {
            return Future.failedFuture(
                    new ConnectionPoolTooBusyException("(expected: at most " + queueMax + " waiting)"));
        }
        Promise<Void> promise = Promise.promise();
        waiting.add(promise);
        return promise.future();
    }

    /** Gives up what {@link #take} returned: a place in the queue, or a turn that came after all. */
    void leave(Future<Void> turn) {
        boolean left;
        synchronized (this) {
            left = waiting.removeIf(promise -> promise.future().equals(turn));
        }
        if (!left) {
            give();
        }
    }

    /** Ends a turn. */
    void give() {
        @Nullable Promise<Void> next;
        synchronized (this) {
            next = waiting.poll();
            if (next == null) {
                free++;
            }
        }
        if (next != null) {
            next.complete();
        }
    }
}
