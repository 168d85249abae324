package io.sigma.controlplane.traffic;

import io.sigma.controlplane.callback.Attempt;
import io.sigma.controlplane.reported.Configured;
import io.sigma.controlplane.store.database.Database;
import io.sigma.controlplane.store.database.DatabaseTimes;
import io.sigma.controlplane.store.database.StorableText;
import io.sigma.snapshot.TrafficEntry;
import io.sigma.snapshot.TrafficReport;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.SqlConnection;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds up what gateways report and keeps it in the database. A report is answered when it is kept; one that is heard
 * again, here or by another control plane, is not counted again. Thread-safe; writing is confined to one event loop,
 * one transaction at a time.
 */
public final class TrafficLog {

    /** The kind of what is counted of the whole installation; its id is empty. */
    public static final String ALL = "ALL";

    /** Lengths of slots. */
    public static final int FINE_SECONDS = TrafficReport.SPAN_SECONDS;

    public static final int COARSE_SECONDS = 60;

    private static final String GATEWAY = TrafficEntry.Kind.GATEWAY.name();
    private static final String OTHER = "other";
    private static final String NONE = "none";
    private static final int WAITING_MAX = 2_000;
    /** A gateway waits for an answer before it sends the next report; one that it gave up waiting for may be there. */
    private static final int WAITING_OF_GATEWAY_MAX = 4;

    private static final int BATCH_MAX = 200;
    private static final int ID_LENGTH_MAX = 64;
    private static final int NAME_LENGTH_MAX = 255;
    private static final long AGE_MAX_MILLIS = Duration.ofHours(1).toMillis();
    private static final long FORGET_MILLIS = 30_000;
    private static final Logger LOG = LoggerFactory.getLogger(TrafficLog.class);

    private final Context context;
    private final Vertx vertx;
    private final TrafficTable table;
    private final Limits limits;
    private final InstantSource clock;
    private final Configured configured;
    private final long timer;

    // Confined to the context.
    private final List<Waiting> waiting = new ArrayList<>();
    private Map<TrafficTable.Slot, TrafficCells> known = new HashMap<>();
    private final SlotOwners owners = new SlotOwners();
    private final LateReports lateReports = new LateReports();
    private String writer = newWriter();
    /** When something was counted last, in seconds since 1970. */
    private long newest;

    private boolean writing;
    private boolean failing;
    /** Of those that wait, how many are written one by one. */
    private int alone;

    /**
     * The bounds of the kept traffic.
     *
     * @param seriesMax routes, and upstreams, in a slot; further ones are counted as one, unless the gateway that names
     *     them has named less than its share
     * @param fine how long slots of 5 s are kept
     * @param coarse how long slots of 60 s are kept
     */
    public record Limits(int seriesMax, Duration fine, Duration coarse) {}

    private record Waiting(TrafficReport report, Promise<Void> kept) {}

    /** @param configured routes and upstreams that it does not have are counted as one */
    public TrafficLog(
            Vertx vertx, Context context, Pool pool, Limits limits, InstantSource clock, Configured configured) {
        this.configured = configured;
        this.vertx = vertx;
        this.context = context;
        this.table = new TrafficTable(pool);
        this.limits = limits;
        this.clock = clock;
        this.timer = vertx.setPeriodic(FORGET_MILLIS, id -> forget());
    }

    private static String newWriter() {
        return UUID.randomUUID().toString().substring(0, 13);
    }

    /**
     * Takes in a report.
     *
     * @return completes when it is kept; fails when it cannot be, so that the gateway sends it again
     * @throws IllegalArgumentException when it means nothing
     */
    public Future<Void> heard(TrafficReport report) {
        check(report);
        Promise<Void> kept = Promise.promise();
        configured
                .settled(() -> report.entries().stream().allMatch(this::isCountedAlone))
                .onComplete(settled -> context.runOnContext(nothing -> {
                    long own = waiting.stream()
                            .filter(each -> each.report().gatewayId().equals(report.gatewayId()))
                            .count();
                    if (waiting.size() >= WAITING_MAX || own >= WAITING_OF_GATEWAY_MAX) {
                        kept.fail("too many reports wait");
                        return;
                    }
                    waiting.add(new Waiting(report, kept));
                    write();
                }));
        return kept.future();
    }

    /** Gateways count requests without a route, and what is too much for them, under names of their own. */
    private boolean isCountedAlone(TrafficEntry entry) {
        return entry.id().equals(NONE) || entry.id().equals(OTHER) || configured.has(entry);
    }

