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
    private static final int HELD_BYTES_MAX = 64 * 1024;

    /** Who takes a body. */
    interface Sink {

        void onBody(Buffer data);

        void onBodyEnd();
    }

    private final HttpServerRequest request;
    private final ArrayDeque<Buffer> held = new ArrayDeque<>(0);
    /** What was passed on and may have to be sent again. */
    private final ArrayDeque<Buffer> kept = new ArrayDeque<>(0);

    private @Nullable Exchange exchange;
    private @Nullable Runnable onTooLarge;
    private @Nullable Runnable onHeld;
    private @Nullable BodyRate rate;
    private @Nullable Sink sink;
    private @Nullable BodyCopy copy;
    private int heldMax = HELD_BYTES_MAX;
    private long heldBytes;
    private long keptBytes;
    private boolean keeping = true;
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

    /** Watches how fast it comes, from now on or from its first byte. */
    void watch(BodyRate watching, boolean now) {
        rate = watching;
        if (now && !ended && !paused) {
            watching.start();
        }
    }

    /** The client was told to send it. */
    void awaited() {
        if (rate != null && !ended && !paused) {
            rate.start();
        }
    }

    /** Takes no more of it: it is malformed or too slow. */
    void fail() {
        stopRate();
        onTooLarge = null;
        onHeld = null;
        sink = null;
        held.clear();
        forget();
        abort();
    }

    /** The exchange is over, its pace does not matter any more. */
    void over() {
        stopRate();
        rate = null;
    }

    private void stopRate() {
        if (rate != null) {
            rate.stop();
        }
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

    /**
     * Calls {@code action} once the body is held whole or as much as may be; maybe before returning.
     *
     * @param bytesMax how much may be, instead of 64 KiB when it is more; it may be sent again as well
     */
    void whenHeld(int bytesMax, Runnable action) {
        heldMax = Math.max(HELD_BYTES_MAX, bytesMax);
        if (ended || heldBytes >= bytesMax) {
            action.run();
        } else {
            onHeld = action;
            resume();
        }
    }

    /** Gives {@code taker} what is held and all that follows; to be called before anybody takes the body. */
    void copy(BodyCopy taker) {
        held.forEach(taker::add);
        if (ended) {
            taker.end();
        } else {
            copy = taker;
        }
    }

    /** The rest of the body will never come. */
    void abort() {
        BodyCopy taker = copy;
        copy = null;
        if (taker != null) {
            taker.abort();
        }
    }

    /** Returns whether every byte that was passed on is kept. */
    boolean isReplayable() {
        return keeping;
    }

    /** Lets go of what was kept: the request will not be sent again. */
    void forget() {
        keeping = false;
        keptBytes = 0;
        kept.clear();
    }

    /**
     * Passes on what is held and what follows; what was passed on before and is kept comes first.
     *
     * @param keep whether to keep it for another time, as far as it is short
     */
    @SuppressWarnings("ReferenceEquality") // A sink that was replaced gets nothing more.
    void to(Sink taker, boolean keep) {
        for (Buffer data = kept.pollLast(); data != null; data = kept.pollLast()) {
            held.addFirst(data);
        }
        keptBytes = 0;
        if (!keep) {
            forget();
        }
        sink = taker;
        heldBytes = 0;
        Buffer data = held.poll();
        while (data != null && sink == taker) {
            pass(taker, data);
            data = held.poll();
        }
        if (ended) {
            taker.onBodyEnd();
        } else {
            resume();
        }
    }

    /** Passes nothing on any more, until somebody else takes it. */
    @SuppressWarnings("ReferenceEquality") // Only who took it can give it up.
    void release(Sink taker) {
        if (sink == taker) {
            sink = null;
        }
    }

    private void pass(Sink taker, Buffer data) {
        if (keeping) {
            kept.add(data);
            keptBytes += data.length();
            if (keptBytes > heldMax) {
                forget();
            }
        }
        taker.onBody(data);
    }

    void pause() {
        if (!paused && !ended) {
            paused = true;
            stopRate();
            request.pause();
        }
    }

    void resume() {
        if (paused && !ended) {
            paused = false;
            if (rate != null && !discarding) {
                rate.start();
            }
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
        forget();
        abort();
        discarding = true;
        stopRate();
        rate = null;
        discardable = bytesMax;
        resume();
    }

    private void onData(Buffer data) {
        if (rate != null && !paused) {
            rate.received(data.length());
        }
        Exchange counted = exchange;
        if (counted != null) {
            counted.received(data.length());
            if (counted.bytesIn() > counted.bodyBytesMax() && !discarding) {
                tooLarge();
                return;
            }
        }
        if (copy != null) {
            copy.add(data);
        }
        if (discarding) {
            discardable -= data.length();
            if (discardable < 0) {
                pause();
            }
        } else if (sink != null) {
            pass(sink, data);
        } else {
            hold(data);
        }
    }

    private void hold(Buffer data) {
        held.add(data);
        heldBytes += data.length();
        if (heldBytes >= heldMax) {
            pause();
            held();
        }
    }

    private void tooLarge() {
        pause();
        abort();
        sink = null;
        held.clear();
        forget();
        Runnable action = onTooLarge;
        onTooLarge = null;
        if (action != null) {
            action.run();
        }
    }

    private void onEnd() {
        ended = true;
        if (copy != null) {
            copy.end();
            copy = null;
        }
        stopRate();
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
