package io.sigma.dataplane.engine.relay;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ReferenceCounted;
import io.sigma.dataplane.engine.uring.PipedBytes;
import io.sigma.dataplane.exchange.Exchange;
import io.sigma.dataplane.exchange.Fields;
import io.sigma.dataplane.loop.Kept;
import io.sigma.dataplane.loop.Prefetched;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request on its way in. Until somebody takes it, a bounded part of it is held. A short body is held
 * whole before a connection to a node is asked for, so that slow clients do not hold connections to nodes. Confined to
 * the event loop.
 */
public final class RequestBody implements Prefetched {

    /** How much is held while nobody takes it. */
    private static final int HELD_BYTES_MAX = 64 * 1024;

    /** Where a body comes from. */
    public interface Source {

        /** Stops reading. */
        void pause();

        void resume();

        /** Has the rest arrive by {@link RequestBody#onPiped}, where that is possible and pays. */
        default void pipe() {}

        /** Hears that so much more memory is held for the body, in bytes. */
        void grew(long bytes);

        /** All of a body that is discarded has come. */
        void discarded();
    }

    /** Who takes a body. */
    public interface Sink {

        /** Takes a piece, which is the sink's to release. */
        void onBody(ByteBuf data);

        /** Takes a piece, which is the sink's to release; comes only after {@link RequestBody#pipe}. */
        void onBodyPiped(PipedBytes piece);

        void onBodyEnd();
    }

    private final Source source;

    @Kept("empty once the body is closed")
    private @Nullable HeldBytes held;
    /** What was passed on and may have to be sent again. */
    @Kept("empty once the body is closed")
    private @Nullable HeldBytes kept;

    private @Nullable Exchange exchange;
    private @Nullable Runnable onTooLarge;

    @Kept("null once the body is closed")
    private @Nullable Runnable onHeld;

    @Kept("null once the body is closed")
    private @Nullable BodyRate rate;

    @Kept("null once the body is closed")
    private @Nullable Sink sink;

    @Kept("null once the body is closed")
    private @Nullable BodyCopy copy;

    private @Nullable Fields trailers;
    private int heldMax = HELD_BYTES_MAX;
    private boolean keeping = true;
    private boolean paused;
    private boolean ended;
    private boolean discarding;
    private boolean closed;

    @Kept("set before it is looked at")
    private long discardable;

    RequestBody(Source source) {
        this.source = source;
    }

    /** Watches how fast it comes, from now on or from its first byte. */
    void watch(BodyRate watching, boolean now) {
        rate = watching;
        if (now && !ended && !paused) {
            watching.start();
        }
    }

    boolean isWatched() {
        return rate != null;
    }

    /** Watches no more how fast it comes. */
    void unwatch() {
        stopRate();
        rate = null;
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
        drop();
        abort();
    }

    private void stopRate() {
        if (rate != null) {
            rate.stop();
        }
    }

    /** Notes that there is none. */
    public void none() {
        ended = true;
    }

    /**
     * Counts what arrives for {@code counted}.
     *
     * @param tooLarge called once when more than allowed arrived; reading has stopped then
     */
    void count(Exchange counted, Runnable tooLarge) {
        exchange = counted;
        onTooLarge = tooLarge;
        counted.received(heldBytes());
    }

    public boolean isEnded() {
        return ended;
    }

    /** Returns whether nothing is held. */
    public boolean isEmpty() {
        return heldBytes() == 0;
    }

    private long heldBytes() {
        return held == null ? 0 : held.bytes();
    }

    /** Returns how much memory is held for it, in bytes. */
    public long cost() {
        return (held == null ? 0 : held.cost()) + (kept == null ? 0 : kept.cost()) + (copy == null ? 0 : copy.cost());
    }

    /** Returns the trailer fields of a body that has ended; null for none. */
    public @Nullable Fields trailers() {
        return trailers;
    }

    /**
     * Calls {@code action} once the body is held whole or as much as may be; maybe before returning.
     *
     * @param bytesMax how much may be, instead of 64 KiB when it is more; it may be sent again as well
     */
    void whenHeld(int bytesMax, Runnable action) {
        heldMax = Math.max(HELD_BYTES_MAX, bytesMax);
        if (ended || heldBytes() >= bytesMax) {
            action.run();
        } else {
            onHeld = action;
            resume();
        }
    }

