package io.sigma.dataplane.snapshot;

import io.sigma.dataplane.filter.FilterServices;
import io.sigma.dataplane.loop.Loop;
import io.sigma.dataplane.telemetry.GatewayMetrics;
import io.sigma.dataplane.upstream.Connector;
import io.sigma.dataplane.upstream.UpstreamCluster;
import io.sigma.snapshot.Snapshot;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Takes snapshots one after the other: compile, open listeners, swap, close what is superfluous. */
public final class SnapshotApplier implements SnapshotTarget, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SnapshotApplier.class);

    private static final String CLOSING = "the gateway is closing";

    private final SnapshotCompiler compiler;
    private final ActiveSnapshot active;
    private final Preparation preparation;
    private final SnapshotTrials trials;
    private final ConfigurationBound bound;
    private final SnapshotThreads threads = new SnapshotThreads();

    /** Compiled and not served. Confined to the thread. */
    private @Nullable RuntimeSnapshot candidate;

    /** Why what is served is not the whole of its revision; null when it is. Written by the thread. */
    private volatile @Nullable SnapshotRefused lacking;

    /**
     * The terms on which a snapshot is applied.
     *
     * @param unnamed whether what nothing names must be usable as well
     * @param inPart whether it is served without what cannot be opened while no revision is served as a whole
     */
    private record Terms(boolean unnamed, boolean inPart) {}

    /**
     * A snapshot that is ready to be served.
     *
     * @param lacking why it is not the whole; null when it is
     */
    private record Ready(
            Preparation.Prepared prepared, @Nullable SnapshotRefused lacking) {}

    SnapshotApplier(
            SnapshotCompiler compiler,
            ActiveSnapshot active,
            Preparation preparation,
            SnapshotTrials trials,
            ConfigurationBound bound) {
        this.bound = bound;
        this.compiler = compiler;
        this.active = active;
        this.preparation = preparation;
        this.trials = trials;
    }

    /** Returns an applier that compiles for the engine with that connector and those loops. */
    public static SnapshotApplier of(
            Connector connector,
            List<Loop> loops,
            GatewayMetrics metrics,
            FilterServices filters,
            ActiveSnapshot active,
            Preparation preparation) {
        return of(connector, loops, metrics, filters, active, preparation, ConfigurationBound.ofProcess());
    }

    /** As above, with a bound for the size of the configuration. */
    static SnapshotApplier of(
            Connector connector,
            List<Loop> loops,
            GatewayMetrics metrics,
            FilterServices filters,
            ActiveSnapshot active,
            Preparation preparation,
            ConfigurationBound bound) {
        SnapshotTrials trials = new SnapshotTrials(
                new SnapshotCompiler(connector, loops, new GatewayMetrics(1, loops.size()), filters), active);
        return new SnapshotApplier(
                new SnapshotCompiler(connector, loops, metrics, filters), active, preparation, trials, bound);
    }

    @Override
    public Future<Snapshot> assemble(boolean takesLong, Callable<Snapshot> work) {
        Promise<Snapshot> promise = Promise.promise();
        Runnable task = () -> assemble(work, promise);
        if (!(takesLong ? threads.runLarge(task) : threads.run(task))) {
            promise.fail(CLOSING);
        }
        return promise.future();
    }

    private static void assemble(Callable<Snapshot> work, Promise<Snapshot> promise) {
        try {
            promise.complete(work.call());
        } catch (Throwable e) {
            // Whoever waits would wait for ever.
            promise.fail(e);
        }
    }

    @Override
    public Future<Void> apply(Snapshot snapshot) {
        return apply(snapshot, new Terms(true, false));
    }

    /**
     * As {@link #apply}. While no revision is served as a whole, one that is refused for what cannot be opened is
     * served without that: one listener whose port is taken does not keep the others closed. It counts as refused, the
     * future fails, and {@link #current()} stays; {@link #completeWhole()} makes it whole.
     */
    public Future<Void> applyAtLeastInPart(Snapshot snapshot) {
        return apply(snapshot, new Terms(true, true));
    }

    /**
     * As {@link #applyAtLeastInPart}, for a snapshot that was served before the gateway started: what has become
     * unusable since and is not in use does not keep it from serving the rest.
     */
    public Future<Void> restore(Snapshot snapshot) {
        return apply(snapshot, new Terms(false, true));
    }

    private Future<Void> apply(Snapshot snapshot, Terms terms) {
        Promise<Void> promise = Promise.promise();
        if (!threads.run(() -> run(snapshot, terms, promise))) {
            promise.fail(new SnapshotRefused("", CLOSING));
        }
        return promise.future();
    }

    @Override
    public Future<Void> prepare(Snapshot snapshot) {
        Promise<Void> promise = Promise.promise();
        if (!threads.run(() -> vote(snapshot, promise))) {
            promise.fail(CLOSING);
        }
        return promise.future();
    }

    @Override
    public void discard() {
        threads.run(this::drop);
    }

    /** Runs {@code task} while no snapshot is prepared. */
    public void betweenSnapshots(Runnable task) {
        threads.run(task);
    }

    private void vote(Snapshot snapshot, Promise<Void> promise) {
        drop();
        RuntimeSnapshot before = active.current();
        try {
            bound.check(snapshot.state(), before.source().state());
            compiler.checkPaths(snapshot, before);
            RuntimeSnapshot next = compile(snapshot, before, true);
            candidate = next;
            preparation.check(next, true);
            preparation.judge(next);
            promise.complete();
        } catch (SnapshotRefused e) {
            drop();
            promise.fail(e);
        } catch (Throwable e) {
            // Not RuntimeException alone: without an answer the gateway would vote no more.
            drop();
            LOG.error("Candidate {} could not be compiled", snapshot.revision(), e);
            promise.fail(SnapshotRefused.defect("", e));
        }
    }

    /** Whatever the candidate has that is served stays: nothing was served since it was compiled. */
    private void drop() {
        RuntimeSnapshot unserved = candidate;
        candidate = null;
        if (unserved != null) {
            letGo(unserved, active.current());
        }
    }

    /** Returns what was compiled for a vote if it is {@code snapshot} and still fits what is served. */
    @SuppressWarnings("ReferenceEquality") // The same object comes back after the vote.
    private RuntimeSnapshot compiled(Snapshot snapshot, RuntimeSnapshot before, boolean unnamed) {
        RuntimeSnapshot ready = candidate;
        if (ready != null && ready.source() == snapshot && ready.carriesDiscoveredOf(before)) {
            candidate = null;
            return ready;
        }
        drop();
        compiler.tellPaths(snapshot, before);
        return compile(snapshot, before, unnamed);
    }

    /** The one way from a snapshot to what is served: votes and applications differ in what is done with the result. */
    private RuntimeSnapshot compile(Snapshot snapshot, RuntimeSnapshot before, boolean unnamed) {
        if (RouteChange.isAll(snapshot.state(), before)) {
            return compiler.compile(snapshot, before, unnamed);
        }
        try {
            return CompletableFuture.supplyAsync(() -> compiler.compile(snapshot, before, unnamed), threads.large())
                    .join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    /** Returns the snapshot that is served as a whole. */
    @Override
    public Snapshot current() {
        return lacking == null ? active.current().source() : Snapshot.NONE;
    }

    /** Returns whether requests are served by {@code snapshot}, as a whole or in part. */
    @SuppressWarnings("ReferenceEquality") // The served snapshot is the object that was handed in.
    public boolean serves(Snapshot snapshot) {
        return active.current().source() == snapshot;
    }

    private boolean isServed(Snapshot snapshot) {
        Snapshot served = active.current().source();
        return served.revision() == snapshot.revision() && served.hash().equals(snapshot.hash());
    }

    /** Opens what is lacking of what is served, as far as that is possible now. Does nothing where nothing lacks. */
    public void completeWhole() {
        if (lacking != null) {
            betweenSnapshots(this::complete);
        }
    }

    private void complete() {
        if (lacking == null) {
            return;
        }
        RuntimeSnapshot served = active.current();
        try {
            Preparation.await(preparation.prepareInPart(served)).keep();
            preparation.check(served, false);
            lacking = null;
            LOG.info("Revision {} is served as a whole", served.source().revision());
        } catch (SnapshotRefused e) {
            lacking = e;
            LOG.debug("Revision {} is still served in part: {}", served.source().revision(), e.getMessage());
        } catch (Throwable e) {
            LOG.error(
                    "The missing parts of revision {} could not be opened",
                    served.source().revision(),
                    e);
        }
    }

    /** Returns where snapshots are tried that nothing shall be served by. */
    public SnapshotTrials trials() {
        return trials;
    }

    private void run(Snapshot snapshot, Terms terms, Promise<Void> promise) {
        if (lacking != null && terms.inPart() && isServed(snapshot)) {
            // It is tried again: all but what is lacking is there.
            complete();
            SnapshotRefused still = lacking;
            if (still == null) {
                promise.complete();
            } else {
                promise.fail(still);
            }
            return;
        }
        try {
            long start = System.nanoTime();
            RuntimeSnapshot before = active.current();
            RuntimeSnapshot next = compiled(snapshot, before, terms.unnamed());
            long compiled = System.nanoTime();
            Ready ready = prepare(next, before, terms);
            SnapshotRefused missing = ready.lacking();
            if (missing != null) {
                // Before it is served: nobody may see it as whole.
                lacking = missing;
            }
            try {
                next.parts().filters().serve();
                if (!next.hasUpstreamsOf(before)) {
                    next.clusters().forEach(UpstreamCluster::serve);
                }
            } catch (Throwable e) {
                ready.prepared().undo();
                letGo(next, before);
                throw e;
            }
            active.swap(next);
            lacking = missing;
            tidy(snapshot, () -> {
                ready.prepared().keep();
                before.release(next);
                compiler.forgetRoutes(before, next);
            });
            if (missing != null) {
                LOG.error(
                        "Revision {} is served in part: {}: {}",
                        snapshot.revision(),
                        missing.pointer(),
                        missing.detail());
                promise.fail(missing);
                return;
            }
            // Of changes of routes many may come in a second; of those that are saved together the saver tells one.
            Level level = RouteChange.isAll(snapshot.state(), before) ? Level.DEBUG : Level.INFO;
            LOG.atLevel(level)
                    .log(
                            "Revision {} is served: {} entities, compiled in {} ms, prepared in {} ms",
                            snapshot.revision(),
                            snapshot.state().size(),
                            millis(compiled - start),
                            millis(System.nanoTime() - compiled));
            promise.complete();
        } catch (SnapshotRefused e) {
            LOG.warn("Revision {} is refused: {}: {}", snapshot.revision(), e.pointer(), e.detail());
            promise.fail(e);
        } catch (Throwable e) {
            // Not RuntimeException alone: whoever waits would take no further revision.
            LOG.error("Revision {} could not be served", snapshot.revision(), e);
            promise.fail(SnapshotRefused.defect("", e));
        }
    }

    /** Runs {@code work} after {@code snapshot} is served. A failure of it does not refuse the snapshot. */
    private static void tidy(Snapshot snapshot, Runnable work) {
        try {
            work.run();
        } catch (Throwable e) {
            LOG.error(
                    "Revision {} is served, but parts of the earlier one could not be released",
                    snapshot.revision(),
                    e);
        }
    }

    private Ready prepare(RuntimeSnapshot next, RuntimeSnapshot before, Terms terms) {
        boolean inPart = terms.inPart() && (lacking != null || before.source().revision() == 0);
        try {
            try {
                // The same check as in a vote, so its findings have the same pointer and words.
                preparation.check(next, terms.unnamed());
                return new Ready(Preparation.await(preparation.prepare(next)), null);
            } catch (SnapshotRefused e) {
                if (!inPart) {
                    throw e;
                }
                return new Ready(Preparation.await(preparation.prepareInPart(next)), e);
            }
        } catch (Throwable e) {
            letGo(next, before);
            throw e;
        }
    }

    private void letGo(RuntimeSnapshot unserved, RuntimeSnapshot served) {
        compiler.forget(unserved, served);
        unserved.release(served);
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
        threads.settle();
    }

    @Override
    public void close() {
        threads.close();
        trials.close();
    }
}
