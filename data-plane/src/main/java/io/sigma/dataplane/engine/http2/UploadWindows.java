package io.sigma.dataplane.engine.http2;

import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2LocalFlowController;
import io.netty.handler.codec.http2.Http2Stream;
import io.sigma.dataplane.loop.HeldMemory;

/**
 * The flow-control windows of the uploads on one connection, in bytes. A stream begins with the initial window of the
 * settings. If its reader takes half of the window or more in a round trip, the window may be the bottleneck and is
 * doubled: so it grows to twice the product of bandwidth and delay. A PING measures the round trip; while windows do
 * not grow, PINGs become rare.
 *
 * <p>A window cannot be taken back from a client (RFC 9113 §6.9). A stream therefore keeps what it got beyond its first
 * window until it ends. This loan is bounded per stream, per connection and per event loop. Confined to the event loop.
 */
final class UploadWindows {

    /** The payload of the PING, by which its acknowledgement is recognised. */
    private static final long PING = 0x7369676d61777564L;

    /** The largest factor by which the number of bytes between two measurements grows. */
    private static final int PAUSE_FACTOR_MAX = 64;

    private final Http2Link link;
    private final HeldMemory memory;
    private long lent;
    /** The largest window that a reader here has kept up with: streams that come are given it sooner. */
    private int learned;

    private boolean measuring;
    private int round;
    /** Bytes that were taken since the last measurement. */
    private long taken;
    /** Bytes that must be taken before the next measurement. */
    private long pause;

    private boolean grew;
    private long takenOfAll;

    /** The window of one stream. */
    static final class Window {

        private final Http2Stream stream;
        private long lent;
        private long taken;
        private int round;
        private long takenInRound;
        private boolean taught;
        private boolean closed;

        Window(Http2Stream stream) {
            this.stream = stream;
        }
    }

    UploadWindows(Http2Link link, HeldMemory memory) {
        this.link = link;
        this.memory = memory;
        this.pause = firstPause();
    }

    private long firstPause() {
        return memory.windowBytes() / 2;
    }

    private Http2LocalFlowController flow() {
        return link.decoder().flowController();
    }

    /** Notes that the reader of a stream took {@code bytes}. */
    void taken(Window window, int bytes) {
        takenOfAll += bytes;
        if (window.closed) {
            return;
        }
        window.taken += bytes;
        if (window.round != round) {
            window.round = round;
            window.takenInRound = 0;
        }
        window.takenInRound += bytes;
        int size = flow().initialWindowSize(window.stream);
        if (size >= memory.windowBytesMax()) {
            return;
        }
        if (!window.taught && window.taken >= size / 2) {
            // The upload is not small.
            window.taught = true;
            grow(window, size, learned);
        }
        taken += bytes;
        if (!measuring && taken >= pause && lent < memory.lentToConnectionMax()) {
            measuring = true;
            grew = false;
            round++;
            link.ping(PING);
        }
    }

    /** Returns how much the readers of all streams have taken so far, in bytes. */
    long taken() {
        return takenOfAll;
    }

    /** An answer to a PING has come. */
    void answered(long data) {
        if (!measuring || data != PING) {
            return;
        }
        measuring = false;
        taken = 0;
        link.forEachWindow(this::judge);
        pause = grew ? firstPause() : Math.min(pause * 2, PAUSE_FACTOR_MAX * firstPause());
    }

    private void judge(Window window) {
        int size = flow().initialWindowSize(window.stream);
        boolean goesOn = window.stream.state().remoteSideOpen();
        if (goesOn && window.round == round && window.takenInRound >= size / 2) {
            grow(window, size, (int) Math.min(2L * size, memory.windowBytesMax()));
        }
    }

    private void grow(Window window, int size, int wanted) {
        long more = Math.min(wanted - size, memory.lentToConnectionMax() - lent);
        if (more <= 0 || window.closed) {
            return;
        }
        int given = (int) memory.lend(more);
        lent += given;
        window.lent += given;
        if (given > 0) {
            try {
                flow().incrementWindowSize(window.stream, given);
            } catch (Http2Exception e) {
                throw new IllegalStateException("a window stays far below what the protocol allows", e);
            }
            learned = Math.max(learned, size + given);
            grew = true;
        }
    }

    /** The stream has ended: what it was lent may be lent to others. */
    void close(Window window) {
        window.closed = true;
        lent -= window.lent;
        memory.giveBack(window.lent);
        window.lent = 0;
    }
}
