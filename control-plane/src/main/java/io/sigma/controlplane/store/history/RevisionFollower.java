package io.sigma.controlplane.store.history;

import io.sigma.controlplane.callback.Subscribers;
import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.model.Revision;
import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.Snapshot;
import io.sigma.snapshot.StateHash;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the database's head: after a local commit, a notification or a poll it reads what it lacks, moves the
 * snapshot forward in the size of the change, and checks the hash. What does not fit is loaded again whole.
 */
public final class RevisionFollower implements RevisionLog {

    private static final Logger LOG = LoggerFactory.getLogger(RevisionFollower.class);
    private static final long LOAD_RETRY_MILLIS = 200;

    private static final int REVISIONS_A_STEP = 256;

    private final RevisionReader reader;
    private final RecentRevisions recent;
    private final long pollMillis;

    private final Semaphore hints = new Semaphore(0);
    private final Subscribers<Snapshot> listeners = new Subscribers<>("states");
    private final Subscribers<Revision> revisionListeners = new Subscribers<>("revisions");

    // Requests that wait until the database was asked. Bounded by the requests under way.
    private final Queue<Promise<Snapshot>> doubts = new ConcurrentLinkedQueue<>();

    // Writes that wait for a revision. Bounded by the writes under way.
    private final ConcurrentSkipListMap<Long, Promise<Void>> waiting = new ConcurrentSkipListMap<>();

    private final Thread thread;

    // Written by the log's thread only.
    private volatile Snapshot current = Snapshot.NONE;
    private volatile boolean closed;
    private boolean failing;
    /** A hash of the newest revision in the database that is not its own, as of another version of the model. */
    private @Nullable StateHash strange;

    /**
     * @param revisionsInMemoryMax changes of so many revisions are kept in memory
     * @param pollMillis between looks at the database without a hint
     */
    public RevisionFollower(RevisionReader reader, int revisionsInMemoryMax, long pollMillis) {
        this.reader = reader;
        this.recent = new RecentRevisions(revisionsInMemoryMax);
        this.pollMillis = pollMillis;
        this.thread = Thread.ofVirtual().name("sigma-revision-log").unstarted(this::run);
    }

    /**
     * Loads the whole state and begins to follow. Waits, on a virtual thread.
     *
     * @param patience how long a database that does not answer is asked again
     * @throws FailureException when it does not answer even then
     */
    public void start(Duration patience) throws InterruptedException {
        Snapshot loaded = load(patience);
        StateHash hash = StateHash.of(loaded.state());
        if (!hash.equals(loaded.hash())) {
            // A newer version of the model writes entities in another canonical form, such as with a new default.
            LOG.warn("The state hash of revision {} is out of date and is computed again", loaded.revision());
            reader.rehash(loaded, hash);
        }
        replace(new Snapshot(loaded.revision(), hash, loaded.state()));
        thread.start();
    }

