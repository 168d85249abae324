package io.sigma.controlplane.events;

import io.sigma.controlplane.callback.Attempt;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The events of this control plane that the log does not have yet. One transaction at a time writes all that wait, soon
 * but not often. An event says how its subject is when the event is written, so a subject that changes quickly has
 * fewer events than changes. While the database is away, events wait here. Those that find no room are lost, and
 * clients learn that. Confined to one event loop, except {@link #tell}.
 */
final class EventOutbox {

    static final int WAITING_MAX = 10_000;

    private static final long PAUSE_MILLIS = 200;
    private static final long RETRY_MILLIS = 1_000;
    private static final int BATCH_MAX = 1_000;
    private static final Logger LOG = LoggerFactory.getLogger(EventOutbox.class);

    private final Vertx vertx;
    private final Context context;
    private final EventTable table;
    private final Runnable written;
    private final Map<String, Supplier<List<NewEvent>>> waiting = new LinkedHashMap<>();
    private boolean lost;
    private boolean failing;
    private boolean scheduled;
    private boolean closed;
    private long writtenNanos = System.nanoTime() - PAUSE_MILLIS * 1_000_000;

    /** @param written called when the log may have more */
    EventOutbox(Vertx vertx, Context context, EventTable table, Runnable written) {
        this.vertx = vertx;
        this.context = context;
        this.table = table;
        this.written = written;
    }

    /**
     * Has {@code events} told. Any thread; does not wait.
     *
     * @param key what it is about; of one key what was said last is told
     * @param events how it is, asked on the event loop when it is written
     */
    void tell(String key, Supplier<List<NewEvent>> events) {
        context.runOnContext(nothing -> {
            if (waiting.remove(key) == null && waiting.size() >= WAITING_MAX) {
                LOG.warn("{} events wait for the database and are dropped", waiting.size());
                waiting.clear();
                lost = true;
            }
            waiting.put(key, events);
            schedule(PAUSE_MILLIS - (System.nanoTime() - writtenNanos) / 1_000_000);
        });
    }

    private void schedule(long millis) {
        if (scheduled || closed) {
            return;
        }
        scheduled = true;
        if (millis <= 0) {
            write();
        } else {
            vertx.setTimer(millis, timer -> context.runOnContext(nothing -> write()));
        }
    }

    private void write() {
        if (closed) {
            return;
        }
        Map<String, Supplier<List<NewEvent>>> batch = new LinkedHashMap<>();
        List<NewEvent> events = new ArrayList<>();
        boolean telling = lost;
        lost = false;
        if (telling) {
            String mark = UUID.randomUUID().toString();
            events.add(new NewEvent(Event.RESET, Event.RESET, 0, mark, "{}"));
        }
        for (Map.Entry<String, Supplier<List<NewEvent>>> each : waiting.entrySet()) {
            if (batch.size() >= BATCH_MAX) {
                break;
            }
            batch.put(each.getKey(), each.getValue());
            events.addAll(said(each.getKey(), each.getValue()));
        }
        waiting.keySet().removeAll(batch.keySet());
        Attempt.of(() -> table.append(events))
                .onComplete(done -> context.runOnContext(nothing -> {
                    scheduled = false;
                    writtenNanos = System.nanoTime();
                    report(done.cause());
                    if (done.failed()) {
                        lost |= telling;
                        again(batch);
                    }
                    if (!waiting.isEmpty()) {
                        schedule(done.failed() ? RETRY_MILLIS : PAUSE_MILLIS);
                    }
                    if (done.succeeded()) {
                        written.run();
                    }
                }));
    }

    /**
     * Puts what could not be written before what came meanwhile: of a subject the log takes nothing that is older than
     * the newest.
     */
    private void again(Map<String, Supplier<List<NewEvent>>> batch) {
        Map<String, Supplier<List<NewEvent>>> later = new LinkedHashMap<>(waiting);
        waiting.clear();
        waiting.putAll(batch);
        waiting.keySet().removeAll(later.keySet());
        waiting.putAll(later);
    }

    private static List<NewEvent> said(String key, Supplier<List<NewEvent>> events) {
        try {
            return events.get();
        } catch (RuntimeException | Error e) {
            LOG.error("The event data of {} cannot be read", key, e);
            return List.of();
        }
    }

    private void report(@Nullable Throwable failure) {
        if (failure != null && !failing && !closed) {
            LOG.warn("Events cannot be sent: {}", failure.getMessage());
        }
        failing = failure != null;
    }

    void close() {
        closed = true;
    }
}
