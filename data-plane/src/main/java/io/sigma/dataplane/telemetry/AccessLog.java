package io.sigma.dataplane.telemetry;

import io.sigma.check.PathUse;
import io.sigma.dataplane.disk.GatewayDisk;
import io.sigma.dataplane.disk.LogPlace;
import io.sigma.dataplane.disk.OperatorLog;
import io.sigma.dataplane.disk.PathRefused;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The access log. Each event loop makes its lines and has a bounded queue of them, a thread of its own writes them out;
 * when a queue is full the line is shed and counted, because a slow disk must not stop the traffic.
 */
public final class AccessLog implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(AccessLog.class);
    /**
     * Lines wait as long as that, or until there are enough of them. Each wake-up holds up the requests of its moment.
     */
    private static final long POLL_NANOS = 100_000_000;

    private static final int FILES_MAX = 64;
    private static final long CLOSE_MILLIS = 5_000;

    private final List<LoopLog> loops = new ArrayList<>();
    private final LongAdder shed;
    private final LongAdder lost;
    private final @Nullable WritableByteChannel out;
    private final LineOutput output;
    private final Places places;
    private final boolean isStandardOutput;
    private final Thread writer;
    private volatile boolean closing;
    // Those that plugins ask for, the one written to last at the end; confined to the writer's thread.
    private final LinkedHashMap<String, LogFile> files = new LinkedHashMap<>();

    /**
     * Opens the log.
     *
     * @param destination {@code stdout}, {@code off} or the path of a file that is appended to
     * @param disk has the files that plugins ask for
     * @param loops how many event loops write to it
     * @param queueMax lines that wait, over all loops, and half a KiB for each of them
     * @param metrics count the lines that are not written
     * @throws UncheckedIOException when the file cannot be opened
     */
    public AccessLog(String destination, GatewayDisk disk, int loops, int queueMax, GatewayMetrics metrics) {
        this(
                destination,
                disk,
                loops,
                queueMax,
                metrics.counter(
                        "sigma.access.log.shed",
                        "Lines of the access log that were dropped because the queue was full."),
                metrics.counter(
                        "sigma.access.log.lost",
                        "Lines of the access log that could not be written, for example to a full disk."));
    }

    /**
     * As above.
     *
     * @param shed counts lines for which there was no room
     * @param lost counts lines that could not be written
     */
    AccessLog(String destination, GatewayDisk disk, int loops, int queueMax, LongAdder shed, LongAdder lost) {
        this(destination, OperatorLog.open(destination), Places.on(disk), loops, queueMax, shed, lost);
    }

    /** Where the files are that plugins name. */
    interface Places {

        LogPlace place(String text);

        /** Returns the same name for texts of one place. */
        default String name(String text) {
            return text;
        }

        static Places on(GatewayDisk disk) {
            return new Places() {
                @Override
                public LogPlace place(String text) {
                    return disk.log(text);
                }

                @Override
                public String name(String text) {
                    try {
                        return disk.named(PathUse.LOGGED, text).toString();
                    } catch (PathRefused e) {
                        return text;
                    }
                }
            };
        }
    }

    /**
     * @param out is written to; null for nothing
     * @param places of the files that plugins name
     */
    AccessLog(
            String destination,
            @Nullable WritableByteChannel out,
            Places places,
            int loops,
            int queueMax,
            LongAdder shed,
            LongAdder lost) {
        this.shed = shed;
        this.lost = lost;
        this.out = out;
        this.places = places;
        this.output = new LineOutput("The access log " + destination, lost);
        this.isStandardOutput = destination.equals("stdout");
        for (int i = 0; i < loops; i++) {
            this.loops.add(new LoopLog(new LogQueue(Math.max(2, queueMax / loops), this::wake)));
        }
        this.writer = Thread.ofPlatform().name("sigma-access-log").daemon().start(this::run);
    }

    /** Returns whether records for {@code target} are written at all. */
    public boolean takes(LogTarget target) {
        return out != null || target.file() != null;
    }

    /** Returns what is to be filled for the next line of the event loop {@code loop}; to be called on that. */
    public AccessRecord record(int loop) {
        return loops.get(loop).log();
    }

    /** Writes what was filled into {@link #record}; to be called on the event loop {@code loop}. */
    public void write(int loop, LogTarget target) {
        if (takes(target) && !loops.get(loop).write(target)) {
            shed.increment();
        }
    }

    /** Writes out what waits, for a bounded time, and closes the file. */
    @Override
    public void close() {
        closing = true;
        LockSupport.unpark(writer);
        try {
            writer.join(CLOSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void wake() {
        LockSupport.unpark(writer);
    }

    private void run() {
        List<LogQueue> queues = loops.stream().map(LoopLog::queue).toList();
        LogBlock.Output writing = this::write;
        boolean last = false;
        while (!last) {
            // Read before the queues, so that what was written before close() is still found.
            last = closing;
            boolean behind = false;
            for (LogQueue queue : queues) {
                queue.drain(writing);
                behind |= queue.isHalfFull();
            }
            flushFiles();
            if (!behind && !last) {
                LockSupport.parkNanos(POLL_NANOS);
            }
        }
        closeOut();
    }

    private void write(LogTarget target, ByteBuffer lines) {
        String file = target.file();
        if (file == null) {
            write(lines);
        } else {
            file(file).add(target, lines);
        }
    }

    private void write(ByteBuffer lines) {
        if (out != null) {
            output.write(out, lines);
        }
    }

    private LogFile file(String text) {
        String path = places.name(text);
        LogFile known = files.get(path);
        if (known == null) {
            known = new LogFile(path, places.place(text), lost);
            files.put(path, known);
            if (files.size() > FILES_MAX) {
                // The one that was not written to for longest; it is opened again when it is needed.
                LogFile idle = files.pollFirstEntry().getValue();
                idle.flush();
                idle.close();
            }
        } else {
            files.putLast(path, known);
        }
        return known;
    }

    private void flushFiles() {
        files.values().forEach(LogFile::flush);
    }

    private void closeOut() {
        files.values().forEach(LogFile::close);
        try {
            if (out != null && !isStandardOutput) {
                out.close();
            }
        } catch (IOException e) {
            LOG.warn("The access log could not be closed: {}", e.getMessage());
        }
    }
}