    /** Gives {@code taker} what is held and all that follows; to be called before anybody takes the body. */
    void copy(BodyCopy taker) {
        if (held != null) {
            taker.addAll(held);
        }
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

    /** Lets go of everything, and of all that still comes. */
    void close() {
        abort();
        unwatch();
        closed = true;
        sink = null;
        onHeld = null;
        drop();
    }

    @Override
    public int prefetch(int distance) {
        return distance == 0 && held == null ? 1 : 0;
    }

    /** Makes it the body of another request; the one before is closed. */
    void again() {
        assert cost() == 0 && onHeld == null && rate == null && sink == null && copy == null;
        exchange = null;
        onTooLarge = null;
        trailers = null;
        heldMax = HELD_BYTES_MAX;
        keeping = true;
        paused = false;
        ended = false;
        discarding = false;
        closed = false;
    }

    /** Returns whether every byte that was passed on is kept. */
    public boolean isReplayable() {
        return keeping;
    }

    /** Lets go of what was kept: the request will not be sent again. */
    void forget() {
        keeping = false;
        if (kept != null) {
            kept.clear();
        }
    }

    private void drop() {
        if (held != null) {
            held.clear();
        }
        forget();
    }

    /**
     * Passes on what is held and what follows; what was passed on before and is kept comes first.
     *
     * @param keep whether to keep it for another time, as far as it is short
     */
    @SuppressWarnings("ReferenceEquality") // A sink that was replaced gets nothing more.
    void to(Sink taker, boolean keep) {
        HeldBytes first = held();
        if (kept != null) {
            first.prepend(kept);
        }
        if (!keep) {
            forget();
        }
        sink = taker;
        ByteBuf data = first.poll();
        while (data != null) {
            pass(taker, data);
            data = sink == taker ? first.poll() : null;
        }
        if (sink != taker) {
            return;
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

    private void pass(Sink taker, ByteBuf data) {
        if (keeping) {
            try {
                keepAlso(data);
            } catch (RuntimeException | Error e) {
                data.release();
                throw e;
            }
        }
        taker.onBody(data);
    }

    private void keepAlso(ByteBuf data) {
        HeldBytes again = kept();
        if (again.bytes() + data.readableBytes() > heldMax) {
            forget();
        } else {
            again.add(data.retainedDuplicate());
            source.grew(data.readableBytes());
        }
    }

    public void pause() {
        if (!paused && !ended) {
            paused = true;
            stopRate();
            source.pause();
        }
    }

    public void resume() {
        if (paused && !ended) {
            paused = false;
            if (rate != null && !discarding) {
                rate.start();
            }
            source.resume();
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
        abort();
        drop();
        discarding = true;
        unwatch();
        discardable = bytesMax;
        resume();
    }

    /** Has the rest passed on without being looked at, if nobody else needs to see it. */
    void pipe() {
        if (sink != null && copy == null && !keeping && !ended) {
            source.pipe();
        }
    }

    /** Takes a piece that arrived, which is this object's to release. */
    public void onPiped(PipedBytes piece) {
        if (!admits(piece.length())) {
            piece.release();
        } else if (discarding || closed) {
            discard(piece, piece.length());
        } else if (sink != null) {
            sink.onBodyPiped(piece);
        } else {
            hold(piece.read(PooledByteBufAllocator.DEFAULT));
        }
    }

    /** Takes a piece that arrived, which is this object's to release, also when it fails. */
    public void onData(ByteBuf data) {
        boolean taken = false;
        try {
            taken = admits(data.readableBytes());
            if (taken && copy != null) {
                copy.add(data);
            }
        } catch (RuntimeException | Error e) {
            data.release();
            throw e;
        }
        if (!taken) {
            data.release();
            return;
        }
        if (discarding || closed) {
            discard(data, data.readableBytes());
        } else if (sink != null) {
            pass(sink, data);
        } else {
            hold(data);
        }
    }

    /** Notes that a part of a piece has come that follows when it is complete. */
    public void arrives(int octets) {
        if (rate != null && !paused && !ended) {
            rate.received(octets);
        }
    }

    /** Counts what arrived; returns whether there may be so much. */
    private boolean admits(int octets) {
        if (rate != null && !paused) {
            rate.received(octets);
        }
        Exchange counted = exchange;
        if (counted != null) {
            counted.received(octets);
            if (counted.bytesIn() > counted.bodyBytesMax() && !discarding && !closed) {
                tooLarge();
                return false;
            }
        }
        return true;
    }

    private void discard(ReferenceCounted piece, int octets) {
        discardable -= octets;
        piece.release();
        if (discardable < 0) {
            pause();
        }
    }

    private void hold(ByteBuf data) {
        HeldBytes waiting = held();
        source.grew(data.readableBytes());
        waiting.add(data);
        if (waiting.bytes() >= heldMax) {
            pause();
            onHeld();
        }
    }

    private void tooLarge() {
        pause();
        abort();
        sink = null;
        drop();
        Runnable action = onTooLarge;
        onTooLarge = null;
        if (action != null) {
            action.run();
        }
    }

    /**
     * The body is complete.
     *
     * @param fields trailers, null for none
     */
    public void onEnd(@Nullable Fields fields) {
        if (ended) {
            // The last of it arrived by a pipe that was begun by who took the piece before.
            return;
        }
        trailers = fields;
        ended = true;
        if (copy != null) {
            copy.end();
            copy = null;
        }
        stopRate();
        onHeld();
        if (sink != null) {
            sink.onBodyEnd();
        } else if (discarding) {
            source.discarded();
        }
    }

    private HeldBytes held() {
        HeldBytes made = held;
        if (made == null) {
            made = new HeldBytes();
            held = made;
        }
        return made;
    }

    private HeldBytes kept() {
        HeldBytes made = kept;
        if (made == null) {
            made = new HeldBytes();
            kept = made;
        }
        return made;
    }

    private void onHeld() {
        Runnable action = onHeld;
        onHeld = null;
        if (action != null) {
            action.run();
        }
    }
}
