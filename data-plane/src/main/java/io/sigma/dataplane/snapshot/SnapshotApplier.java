package io.sigma.dataplane.snapshot;

import io.sigma.dataplane.filter.FilterServices;
import io.sigma.dataplane.loop.Scheduling;
import io.sigma.dataplane.telemetry.GatewayMetrics;
import io.sigma.dataplane.upstream.UpstreamCluster;
import io.sigma.snapshot.Snapshot;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes snapshots one after the other: compile, open listeners, swap, close what is superfluous. A few routes that change are served
 * where changes come from, so that nothing else is woken for them; whatever may take longer has a thread of its own.
 */
public final class SnapshotApplier implements SnapshotTarget, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SnapshotApplier.class);

    private static final String CLOSING = "the gateway is closing";

    /** Longest wait for listeners to open. */
    private static final long PREPARE_SECONDS = 30;

    private final SnapshotCompiler compiler;
    private final ActiveSnapshot active;
    private final Preparation preparation;
    private final SnapshotTrials trials;
    /** For what is little, unless changes come from a thread that can do it. */
    private final ExecutorService thread =
            Executors.newSingleThreadExecutor(Scheduling.backgroundThreads("sigma-snapshot"));

    /** For what takes long by itself, or waits. */
    private final ExecutorService large =
            Executors.newSingleThreadExecutor(Scheduling.backgroundThreads("sigma-snapshot-large"));

    /** Where each turn begins. */
    private volatile Executor near = thread;

    /** The end of the turn that was asked for last. Guarded by this. */
    private Future<Void> last = Future.succeededFuture();

    /** Compiled and not served. Confined to turns. */
    private @Nullable RuntimeSnapshot candidate;

    /** What must be possible before a snapshot is served. */
    @FunctionalInterface
    public interface Preparation {

        /**
         * Prepares for {@code next}.
         *
         * @return what is to be done once it is served; fails with {@link SnapshotRefused} when it cannot be
         */
        Future<Runnable> prepare(RuntimeSnapshot next);

        /**
         * Returns whether {@link #prepare} and {@link #check} have nothing to do, and so wait for nothing, for what differs from {@code
         * served} in routes only.
         */
        default boolean isReady(RuntimeSnapshot served) {
            return true;
        }

        /**
         * Looks whether {@link #prepare} could succeed, and changes nothing. Blocks.
         *
         * @throws SnapshotRefused when it could not
         */
        default void check(RuntimeSnapshot next) {
            // Whoever has nothing to open has nothing to look at.
        }
    }

    SnapshotApplier(SnapshotCompiler compiler, ActiveSnapshot active, Preparation preparation, SnapshotTrials trials) {
        this.compiler = compiler;
        this.active = active;
        this.preparation = preparation;
        this.trials = trials;
    }

    /** Returns an applier that compiles for the engine with that connector and those loops. */
    public static SnapshotApplier of(
            io.sigma.dataplane.upstream.Connector connector,
            java.util.List<io.sigma.dataplane.loop.Loop> loops,
            io.sigma.dataplane.telemetry.GatewayMetrics metrics,
            FilterServices filters,
            ActiveSnapshot active,
            Preparation preparation) {
        SnapshotTrials trials = new SnapshotTrials(
                new SnapshotCompiler(connector, loops, new GatewayMetrics(1, loops.size()), filters), active);
        return new SnapshotApplier(
                new SnapshotCompiler(connector, loops, metrics, filters), active, preparation, trials);
    }

    /**
     * From now on, a few routes that change are served by {@code loop}, which is to run one task after the other.
     *
     * @param loop that changes come from, and that carries no traffic
     */
    public void serveLittleBy(Executor loop) {
        near = loop;
    }

    @Override
    public Future<Snapshot> assemble(boolean takesLong, Callable<Snapshot> work) {
        Promise<Snapshot> promise = Promise.promise();
        execute(takesLong ? large : near, () -> assemble(work, promise), () -> promise.fail(CLOSING));
        return promise.future();
    }

    private static void assemble(Callable<Snapshot> work, Promise<Snapshot> promise) {
        try {
            promise.complete(work.call());
        } catch (Exception e) {
            promise.fail(e);
        }
    }

    @Override
    public Future<Void> apply(Snapshot snapshot) {
        return turn(snapshot, () -> run(snapshot))
                .recover(e -> Future.failedFuture(
                        e instanceof RejectedExecutionException ? new SnapshotRefused("", CLOSING) : e));
    }

    @Override
    public Future<Void> prepare(Snapshot snapshot) {
        return turn(snapshot, () -> vote(snapshot));
    }

    @Override
    public void discard() {
        turn(null, this::drop).onFailure(e -> LOG.debug("A candidate goes with the gateway: {}", e.toString()));
    }

    /**
     * Runs {@code work} when all that was asked for before is over.
     *
     * @param snapshot that it takes; null when it is little in any case
     * @return fails as {@code work} does, and with {@link RejectedExecutionException} when the gateway is closing
     */
    private Future<Void> turn(@Nullable Snapshot snapshot, Runnable work) {
        Turn turn = new Turn(work, Promise.promise(), Promise.promise());
        Future<Void> before;
        synchronized (this) {
            before = last;
            last = turn.over().future();
        }
        before.onComplete(any -> execute(
                near,
                () -> {
                    if (snapshot == null || isLittle(snapshot)) {
                        turn.run();
                    } else {
                        execute(large, turn::run, turn::refuse);
                    }
                },
                turn::refuse));
        return turn.result().future();
    }

    private static void execute(Executor executor, Runnable work, Runnable otherwise) {
        try {
            executor.execute(work);
        } catch (RejectedExecutionException e) {
            otherwise.run();
        }
    }

    /**
     * One after the other.
     *
     * @param over completes whatever becomes of {@code work}, and of those that hear of the result
     */
    private record Turn(Runnable work, Promise<Void> result, Promise<Void> over) {

        void run() {
            try {
                work.run();
                result.complete();
            } catch (RuntimeException | Error e) {
                if (!result.tryFail(e)) {
                    LOG.error("Who hears of a snapshot failed", e);
                }
            } finally {
                over.complete();
            }
        }

        void refuse() {
            result.fail(new RejectedExecutionException(CLOSING));
            over.complete();
        }
    }

    private boolean isLittle(Snapshot snapshot) {
        RuntimeSnapshot served = active.current();
        return RouteChange.isLittle(snapshot.state(), served) && preparation.isReady(served);
    }

    private void vote(Snapshot snapshot) {
        drop();
        try {
            RuntimeSnapshot next = compiler.compile(snapshot, active.current());
            candidate = next;
            preparation.check(next);
        } catch (SnapshotRefused e) {
            drop();
            throw e;
        } catch (RuntimeException e) {
            drop();
            LOG.error("Candidate {} could not be compiled", snapshot.revision(), e);
            throw notCompiled(e);
        }
    }

    private static SnapshotRefused notCompiled(RuntimeException cause) {
        return new SnapshotRefused("", "the gateway failed to compile it: " + cause);
    }

    /** Whatever the candidate has that is served stays: nothing was served since it was compiled. */
    private void drop() {
        RuntimeSnapshot unserved = candidate;
        candidate = null;
        if (unserved != null) {
            compiler.forget(unserved, active.current());
            release(unserved, active.current());
        }
    }

    /** Returns what was compiled for a vote if it is {@code snapshot} and still fits what is served. */
    @SuppressWarnings("ReferenceEquality") // The same object comes back after the vote.
    private RuntimeSnapshot compiled(Snapshot snapshot, RuntimeSnapshot before) {
        RuntimeSnapshot ready = candidate;
        if (ready != null && ready.source() == snapshot && ready.carriesDiscoveredOf(before)) {
            candidate = null;
            return ready;
        }
        drop();
        return compiler.compile(snapshot, before);
    }

    @Override
    public Snapshot current() {
        return active.current().source();
    }

    /** Returns where snapshots are tried that nothing shall be served by. */
    public SnapshotTrials trials() {
        return trials;
    }

    private void run(Snapshot snapshot) {
        try {
            long start = System.nanoTime();
            RuntimeSnapshot before = active.current();
            RuntimeSnapshot next = compiled(snapshot, before);
            long compiled = System.nanoTime();
            Runnable afterwards = prepare(next, before);
            next.parts().filters().serve();
            if (!next.hasUpstreamsOf(before)) {
                next.clusters().forEach(UpstreamCluster::serve);
            }
            active.swap(next);
            afterwards.run();
            release(before, next);
            LOG.info(
                    "Revision {} is served: {} entities, compiled in {} ms, prepared in {} ms",
                    snapshot.revision(),
                    snapshot.state().size(),
                    millis(compiled - start),
                    millis(System.nanoTime() - compiled));
        } catch (SnapshotRefused e) {
            LOG.warn("Revision {} is refused: {}: {}", snapshot.revision(), e.pointer(), e.detail());
            throw e;
        } catch (RuntimeException e) {
            LOG.error("Revision {} could not be compiled", snapshot.revision(), e);
            throw notCompiled(e);
        }
    }

    private Runnable prepare(RuntimeSnapshot next, RuntimeSnapshot before) {
        try {
            return await(preparation.prepare(next));
        } catch (RuntimeException e) {
            next.parts().filters().closeExcept(before.parts().filters());
            compiler.forget(next, before);
            throw e;
        }
    }

    private static Runnable await(Future<Runnable> prepared) {
        if (prepared.succeeded()) {
            // An event loop must not wait, and need not.
            return prepared.result();
        }
        try {
            return prepared.await(PREPARE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new SnapshotRefused("/proxyServers", "listeners did not open within " + PREPARE_SECONDS + " s");
        }
    }

    /** Lets go of what {@code kept} does not have: connections to nodes, filters. */
    @SuppressWarnings("ReferenceEquality") // What was carried over is the same object.
    private static void release(RuntimeSnapshot gone, RuntimeSnapshot kept) {
        if (gone.parts().endpoints() != kept.parts().endpoints()) {
            gone.parts().endpoints().forEach((key, endpoint) -> {
                if (kept.parts().endpoints().get(key) != endpoint) {
                    endpoint.retire();
                }
            });
        }
        gone.parts().filters().closeExcept(kept.parts().filters());
    }

    private static long millis(long nanos) {
        return nanos / 1_000_000;
    }

    /** Closes the filters of what is served; to be called when the exchanges are over. Blocks. */
    public void closeFilters() {
        active.current().parts().filters().closeExcept(RuntimeSnapshot.NO_PARTS.filters());
    }

    /** To be called when the first snapshots are served: from now on little things give way at once. */
    public void settle() {
        // Started now if it was not: a thread inherits the weight of the one that starts it, and cannot gain any.
        large.execute(() -> LOG.debug("Little changes give way from now on"));
        if (near.equals(thread)) {
            thread.execute(Scheduling::forLittle);
        }
    }

    /** What was asked for and has not begun fails. */
    @Override
    public void close() {
        thread.shutdown();
        large.shutdown();
        trials.close();
    }
}
