package io.sigma.controlplane.events;

import io.sigma.controlplane.callback.Attempt;
import io.sigma.controlplane.callback.Subscribers;
import io.sigma.controlplane.store.database.Notifications;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import io.vertx.sqlclient.Pool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of events that all control planes write and read. The newest are held in memory, so that many clients can go
 * on at once. Notifications are hints: the log is also looked at every two seconds. Thread-safe.
 */
public final class EventLog {

    private static final long POLL_MILLIS = 2_000;
    private static final long FORGET_MILLIS = 60_000;
    private static final int STEP = 500;

    /** Characters of data in memory; a client that wants older events has to load afresh. */
    private static final long CHARS_MAX = 16_000_000;

    private static final Duration LONG_AGO = Duration.ofHours(1);
    private static final Logger LOG = LoggerFactory.getLogger(EventLog.class);

    private final Vertx vertx;
    private final Context context;
    private final EventTable table;
    private final EventOutbox outbox;
    private final int keptMax;
    private final Notifications notifications;
    private final List<Long> timers = new ArrayList<>();
    private final Subscribers<Place> listeners = new Subscribers<>("events");

    /** An event, and when this process came to know it. */
    private record Kept(Event event, long nanos) {}

    /**
     * A place in the log: behind an event.
     *
     * @param generation of the log: another one begins when the database was set back, or this process fell behind too
     *     far
     */
    public record Place(int generation, long number) {}

    // Guarded by this.
    private final TreeMap<Long, Kept> kept = new TreeMap<>();
    private long chars;
    private int generation;
    private long last;

    /** All events after this one are kept. */
    private long forgotten;

    // Confined to the context.
    private List<Promise<Void>> waiting = new ArrayList<>();
    private boolean loaded;
    private boolean reading;
    private boolean again;
    private boolean closed;

    private EventLog(Vertx vertx, Pool pool, Notifications notifications, int keptMax) {
        this.vertx = vertx;
        this.context = ((VertxInternal) vertx).createEventLoopContext();
        this.table = new EventTable(pool);
        this.outbox = new EventOutbox(vertx, context, table, this::read);
        this.keptMax = keptMax;
        this.notifications = notifications;
    }

    /**
     * Begins to follow the log; completes when what is kept of it is loaded.
     *
     * @param notifications of the same database, not started
     * @param keptMax events that are kept
     */
    public static Future<EventLog> start(Vertx vertx, Pool pool, Notifications notifications, int keptMax) {
        EventLog log = new EventLog(vertx, pool, notifications, keptMax);
        Promise<EventLog> started = Promise.promise();
        log.context.runOnContext(nothing -> {
            log.follow();
            log.refreshed().map(log).onComplete(started);
        });
        return started.future();
    }

    private void follow() {
        notifications
                .on(EventTable.CHANNEL, payload -> context.runOnContext(nothing -> read()))
                .start();
        timers.add(vertx.setPeriodic(POLL_MILLIS, timer -> read()));
        timers.add(vertx.setPeriodic(
                FORGET_MILLIS,
                timer -> table.forget(keptMax)
                        .onFailure(e -> LOG.debug("Old events cannot be deleted: {}", e.getMessage()))));
    }

    /** Calls {@code listener} when there are more events, on an event loop; it must not block. */
    public void onNews(Runnable listener) {
        listeners.add(newest -> listener.run());
    }

    /** Has something told; see {@link EventOutbox#tell}. */
    void tell(String key, Supplier<List<NewEvent>> events) {
        outbox.tell(key, events);
    }

    /**
     * Completes when everything is known that other control planes had told before; fails when the database does not
     * answer.
     */
    public Future<Void> refresh() {
        Promise<Void> done = Promise.promise();
        context.runOnContext(nothing -> refreshed().onComplete(done));
        return done.future();
    }

    private Future<Void> refreshed() {
        Promise<Void> promise = Promise.promise();
        waiting.add(promise);
        read();
        return promise.future();
    }

