package io.sigma.dataplane.engine.stream;

import io.sigma.dataplane.engine.http1.Http1Loop;
import io.sigma.dataplane.loop.Loop;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The connections of one event loop whose bytes are passed to nodes. Confined to the event loop. */
public final class StreamLoop {

    /** The interval of the check whether the nodes of open connections are still in use, in milliseconds. */
    private static final long TICK_MILLIS = 1_000;

    private final Loop loop;
    private final Http1Loop http1;
    private final Set<StreamConnection> open = new LinkedHashSet<>();
    private boolean ticking;

    /**
     * @param http1 sends output at the end of a loop iteration
     */
    public StreamLoop(Loop loop, Http1Loop http1) {
        this.loop = loop;
        this.http1 = http1;
    }

    Loop loop() {
        return loop;
    }

    Http1Loop http1() {
        return http1;
    }

    void opened(StreamConnection connection) {
        open.add(connection);
        if (!ticking) {
            ticking = true;
            loop.scheduler().schedule(this::tick, TICK_MILLIS);
        }
    }

    void closed(StreamConnection connection) {
        open.remove(connection);
    }

    private void tick() {
        // Some of them end meanwhile.
        List.copyOf(open).forEach(StreamConnection::tick);
        ticking = !open.isEmpty();
        if (ticking) {
            loop.scheduler().schedule(this::tick, TICK_MILLIS);
        }
    }
}