    private Snapshot load(Duration patience) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + patience.toNanos();
        while (true) {
            try {
                return reader.load();
            } catch (FailureException e) {
                if (!(e.failure() instanceof Failure.Unavailable) || System.nanoTime() - deadlineNanos >= 0) {
                    throw e;
                }
                LOG.warn("The state cannot be loaded yet: {}", e.getMessage());
                Thread.sleep(LOAD_RETRY_MILLIS);
            }
        }
    }

    @Override
    public Snapshot current() {
        return current;
    }

    @Override
    public void onAdvance(Consumer<Snapshot> listener) {
        listeners.add(listener);
    }

    /**
     * As {@link #onAdvance}, with what is known of each new revision; revisions that were skipped over are not told.
     */
    public void onRevision(Consumer<Revision> listener) {
        revisionListeners.add(listener);
    }

    @Override
    public @Nullable List<EntityChange> changesSince(long revision, StateHash hash, long toRevision) {
        return recent.since(revision, hash, toRevision);
    }

    @Override
    public @Nullable StateHash hashOf(long revision) {
        Snapshot newest = current;
        return revision == newest.revision() ? newest.hash() : recent.hashOf(revision);
    }

    @Override
    public Future<Snapshot> confirmed() {
        Promise<Snapshot> promise = Promise.promise();
        doubts.add(promise);
        hint();
        return promise.future();
    }

    /** Says that there may be a newer revision. Any thread; does not block. */
    public void hint() {
        if (hints.availablePermits() == 0) {
            hints.release();
        }
    }

    /** Completes when {@link #current()} is at least {@code revision}; never fails, so the caller sets a time limit. */
    public Future<Void> reached(long revision) {
        Promise<Void> promise = waiting.computeIfAbsent(revision, number -> Promise.promise());
        wakeWaiting();
        return promise.future();
    }

    /** Stops following; {@link #current()} stays as it is. */
    public void close() {
        closed = true;
        thread.interrupt();
    }

    private void run() {
        while (!closed) {
            try {
                if (hints.tryAcquire(pollMillis, TimeUnit.MILLISECONDS)) {
                    hints.drainPermits();
                }
                List<Promise<Snapshot>> asking = doubts();
                try {
                    advance();
                } catch (RuntimeException | Error e) {
                    asking.forEach(promise -> promise.fail(e));
                    throw e;
                }
                asking.forEach(promise -> promise.complete(current));
                if (failing) {
                    failing = false;
                    LOG.info("Following revisions again, at {}", current.revision());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (RuntimeException | Error e) {
                report(e);
            }
        }
    }

    private List<Promise<Snapshot>> doubts() {
        List<Promise<Snapshot>> asking = new ArrayList<>();
        for (Promise<Snapshot> next = doubts.poll(); next != null; next = doubts.poll()) {
            asking.add(next);
        }
        return asking;
    }

    private void report(Throwable e) {
        if (!closed && !failing) {
            failing = true;
            boolean down = e instanceof FailureException;
            LOG.warn("Revisions cannot be read; trying again every {} ms", pollMillis, down ? null : e);
        }
    }

    private void advance() {
        while (true) {
            Snapshot from = current;
            List<Revision> revisions = reader.after(from.revision(), REVISIONS_A_STEP);
            if (revisions.isEmpty()) {
                compare(from, reader.head());
                return;
            }
            // Of old ones only some are kept.
            if (revisions.getLast().number() != from.revision() + revisions.size()) {
                LOG.warn("Revisions after {} are gone from the history; loading the whole state", from.revision());
                replace(verified());
                return;
            }
            step(from, revisions);
            if (revisions.size() < REVISIONS_A_STEP) {
                return;
            }
        }
    }

    /** The same number is not the same state: a database that was restored may have come as far again. */
    private void compare(Snapshot from, Head head) {
        if (head.revision() < from.revision()) {
            LOG.error(
                    "The database went back from revision {} to {}: it was restored, and its state is used",
                    from.revision(),
                    head.revision());
            replace(verified());
        } else if (head.revision() == from.revision()
                && !head.hash().equals(from.hash())
                && !head.hash().equals(strange)) {
            Snapshot loaded = reader.load();
            StateHash hash = StateHash.of(loaded.state());
            if (loaded.revision() == from.revision() && hash.equals(from.hash())) {
                // Not written again here: the control plane of another version, which did it, would do the same.
                strange = head.hash();
                LOG.warn(
                        "Revision {} has the hash {} in the database",
                        head.revision(),
                        head.hash().hex());
                return;
            }
            LOG.error(
                    "The database has another history: revision {} was {} and is {}; it was restored, and its state is used",
                    from.revision(),
                    from.hash().hex(),
                    head.hash().hex());
            replace(verified());
        }
    }

    private void step(Snapshot from, List<Revision> revisions) {
        long last = revisions.getLast().number();
        Map<Long, List<EntityChange>> changes = reader.changes(from.revision(), last);
        List<EntityChange> all = new ArrayList<>();
        changes.values().forEach(all::addAll);
        Snapshot moved = from.advance(last, all);
        StateHash expected = StateHash.parse(revisions.getLast().stateHash());
        if (!moved.hash().equals(expected)) {
            LOG.error(
                    "State hash of revision {}: {} (expected: {}); loading the whole state",
                    last,
                    moved.hash().hex(),
                    expected.hex());
            replace(verified());
            return;
        }
        for (Revision revision : revisions) {
            recent.add(
                    revision.number(),
                    StateHash.parse(revision.stateHash()),
                    changes.getOrDefault(revision.number(), List.of()));
        }
        publish(moved);
        revisions.forEach(revisionListeners::tell);
    }

    /** Returns the whole state with the hash that it really has. */
    private Snapshot verified() {
        Snapshot loaded = reader.load();
        StateHash hash = StateHash.of(loaded.state());
        if (!hash.equals(loaded.hash())) {
            LOG.error(
                    "State hash in the database at revision {}: {} (expected: {})",
                    loaded.revision(),
                    loaded.hash().hex(),
                    hash.hex());
            rehash(loaded, hash);
        }
        return new Snapshot(loaded.revision(), hash, loaded.state());
    }

    /**
     * Stores the right state hash. A revision on top of a wrong hash has a wrong hash again, and this process would
     * load the whole state at each revision.
     */
    private void rehash(Snapshot loaded, StateHash hash) {
        try {
            reader.rehash(loaded, hash);
        } catch (FailureException e) {
            LOG.warn(
                    "The state hash of revision {} stays wrong until the next revision: {}",
                    loaded.revision(),
                    e.getMessage());
        }
    }

    private void replace(Snapshot snapshot) {
        recent.restart(snapshot.revision(), snapshot.hash());
        publish(snapshot);
    }

    private void publish(Snapshot snapshot) {
        current = snapshot;
        wakeWaiting();
        listeners.tell(snapshot);
    }

    private void wakeWaiting() {
        var reached = waiting.headMap(current.revision(), true);
        for (Long revision : List.copyOf(reached.keySet())) {
            Promise<Void> promise = reached.remove(revision);
            if (promise != null) {
                promise.complete();
            }
        }
    }
}