    /** Reads what is new; whoever asks while it reads waits for the next time. */
    private void read() {
        if (closed) {
            return;
        }
        if (reading) {
            again = true;
            return;
        }
        reading = true;
        again = false;
        List<Promise<Void>> mine = waiting;
        waiting = new ArrayList<>();
        Event newest = newestEvent();
        Future<List<Event>> found = Attempt.of(
                () -> loaded ? table.from(newest == null ? 0 : newest.number(), STEP) : table.newest(keptMax));
        found.onComplete(done -> context.runOnContext(nothing -> {
            reading = false;
            if (done.failed()) {
                mine.forEach(each -> each.tryFail(done.cause()));
            } else if (take(done.result(), newest)) {
                mine.forEach(Promise::tryComplete);
            } else {
                waiting.addAll(mine);
                again = true;
            }
            if (again || !waiting.isEmpty()) {
                read();
            }
        }));
    }

    private synchronized @Nullable Event newestEvent() {
        return kept.isEmpty() ? null : kept.lastEntry().getValue().event();
    }

    /**
     * Takes in what was read.
     *
     * @param known the event that it begins with; null when nothing was known
     * @return false when there is more to read
     */
    private boolean take(List<Event> read, @Nullable Event known) {
        if (loaded) {
            if (known == null) {
                append(read, System.nanoTime());
                return read.size() < STEP;
            }
            if (read.isEmpty() || !read.getFirst().id().equals(known.id())) {
                LOG.warn("Event {} is not in the log any more: it is loaded again", known.id());
                loaded = false;
                return false;
            }
            append(read.subList(1, read.size()), System.nanoTime());
            return read.size() < STEP;
        }
        loaded = true;
        restart(read.isEmpty() ? 0 : read.getFirst().number() - 1);
        // Events from before the start of this process have reached every control plane.
        append(read, System.nanoTime() - LONG_AGO.toNanos());
        listeners.tell(newest());
        return true;
    }

    private synchronized void restart(long before) {
        kept.clear();
        chars = 0;
        generation++;
        last = before;
        forgotten = before;
    }

    private void append(List<Event> events, long nanos) {
        if (events.isEmpty()) {
            return;
        }
        synchronized (this) {
            for (Event event : events) {
                last = event.number();
                kept.put(event.number(), new Kept(event, nanos));
                chars += event.data().length();
                while (kept.size() > keptMax || (chars > CHARS_MAX && kept.size() > 1)) {
                    Event oldest = kept.pollFirstEntry().getValue().event();
                    chars -= oldest.data().length();
                    forgotten = oldest.number();
                }
            }
        }
        listeners.tell(newest());
    }

    /**
     * Returns the place behind the newest event that has been known for {@code margin}: what is told after it may not
     * be known everywhere yet. With it {@link #id} for a client that begins there.
     */
    public synchronized Place settled(Duration margin) {
        long limit = System.nanoTime() - margin.toNanos();
        for (Map.Entry<Long, Kept> each : kept.descendingMap().entrySet()) {
            if (each.getValue().nanos() - limit <= 0) {
                return new Place(generation, each.getKey());
            }
        }
        return new Place(generation, forgotten);
    }

    /** Returns the place behind the newest event that is known. */
    public synchronized Place newest() {
        return new Place(generation, last);
    }

    /** Returns by what a client names a place; null when the event before it is not kept. */
    public synchronized @Nullable String id(Place place) {
        Kept found = place.generation() == generation ? kept.get(place.number()) : null;
        return found == null ? null : found.event().id();
    }

    /** Returns the place behind the event that a client names; empty when it is not kept any more, or not known yet. */
    public synchronized Optional<Place> find(String id) {
        if (!id.matches("[0-9]{1,18}-[0-9]{1,18}")) {
            return Optional.empty();
        }
        Place place = new Place(generation, Long.parseLong(id.substring(0, id.indexOf('-'))));
        return id.equals(id(place)) ? Optional.of(place) : Optional.empty();
    }

    /** Returns at most {@code limit} events after {@code place}; null when some after it are not kept any more. */
    public synchronized @Nullable List<Event> after(Place place, int limit) {
        if (place.generation() != generation || place.number() < forgotten || place.number() > last) {
            return null;
        }
        return kept.tailMap(place.number(), false).values().stream()
                .limit(limit)
                .map(Kept::event)
                .toList();
    }

    /** Ends following; completes when the connection that listens is closed. */
    public Future<Void> close() {
        Promise<Void> done = Promise.promise();
        context.runOnContext(nothing -> {
            closed = true;
            outbox.close();
            timers.forEach(vertx::cancelTimer);
            waiting.forEach(each -> each.tryFail("closed"));
            notifications.close().onComplete(done);
        });
        return done.future();
    }
}
