package io.sigma.controlplane.api.event;

import io.sigma.controlplane.events.Event;
import io.sigma.controlplane.events.EventLog;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpServerResponse;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A client of the event stream. It is a place in the log: what a slow one has not read yet stays there, nothing is
 * buffered for it but what fits its connection's queue. Confined to the server's verticle.
 */
final class EventClient {

    private static final int STEP = 32;

    private final String who;
    private final SseResponse response;
    private final EventLog log;
    private final Consumer<EventClient> lost;

    /** Behind the last event that it was told; null while it is told the state. */
    private EventLog.@Nullable Place place;

    /** The newest revision when it was told the state: no older one is told again. */
    private long revision;

    /** The newest event when it was told the state: what was lost up to there it has loaded afresh since. */
    private long whole;

    private @Nullable Promise<Void> drained;

    /**
     * @param who the name of its principal
     * @param lost called when events that it was not told are not kept any more
     */
    EventClient(String who, HttpServerResponse response, EventLog log, Consumer<EventClient> lost) {
        this.who = who;
        this.response = new SseResponse(response);
        this.log = log;
        this.lost = lost;
    }

    /** Returns the name of its principal. */
    String who() {
        return who;
    }

    /** Sends the head at once, so that the client knows that it is connected even when there is nothing to tell. */
    void start() {
        response.start(this::drained);
    }

    private void drained() {
        wake();
        tell();
    }

    private void wake() {
        Promise<Void> waiting = drained;
        if (waiting != null) {
            drained = null;
            waiting.complete();
        }
    }

    /** Its connection is closed. */
    void gone() {
        place = null;
        wake();
    }

    /**
     * Sends part of the state. Waits until there is room for more.
     *
     * @return false when the client is gone, or does not read
     */
    boolean send(String text) {
        if (response.isClosed()) {
            return false;
        }
        response.write(text);
        if (response.isFull()) {
            Promise<Void> promise = Promise.promise();
            drained = promise;
            try {
                promise.future()
                        .timeout(SseResponse.STALLED_SECONDS_MAX, TimeUnit.SECONDS)
                        .await();
            } catch (Exception e) {
                response.reset();
                return false;
            }
        }
        return !response.isClosed();
    }

    /**
     * From now on it is told what comes after a place.
     *
     * @param newestRevision that it knows; 0 for none
     * @param newestEvent up to which it need not load afresh; 0 for none
     */
    void follow(EventLog.Place behind, long newestRevision, long newestEvent) {
        place = behind;
        revision = newestRevision;
        whole = newestEvent;
        tell();
    }

    /** Tells it what there is, as far as there is room. */
    void tell() {
        EventLog.Place behind = place;
        while (behind != null && !response.isClosed() && !response.isFull()) {
            List<Event> next = log.after(behind, STEP);
            if (next != null && next.isEmpty()) {
                return;
            }
            if (next == null || !write(next)) {
                behind = null;
                lost.accept(this);
            } else {
                behind = new EventLog.Place(behind.generation(), next.getLast().number());
            }
            place = behind;
        }
    }

    /** Returns false when one of the events says that others are lost. */
    private boolean write(List<Event> events) {
        StringBuilder text = new StringBuilder();
        boolean lacking = false;
        for (Event event : events) {
            boolean reset = event.type().equals(Event.RESET);
            lacking |= reset && event.number() > whole;
            boolean known = event.type().equals(Event.REVISION) && event.ordinal() <= revision;
            if (!lacking && !reset && !known) {
                text.append(text(event.id(), event.type(), event.data()));
            }
        }
        if (!text.isEmpty()) {
            response.write(text.toString());
        }
        return !lacking;
    }

    /** Sends what is not repeated when there is no room for it. */
    void offer(String text) {
        if (place != null && !response.isClosed() && !response.isFull()) {
            response.write(text);
        }
    }

    boolean isClosed() {
        return response.isClosed();
    }

    /** To be called now and then: ends a connection on which nothing is read. */
    void beat() {
        response.beat();
    }

    void reset() {
        response.reset();
    }

    void end() {
        response.end();
    }

    /** @param id null for what is not told again */
    static String text(@Nullable String id, String type, String data) {
        return (id == null ? "" : "id: " + id + "\n") + "event: " + type + "\ndata: " + data + "\n\n";
    }
}
