package io.sigma.dataplane.engine.body;

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
 * The body of a request on its way from a client to whoever takes it. {@code ClientStream} feeds it. Until somebody
 * takes it, a bounded part of it is held. A short body is held whole before a connection to a node is asked for, so
 * that slow clients do not hold connections to nodes. Confined to the event loop.
 */
public final class RequestBody extends BodyFlow implements Prefetched {

    /** The largest number of body bytes that are held while no reader takes them. */
    private static final int HELD_BYTES_MAX = 64 * 1024;

    /** Null as long as nothing had to be held. */
    @Kept("empty once the body is closed")
    private @Nullable HeldPieces pieces;

    /** For which is counted what arrives; null for none. */
    private @Nullable Exchange exchange;
    /** True if the source hears when more than allowed has come. */
    private boolean refusable;

    @Kept("null once the body is closed")
    private @Nullable Runnable onHeld;

    @Kept("null once the body is closed")
    private @Nullable BodySink sink;

    @Kept("null once the body is closed")
    private @Nullable BodyCopy copy;

    private @Nullable Fields trailers;
    private int heldMax = HELD_BYTES_MAX;
    private boolean keeping = true;
    private boolean closed;

    @Kept("set before it is looked at")
    private long discardable;

    public RequestBody(BodySource source) {
        super(source);
    }

    /** Takes no more of it: it is malformed or too slow. */
    public void fail() {
        stopRate();
        refusable = false;
        onHeld = null;
        sink = null;
        drop();
        abort();
    }

    /** Counts what arrives for {@code counted}, and tells the source when that is more than allowed. */
    public void count(Exchange counted) {
        exchange = counted;
        refusable = true;
        counted.received(heldBytes());
    }

    private long heldBytes() {
        return pieces == null ? 0 : pieces.bytes();
    }

    /** Returns how much memory is held for it, in bytes. */
    public long cost() {
        return (pieces == null ? 0 : pieces.cost()) + (copy == null ? 0 : copy.cost());
    }

    /** Returns how much of it arrived and was passed on or dropped, in bytes; 0 for a body that is not counted. */
    public long passed() {
        return exchange == null ? 0 : exchange.bytesIn() - heldBytes();
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
    public void whenHeld(int bytesMax, Runnable action) {
        heldMax = Math.max(HELD_BYTES_MAX, bytesMax);
        if (isEnded() || heldBytes() >= bytesMax) {
            action.run();
        } else {
            onHeld = action;
            resume();
        }
    }

    /** Gives {@code taker} what is held and all that follows; to be called before anybody takes the body. */
    public void copy(BodyCopy taker) {
        if (pieces != null) {
            pieces.copyTo(taker);
        }
        if (isEnded()) {
            taker.end();
        } else {
            copy = taker;
        }
    }

    /** The rest of the body will never come. */
    public void abort() {
        BodyCopy taker = copy;
        copy = null;
        if (taker != null) {
            taker.abort();
        }
    }

    /** Lets go of everything, and of all that still comes. */
    public void close() {
        abort();
        unwatch();
        closed = true;
        sink = null;
        onHeld = null;
        drop();
    }

    @Override
    public int prefetch(int distance) {
        return distance == 0 && pieces == null ? 1 : 0;
    }

    /** Makes it the body of another request; the one before is closed. */
    public void again() {
        assert cost() == 0 && onHeld == null && sink == null && copy == null;
        flowAgain();
        exchange = null;
        refusable = false;
        trailers = null;
        heldMax = HELD_BYTES_MAX;
        keeping = true;
        closed = false;
    }

    /** Returns whether every byte that was passed on is kept. */
    public boolean isReplayable() {
        return keeping;
    }

    /** Lets go of what was kept: the request will not be sent again. */
    public void forget() {
        keeping = false;
        if (pieces != null) {
            pieces.forget();
        }
    }

    private void drop() {
        keeping = false;
        if (pieces != null) {
            pieces.clear();
        }
    }

    /**
     * Passes on what is held and what follows; what was passed on before and is kept comes first.
     *
     * @param keep whether to keep it for another time, as far as it is short
     */
    @SuppressWarnings("ReferenceEquality") // A sink that was replaced gets nothing more.
    public void to(BodySink taker, boolean keep) {
        if (pieces != null) {
            pieces.rewind();
        }
        if (!keep) {
            forget();
        }
        sink = taker;
        for (ByteBuf data = next(taker); data != null; data = next(taker)) {
            pass(taker, data);
        }
        if (sink != taker) {
            return;
        }
        if (isEnded()) {
            taker.onBodyEnd();
        } else {
            resume();
        }
    }

    /** Returns the next piece for {@code taker}; null when nothing waits for it. */
    @SuppressWarnings("ReferenceEquality") // A sink that was replaced gets nothing more.
    private @Nullable ByteBuf next(BodySink taker) {
        return sink == taker && pieces != null ? pieces.poll() : null;
    }

    /** Passes nothing on any more, until somebody else takes it. */
    @SuppressWarnings("ReferenceEquality") // Only who took it can give it up.
    public void release(BodySink taker) {
        if (sink == taker) {
            sink = null;
        }
    }

    private void pass(BodySink taker, ByteBuf data) {
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
        if (held().keep(data, heldMax)) {
            source().grew(data.readableBytes());
        } else {
            forget();
        }
    }

    /**
     * Reads on what still comes, and drops it; the body is closed.
     *
     * @param bytesMax after so many bytes reading stops for good
     */
    public void discard(long bytesMax) {
        assert closed;
        discardable = bytesMax;
        resume();
    }

    /** Has the rest passed on without being looked at, if nobody else needs to see it. */
    public void pipe() {
        if (sink != null && copy == null && !keeping && !isEnded()) {
            source().pipe();
        }
    }

    /** Takes a piece that arrived, which is this object's to release. */
    public void onPiped(PipedBytes piece) {
        if (!admits(piece.length())) {
            piece.release();
        } else if (closed) {
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
        if (closed) {
            discard(data, data.readableBytes());
        } else if (sink != null) {
            pass(sink, data);
        } else {
            hold(data);
        }
    }

    /** Counts what arrived; returns whether there may be so much. */
    private boolean admits(int octets) {
        arrives(octets);
        Exchange counted = exchange;
        if (counted != null) {
            counted.received(octets);
            if (counted.bytesIn() > counted.bodyBytesMax() && !closed) {
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
        HeldPieces waiting = held();
        int octets = data.readableBytes();
        waiting.add(data);
        // Last: it may end the connection, and with it lets go of what is held.
        source().grew(octets);
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
        if (refusable) {
            refusable = false;
            source().bodyTooLarge();
        }
    }

    /**
     * The body is complete.
     *
     * @param fields trailers, null for none
     */
    public void onEnd(@Nullable Fields fields) {
        if (isEnded()) {
            // The last of it arrived by a pipe that was begun by who took the piece before.
            return;
        }
        trailers = fields;
        allCame();
        if (copy != null) {
            copy.end();
            copy = null;
        }
        onHeld();
        if (sink != null) {
            sink.onBodyEnd();
        }
    }

    private HeldPieces held() {
        HeldPieces made = pieces;
        if (made == null) {
            made = new HeldPieces();
            pieces = made;
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
