package io.sigma.controlplane.store.database;

import io.sigma.controlplane.failure.FailureException;
import io.vertx.pgclient.PgException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Notes if the disk of the database is full. A write that fails for it reports it; from then on the database is asked
 * periodically if it has room again. Thread-safe.
 */
final class DiskRoom {

    static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final LongSupplier nanoTime;
    private final BooleanSupplier probe;
    private final AtomicLong lookedAt = new AtomicLong();
    private volatile boolean lacking;

    /** @param probe returns whether something can be stored; may wait */
    DiskRoom(LongSupplier nanoTime, BooleanSupplier probe) {
        this.nanoTime = nanoTime;
        this.probe = probe;
    }

    /** Returns whether the database stores a page, which it drops again. Waits. */
    static boolean storesPages(Database database) {
        try {
            database.transaction(connection ->
                    database.query(connection, "create temporary table sigma_room on commit drop as select 1 as page"));
            return true;
        } catch (FailureException e) {
            return false;
        } catch (PgException e) {
            // It may not be asked so: the next write will tell.
            return true;
        }
    }

    /** A statement found no room. */
    void ranOut() {
        lookedAt.set(nanoTime.getAsLong());
        lacking = true;
    }

    /** Returns whether there is room. Waits, at most once in ten seconds. */
    boolean isThere() {
        if (!lacking) {
            return true;
        }
        long now = nanoTime.getAsLong();
        long before = lookedAt.get();
        if (now - before >= AGAIN_NANOS && lookedAt.compareAndSet(before, now) && probe.getAsBoolean()) {
            lacking = false;
        }
        return !lacking;
    }
}
