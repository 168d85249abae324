package io.sigma.dataplane.engine.client;

import io.netty.util.collection.IntObjectHashMap;
import io.netty.util.collection.IntObjectMap;

/**
 * The streams of an HTTP/2 connection that the client has opened and not ended yet, by the frames that it sent.
 * Bounded: of the aborted streams only the newest are remembered. Confined to the event loop.
 */
final class OpenStreams {

    /** The kind of a head on a stream. */
    enum Head {
        /** It opens the stream, or goes on with one that is open. */
        EXPECTED,
        /** The client ended the stream before. */
        ENDED,
        /** The stream was skipped when a later one was opened (RFC 9113 §5.1.1). */
        SKIPPED
    }

    private static final int OPEN_MAX = 4096;
    private static final int GAPS_MAX = 64;

    private final IntObjectMap<Boolean> open = new IntObjectHashMap<>();
    private final int[] gapFirst = new int[GAPS_MAX];
    private final int[] gapLast = new int[GAPS_MAX];
    private int gaps;
    private int newest = -1;
    /** Nothing is known of streams up to this one. */
    private int forgotten;

    /** Notes a head. */
    Head head(int stream, boolean end) {
        Head kind = classify(stream);
        if (kind == Head.EXPECTED && stream > newest) {
            skip(newest + 2, stream - 2);
            newest = stream;
            if (open.size() >= OPEN_MAX) {
                forgotten = newest - 2;
                open.clear();
            }
            open.put(stream, Boolean.TRUE);
        }
        if (end) {
            end(stream);
        }
        return kind;
    }

    /** Returns whether the client has opened neither the stream nor one behind it. */
    boolean isIdle(int stream) {
        return stream > Math.max(newest, 0);
    }

    /** Notes that the client ended or reset the stream. */
    void end(int stream) {
        open.remove(stream);
    }

    private Head classify(int stream) {
        if (stream > newest || stream <= forgotten || open.containsKey(stream)) {
            return Head.EXPECTED;
        }
        for (int i = 0; i < Math.min(gaps, GAPS_MAX); i++) {
            if (stream >= gapFirst[i] && stream <= gapLast[i]) {
                return Head.SKIPPED;
            }
        }
        return Head.ENDED;
    }

    private void skip(int first, int last) {
        if (first <= last) {
            gapFirst[gaps % GAPS_MAX] = first;
            gapLast[gaps % GAPS_MAX] = last;
            gaps++;
        }
    }
}
