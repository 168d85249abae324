package io.sigma.dataplane.loop;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Bounds the lines of the log that peers can cause: so many within ten seconds. Thread-safe. */
public final class LogLines {

    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final int max;
    private final LongSupplier nanoTime;

    // Guarded by this.
    private long sinceNanos;
    private int written;
    private long leftOut;

    /**
     * @param max lines within ten seconds
     */
    public LogLines(int max) {
        this(max, System::nanoTime);
    }

    LogLines(int max, LongSupplier nanoTime) {
        this.max = max;
        this.nanoTime = nanoTime;
        this.sinceNanos = nanoTime.getAsLong();
    }

    /**
     * Has {@code line} written, unless there were too many.
     *
     * @param line takes the end of the line, which says how many lines were left out before it
     */
    public void write(Consumer<String> line) {
        String end;
        synchronized (this) {
            long now = nanoTime.getAsLong();
            if (now - sinceNanos >= PERIOD_NANOS) {
                sinceNanos = now;
                written = 0;
            }
            if (written == max) {
                leftOut++;
                return;
            }
            written++;
            end = leftOut == 0 ? "" : " (" + leftOut + " lines like this were left out)";
            leftOut = 0;
        }
        line.accept(end);
    }
}
