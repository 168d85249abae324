package io.sigma.dataplane.telemetry;

import io.sigma.value.LogTemplate;
import java.time.InstantSource;

/** The access log of one event loop: makes lines of records, into what the writer empties. Confined to that loop. */
final class LoopLog {

    /** Most lines fit in that; a block that has less is as good as full. */
    private static final int LINE_BYTES = 4 * 1024;

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
        LogBlock block = queue.room(target, LINE_BYTES);
        if (block == null) {
            return false;
        }
        line.begin(block.bytes(), block.end());
        LogTemplate template = target.template();
        if (template == null) {
            json.write();
        } else {
            text.write(template);
        }
        if (line.isInPlace()) {
            queue.publish(block, target, line.end());
            return true;
        }
        return copy(target);
    }

    private boolean copy(LogTarget target) {
        int length = line.length();
        LogBlock larger = queue.room(target, length);
        if (larger == null) {
            line.forget();
            return false;
        }
        int begin = larger.end();
        line.copy(larger.bytes(), begin);
        queue.publish(larger, target, begin + length);
        return true;
    }
}
