package io.sigma.dataplane.engine.framed;

import io.sigma.dataplane.engine.http1.Http1Loop;
import io.sigma.dataplane.loop.LogLines;
import io.sigma.dataplane.loop.Loop;

/** State that all framed connections of one event loop share. Confined to the event loop. */
public final class FramedLoop {

    private static final long SAY_NANOS = 1_000_000_000L;
    /** Lines of the log within ten seconds. */
    private static final int NODE_LINES_MAX = 10;

    private final Loop loop;
    private final Http1Loop http1;
    private final TextCache texts = new TextCache();
    private final LogLines nodeLines = new LogLines(NODE_LINES_MAX);
    private long saidNanos = System.nanoTime() - SAY_NANOS;

    /**
     * @param http1 sends output at the end of a loop iteration
     */
    public FramedLoop(Loop loop, Http1Loop http1) {
        this.loop = loop;
        this.http1 = http1;
    }

    Loop loop() {
        return loop;
    }

    Http1Loop http1() {
        return http1;
    }

    TextCache texts() {
        return texts;
    }

    /** Returns the lines of the log that nodes cause. */
    LogLines nodeLines() {
        return nodeLines;
    }

    /** Returns whether something may be logged that clients cause: at most once a second. */
    boolean maySay() {
        long now = loop.nanos();
        boolean may = now - saidNanos >= SAY_NANOS;
        if (may) {
            saidNanos = now;
        }
        return may;
    }
}
