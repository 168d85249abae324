package io.sigma.dataplane.telemetry;

import io.sigma.dataplane.loop.WallClock;
import io.sigma.value.LogTemplate;
import java.time.InstantSource;

/** The access log of one event loop: makes lines of records, into what the writer empties. Confined to that loop. */
final class LoopLog {

    private final AccessRecord log = new AccessRecord(new WallClock(InstantSource.system()));
    private final LineBuffer line = new LineBuffer();
    private final LogTime time = new LogTime();
    private final JsonLine json = new JsonLine(log, line, time);
    private final TemplateLine text = new TemplateLine(log, line, time);
    private final LogQueue queue;

    LoopLog(LogQueue queue) {
        this.queue = queue;
    }

    /** Returns what is to be filled for the next line. */
    AccessRecord log() {
        return log;
    }

    /** Returns where lines wait for the writer. */
    LogQueue queue() {
        return queue;
    }

    /** Makes a line of what {@link #log} has; returns false when there was no room for it. */
    boolean write(LogTarget target) {
        if (queue.isFull()) {
            return false;
        }
        line.reset();
        LogTemplate template = target.template();
        if (template == null) {
            json.write();
        } else {
            text.write(template);
        }
        return queue.offer(target, line.bytes(), line.length());
    }
}