    private static void check(TrafficReport report) {
        if (report.entries().size() > TrafficReport.ENTRIES_MAX
                || report.ageMillis() < 0
                || report.startedAt() == null) {
            throw new IllegalArgumentException("entries: " + report.entries().size());
        }
        // Also because reports are put in their order by it.
        StorableText.requireStorable("gatewayId", report.gatewayId(), NAME_LENGTH_MAX);
        DatabaseTimes.requireStorable("startedAt", report.startedAt());
        TrafficCells cells = new TrafficCells();
        for (TrafficEntry entry : report.entries()) {
            StorableText.requireStorable("id", entry.id(), ID_LENGTH_MAX);
            if (entry.kind() == null
                    || (entry.kind() == TrafficEntry.Kind.GATEWAY && !entry.id().equals(report.gatewayId()))) {
                throw new IllegalArgumentException("id: " + entry.id());
            }
            cells.add(entry);
        }
    }

    private void write() {
        if (writing || waiting.isEmpty()) {
            return;
        }
        writing = true;
        int size = Math.min(alone > 0 ? 1 : BATCH_MAX, waiting.size());
        alone = Math.max(0, alone - 1);
        List<Waiting> batch = new ArrayList<>(waiting.subList(0, size));
        waiting.subList(0, size).clear();
        // In one order for all control planes, so that their transactions never wait for each other in a circle; a
        // gateway's own reports stay in theirs.
        batch.sort(Comparator.comparing(each -> each.report().gatewayId()));
        Attempt.of(table::connection)
                .compose(connection -> keep(connection, batch).eventually(connection::close))
                .onComplete(done -> context.runOnContext(nothing -> {
                    writing = false;
                    if (done.failed()) {
                        // Nobody knows what is kept of what this writer wrote: another one begins.
                        known = new HashMap<>();
                        writer = newWriter();
                    }
                    if (done.failed() && batch.size() > 1 && Database.isOfTheStatement(done.cause())) {
                        // Something is wrong with one of them: the others are kept.
                        waiting.addAll(0, batch);
                        alone = batch.size();
                        write();
                        return;
                    }
                    report(done.succeeded() ? null : done.cause());
                    batch.forEach(each -> {
                        if (done.succeeded()) {
                            each.kept().complete();
                        } else {
                            each.kept().fail(done.cause());
                        }
                    });
                    write();
                }));
    }

    private void report(@Nullable Throwable failure) {
        if (failure != null && !failing) {
            LOG.warn("Traffic figures cannot be stored: {}", failure.getMessage());
        }
        failing = failure != null;
    }

    private Future<Void> keep(SqlConnection connection, List<Waiting> batch) {
        List<TrafficReport> reports = batch.stream().map(Waiting::report).toList();
        return connection
                .begin()
                .compose(transaction -> table.accept(connection, reports)
                        .compose(accepted -> {
                            List<TrafficReport> fresh = new ArrayList<>();
                            for (int i = 0; i < reports.size(); i++) {
                                if (accepted.get(i)) {
                                    fresh.add(reports.get(i));
                                }
                            }
                            return count(connection, fresh);
                        })
                        .compose(counted -> transaction.commit().<Void>map(done -> {
                            install(counted);
                            return null;
                        }))
                        .recover(e -> transaction.rollback().transform(done -> Future.failedFuture(e))));
    }

    private Future<Map<TrafficTable.Slot, TrafficCells>> count(SqlConnection connection, List<TrafficReport> fresh) {
        Map<TrafficTable.Slot, TrafficCells> counted = new HashMap<>();
        Map<TrafficTable.Slot, TrafficCells> late = new HashMap<>();
        long now = clock.instant().getEpochSecond();
        if (now < newest) {
            // The clock went back: what this writer knew of slots that come again is forgotten, so another one begins.
            known = new HashMap<>();
            writer = newWriter();
        }
        newest = now;
        for (TrafficReport report : fresh) {
            long end = clock.instant().toEpochMilli() - Math.min(report.ageMillis(), AGE_MAX_MILLIS);
            for (int seconds : new int[] {FINE_SECONDS, COARSE_SECONDS}) {
                for (SlotShare share : SlotShare.of(end, seconds)) {
                    boolean forgotten = share.start() < keptFrom(now, seconds);
                    if (forgotten && !lateReports.take(report.gatewayId(), now)) {
                        // Each takes rows of its own: a gateway that is always late would fill the disk.
                        continue;
                    }
                    Map<TrafficTable.Slot, TrafficCells> target = forgotten ? late : counted;
                    // That the gateway ran is worth a slot, even when nothing came.
                    String by = report.gatewayId();
                    slot(target, forgotten, by, new TrafficTable.Slot(seconds, GATEWAY, by, share.start()));
                    slot(target, forgotten, by, new TrafficTable.Slot(seconds, ALL, "", share.start()));
                    for (TrafficEntry entry : report.entries()) {
                        TrafficEntry part = share.of(entry);
                        if (part == null) {
                            continue;
                        }
                        String kind = entry.kind().name();
                        String id = isCountedAlone(entry) ? entry.id() : OTHER;
                        slot(target, forgotten, by, new TrafficTable.Slot(seconds, kind, id, share.start()))
                                .add(part);
                        if (entry.kind() == TrafficEntry.Kind.GATEWAY) {
                            slot(target, forgotten, by, new TrafficTable.Slot(seconds, ALL, "", share.start()))
                                    .add(part);
                        }
                    }
                }
            }
        }
        return table.write(connection, writer, counted)
                // This writer has forgotten its sums of these late slots, so a new writer id adds to them.
                .compose(done -> table.write(connection, newWriter(), late))
                .map(counted);
    }

