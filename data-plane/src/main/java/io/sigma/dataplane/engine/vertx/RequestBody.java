package io.sigma.dataplane.engine.vertx;

import io.sigma.dataplane.exchange.Exchange;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request on its way in. Until somebody takes it, a bounded part of it is held. A short body is held whole
 * before a connection to a node is asked for, so that slow clients do not hold connections to nodes. Confined to the event
 * loop.
 */
final class RequestBody {

    /** How much is held while nobody takes it. */
    static final int HELD_BYTES_MAX = 64 * 1024;

    /** Who takes a body. */
    interface Sink {

        void onBody(Buffer data);

        void onBodyEnd();
    }

    private final HttpServerRequest request;
    private final ArrayDeque<Buffer> held = new ArrayDeque<>(0);
    private @Nullable Exchange exchange;
    private @Nullable Runnable onTooLarge;
    private @Nullable Runnable onHeld;
    private @Nullable Sink sink;
    private long heldBytes;
    private boolean paused;
    private boolean ended;
    private boolean discarding;
    private long discardable;

    RequestBody(HttpServerRequest request) {
        this.request = request;
    }

    /** Begins to read; to be called before the event in which the head arrived is over. */
    void read() {
        request.handler(this::onData);
        request.endHandler(ignored -> onEnd());
    }

    /** Notes that there is none. */
    void none() {
        ended = true;
    }

    void count(Exchange counted, Runnable tooLarge) {
        exchange = counted;
        onTooLarge = tooLarge;
        counted.received(heldBytes);
    }

    boolean isEnded() {
        return ended;
    }

    /** Returns whether nothing is held. */
    boolean isEmpty() {
        return heldBytes == 0;
    }

    /** Calls {@code action} once the body is held whole or as much as may be; maybe before returning. */
    void whenHeld(Runnable action) {
        if (ended || heldBytes >= HELD_BYTES_MAX) {
            action.run();
        } else {
            onHeld = action;
        }
    }

    /** Passes on what is held and what follows. */
    @SuppressWarnings("ReferenceEquality") // A sink that was replaced gets nothing more.
    void to(Sink taker) {
        sink = taker;
        heldBytes = 0;
        Buffer data = held.poll();
        while (data != null && sink == taker) {
            taker.onBody(data);
            data = held.poll();
        }
        if (ended) {
            taker.onBodyEnd();
        } else {
            resume();
        }
    }

    void pause() {
        if (!paused && !ended) {
            paused = true;
            request.pause();
        }
    }

    void resume() {
        if (paused && !ended) {
            paused = false;
            request.resume();
        }
    }

    /**
     * Reads on without keeping anything.
     *
     * @param bytesMax after so many bytes reading stops for good
     */
    void discard(long bytesMax) {
        sink = null;
        onHeld = null;
        held.clear();
        discarding = true;
        discardable = bytesMax;
        resume();
    }

    private void onData(Buffer data) {
        Exchange counted = exchange;
        if (counted != null) {
            counted.received(data.length());
            if (counted.bytesIn() > counted.bodyBytesMax() && !discarding) {
                tooLarge();
                return;
            }
        }
        if (discarding) {
            discardable -= data.length();
            if (discardable < 0) {
                pause();
            }
        } else if (sink != null) {
            sink.onBody(data);
        } else {
            hold(data);
        }
    }

    private void hold(Buffer data) {
        held.add(data);
        heldBytes += data.length();
        if (heldBytes >= HELD_BYTES_MAX) {
            pause();
            held();
        }
    }

    private void tooLarge() {
        pause();
        sink = null;
        held.clear();
        Runnable action = onTooLarge;
        onTooLarge = null;
        if (action != null) {
            action.run();
        }
    }

    private void onEnd() {
        ended = true;
        held();
        if (sink != null) {
            sink.onBodyEnd();
        }
    }

    private void held() {
        Runnable action = onHeld;
        onHeld = null;
        if (action != null) {
            action.run();
        }
    }
}
