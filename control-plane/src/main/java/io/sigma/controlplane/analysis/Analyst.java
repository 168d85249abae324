package io.sigma.controlplane.analysis;

import io.sigma.controlplane.callback.Subscribers;
import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.store.history.RevisionLog;
import io.sigma.model.AnalysisCounts;
import io.sigma.model.Finding;
import io.sigma.model.Severity;
import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.Snapshot;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows the findings of the newest revision. It works on a thread of its own, as soon as there is a revision, and
 * passes over those that come while it works. Thread-safe.
 */
public final class Analyst implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Analyst.class);

    /** The interval of rules that depend on the time, such as the expiry of certificates. */
    private static final Duration TICK = Duration.ofMinutes(10);

    /** The longest wait of a read of all findings. The analysis of 100,000 routes takes a few seconds. */
    private static final Duration VIEW_PATIENCE = Duration.ofSeconds(10);

    /** So many steps are remembered for writes that ask what is new with them. */
    private static final int STEPS_MAX = 256;

    /** So many findings of one step are told. */
    private static final int NEW_MAX = 100;

    /**
     * The findings after a change of them.
     *
     * @param mark the same in every process for the same findings, and else another one
     */
    public record Change(AnalysisCounts counts, long mark) {}

    private record Step(long from, long to, List<Finding> added) {}

    private final RevisionLog log;
    private final InstantSource clock;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread worker = new Thread(work, "sigma-analysis");
        worker.setDaemon(true);
        return worker;
    });
    private final Subscribers<Change> listeners = new Subscribers<>("findings");
    private final AtomicBoolean woken = new AtomicBoolean();
    private final AtomicReference<@Nullable AnalysisView> view = new AtomicReference<>();

    // Requests that wait for a revision. Bounded by the requests under way.
    private final ConcurrentSkipListMap<Long, Promise<Void>> waiting = new ConcurrentSkipListMap<>();

    // Confined to the thread.
    private Analyzer analyzer = new Analyzer();
    private final List<Step> steps = new ArrayList<>();

    private Snapshot before = Snapshot.NONE;

    /** True if the analyzer has to look at everything: it knows nothing yet, or a step failed half way. */
    private boolean anew = true;

    /** The mark of the findings that listeners know. */
    private long told;

    // Written by the thread.
    private volatile long revision = -1;

    public Analyst(RevisionLog log, InstantSource clock) {
        this.log = log;
        this.clock = clock;
    }

    /** Begins with the newest revision, and follows. */
    public void start() {
        log.onAdvance(snapshot -> wake());
        wake();
        thread.scheduleWithFixedDelay(this::tick, TICK.toMillis(), TICK.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }

    private void wake() {
        if (woken.compareAndSet(false, true)) {
            execute(() -> {
                woken.set(false);
                advance();
            });
        }
    }

    private void execute(Runnable work) {
        try {
            thread.execute(() -> {
                try {
                    work.run();
                } catch (RuntimeException | Error e) {
                    LOG.error("The analysis of the configuration failed", e);
                }
            });
        } catch (RejectedExecutionException e) {
            // Closed.
            LOG.debug("The analysis has stopped", e);
        }
    }

    /** Calls {@code listener} when the findings have changed since this process first saw them; it must not block. */
    public void onChange(Consumer<Change> listener) {
        listeners.add(listener);
    }

    private void tellIfChanged() {
        if (analyzer.mark() != told) {
            told = analyzer.mark();
            AnalysisCounts counts = new AnalysisCounts(
                    revision,
                    analyzer.count(Severity.ERROR),
                    analyzer.count(Severity.WARNING),
                    analyzer.count(Severity.INFO));
            listeners.tell(new Change(counts, told));
        }
    }

    private void advance() {
        Snapshot snapshot = log.current();
        if (!anew && snapshot.revision() == before.revision() && snapshot.hash().equals(before.hash())) {
            return;
        }
        try {
            advance(snapshot);
        } catch (RuntimeException | Error e) {
            anew = true;
            answer(snapshot.revision(), promise -> promise.tryFail(e));
            throw e;
        }
    }

    private void advance(Snapshot snapshot) {
        boolean whole = anew;
        boolean first = revision < 0;
        List<EntityChange> known =
                whole ? null : log.changesSince(before.revision(), before.hash(), snapshot.revision());
        if (whole) {
            analyzer = new Analyzer();
        }
        long began = System.nanoTime();
        List<Finding> added = analyzer.update(snapshot.state(), known, clock.instant());
        LOG.debug(
                "Revision {} analysed in {} µs, {} findings are new",
                snapshot.revision(),
                (System.nanoTime() - began) / 1000,
                added.size());
        if (first || !whole) {
            // Findings of the first analysis are not new. After a failure it is unknown which of the findings are new.
            steps.add(new Step(revision, snapshot.revision(), first ? List.of() : worst(added)));
        }
        if (steps.size() > STEPS_MAX) {
            steps.removeFirst();
        }
        view.set(null);
        before = snapshot;
        anew = false;
        revision = snapshot.revision();
        // Whoever waits may have seen the revision meanwhile.
        answer(revision, Promise::tryComplete);
        if (first) {
            told = analyzer.mark();
        }
        tellIfChanged();
    }

    /** Answers everybody who waits for a revision up to {@code number}. */
    private void answer(long number, Consumer<Promise<Void>> answer) {
        var reached = waiting.headMap(number, true);
        for (Long one : List.copyOf(reached.keySet())) {
            Promise<Void> promise = reached.remove(one);
            if (promise != null) {
                answer.accept(promise);
            }
        }
    }

    /**
     * Returns the result of {@code work} on the analyzer. If it fails, half of it may be done, so the next one looks at
     * everything.
     */
    private <T> T withAnalyzer(Supplier<T> work) {
        if (anew) {
            advance();
        }
        try {
            return work.get();
        } catch (RuntimeException | Error e) {
            anew = true;
            throw e;
        }
    }

    private void tick() {
        execute(() -> {
            withAnalyzer(() -> analyzer.tick(clock.instant()));
            timeHasGoneOn();
        });
    }

    private void timeHasGoneOn() {
        if (analyzer.mark() != told) {
            view.set(null);
            tellIfChanged();
        }
    }

    /**
     * Returns what is new with a revision, errors first; null when it is not analysed in time.
     *
     * @param patience after which the future completes with null
     */
    public Future<@Nullable List<Finding>> newWith(long number, Duration patience) {
        return reached(number)
                .compose(ready -> this.<@Nullable List<Finding>>onThread(() -> added(number)))
                .timeout(patience.toMillis(), TimeUnit.MILLISECONDS)
                .otherwise((@Nullable List<Finding>) null);
    }

    private @Nullable List<Finding> added(long number) {
        return steps.stream()
                .filter(step -> step.from() < number && number <= step.to())
                .findFirst()
                .map(Step::added)
                .orElse(null);
    }

    /**
     * Returns what would be new with changes that are not made, errors first; null when it is not found out in time.
     *
     * @param base the revision that they are changes of; when there is a newer one meanwhile, they are looked at upon
     *     that
     * @param patience after which the future completes with null, and nobody looks at them any more
     */
    public Future<@Nullable List<Finding>> newWith(long base, List<EntityChange> changes, Duration patience) {
        AtomicBoolean late = new AtomicBoolean();
        return reached(base)
                .compose(ready -> this.<@Nullable List<Finding>>onThread(() -> late.get() ? null : attempt(changes)))
                .timeout(patience.toMillis(), TimeUnit.MILLISECONDS)
                .onFailure(e -> late.set(true))
                .otherwise((@Nullable List<Finding>) null);
    }

    private List<Finding> attempt(List<EntityChange> changes) {
        List<Finding> added = withAnalyzer(() -> analyzer.attempt(changes, clock.instant()));
        timeHasGoneOn();
        return worst(added);
    }

    /** Returns the findings of one step that are reported: the worst, and these first. */
    private static List<Finding> worst(Collection<Finding> found) {
        return found.stream().sorted(AnalysisView.ORDER).limit(NEW_MAX).toList();
    }

    /**
     * Returns all findings of the newest revision, or of a newer one.
     *
     * @return fails with {@link Failure.Unavailable} when it is not found out in time, or cannot be
     */
    public Future<AnalysisView> view() {
        long number = log.current().revision();
        return reached(number)
                .compose(ready -> {
                    AnalysisView known = view.get();
                    return known != null ? Future.succeededFuture(known) : onThread(() -> withAnalyzer(this::build));
                })
                .timeout(VIEW_PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .recover(e -> Future.failedFuture(new FailureException(
                        new Failure.Unavailable(
                                "Revision " + number
                                        + " is not analysed: the analysis takes longer, or it failed. If it failed, the log of the control plane has the reason."),
                        e)));
    }

    private AnalysisView build() {
        AnalysisView known = view.get();
        if (known == null) {
            List<Finding> all = new ArrayList<>();
            analyzer.findings().forEach(all::addAll);
            all.sort(AnalysisView.ORDER);
            known = AnalysisView.of(revision, all);
            view.set(known);
        }
        return known;
    }

    private <T extends @Nullable Object> Future<T> onThread(Supplier<T> work) {
        Promise<T> promise = Promise.promise();
        execute(() -> {
            try {
                promise.complete(work.get());
            } catch (RuntimeException | Error e) {
                promise.tryFail(e);
                throw e;
            }
        });
        return promise.future();
    }

    private Future<Void> reached(long number) {
        if (revision >= number) {
            return Future.succeededFuture();
        }
        Promise<Void> promise = waiting.computeIfAbsent(number, key -> Promise.promise());
        if (revision >= number) {
            promise.tryComplete();
        }
        wake();
        return promise.future();
    }
}