    /** Returns the start of the oldest slot that is remembered. */
    private static long keptFrom(long now, int seconds) {
        return now - 3L * seconds - 30;
    }

    /**
     * Returns the cells of a slot, to add to.
     *
     * @param begins whether what was counted of the slot before is kept by another writer
     * @param gatewayId who counts in it
     */
    private TrafficCells slot(
            Map<TrafficTable.Slot, TrafficCells> target, boolean begins, String gatewayId, TrafficTable.Slot wanted) {
        TrafficTable.Slot slot = wanted;
        if (!target.containsKey(wanted) && !known.containsKey(wanted)) {
            boolean full = known.size() + target.size() >= slotsMax();
            if (!wanted.kind().equals(ALL) && full && !owners.isOwed(gatewayId, slotsMax())) {
                slot = new TrafficTable.Slot(wanted.seconds(), wanted.kind(), OTHER, wanted.start());
            } else {
                owners.add(gatewayId, wanted);
            }
        }
        // A slot that is written by one that knows nothing begins with nothing, though this writer may not have
        // forgotten it yet.
        TrafficCells before = begins ? null : known.get(slot);
        return target.computeIfAbsent(slot, absent -> before == null ? new TrafficCells() : before.copy());
    }

    /** Returns how many slots are remembered: of each length a few at a time, for each thing that is counted. */
    private int slotsMax() {
        return limits.seriesMax() * 16;
    }

    private void install(Map<TrafficTable.Slot, TrafficCells> counted) {
        long now = clock.instant().getEpochSecond();
        known.putAll(counted);
        known.keySet().removeIf(slot -> slot.start() < keptFrom(now, slot.seconds()));
        owners.retain(known.keySet());
    }

    private void forget() {
        table.forget(FINE_SECONDS, limits.fine().toSeconds())
                .compose(done -> table.forget(COARSE_SECONDS, limits.coarse().toSeconds()))
                .compose(done -> table.forgetReports())
                .onFailure(e -> LOG.debug("Old traffic cannot be deleted: {}", e.getMessage()));
    }

    /**
     * Returns what was counted of one thing, by the start of slots. Of {@link #ALL}, and of a gateway, that is every
     * slot in which it ran, also when nothing came; of others those in which something came.
     *
     * @param kind of {@link TrafficEntry.Kind}, or {@link #ALL}
     */
    public Future<? extends SortedMap<Instant, TrafficCells>> series(
            int seconds, String kind, String id, Instant from, Instant to) {
        return table.series(seconds, kind, id, from, to);
    }

    /**
     * Returns the starts of the slots in which a gateway ran, in their order: the given one, or any when that is null.
     */
    public Future<List<Instant>> reported(int seconds, @Nullable String gatewayId, Instant from, Instant to) {
        return gatewayId == null
                ? table.slots(seconds, ALL, "", from, to)
                : table.slots(seconds, GATEWAY, gatewayId, from, to);
    }

    /**
     * Returns what was counted of the things with the most.
     *
     * @param by {@code requests}, {@code failures} or {@code bytes}
     */
    public Future<Map<String, TrafficCells>> top(
            int seconds, String kind, Instant from, Instant to, String by, int limit) {
        return table.top(seconds, kind, from, to, by, limit);
    }

    /**
     * As {@link #top}, of some things alone, and of each what was counted in slots that began after a time.
     *
     * @param beginnings by id
     */
    public Future<Map<String, TrafficCells>> topOf(
            int seconds, String kind, Instant from, Instant to, String by, int limit, Map<String, Instant> beginnings) {
        return table.topOf(seconds, kind, from, to, by, limit, beginnings);
    }

    /** Ends the timer. */
    public void close() {
        vertx.cancelTimer(timer);
    }
}
