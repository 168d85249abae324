package io.sigma.dataplane.telemetry;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The access log. Each event loop makes its lines and has a bounded queue of them, a thread of its own writes them out; when a
 * queue is full the line is shed and counted, because a slow disk must not stop the traffic.
 */
public final class AccessLog implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(AccessLog.class);
    /** Lines wait as long as that, or until there are enough of them. */
    private static final long POLL_NANOS = 20_000_000;

    private static final int FILES_MAX = 64;
    private static final long CLOSE_MILLIS = 5_000;

    private final List<LoopLog> loops = new ArrayList<>();
    private final LongAdder shed;
    private final LongAdder lost;
    private final @Nullable WritableByteChannel out;
    private final LineOutput output;
    private final LogFile.Opener opener;
    private final boolean isStandardOutput;
    private final Thread writer;
    private volatile boolean closing;
    // Those that plugins ask for, the one written to last at the end; confined to the writer's thread.
    private final LinkedHashMap<Path, LogFile> files = new LinkedHashMap<>();

    /**
     * Opens the log.
     *
     * @param destination {@code stdout}, {@code off} or the path of a file that is appended to
     * @param loops how many event loops write to it
     * @param queueMax lines that wait, over all loops, and half a KiB for each of them
     * @param shed counts lines for which there was no room
     * @param lost counts lines that could not be written
     * @throws UncheckedIOException when the file cannot be opened
     */
    public AccessLog(String destination, int loops, int queueMax, LongAdder shed, LongAdder lost) {
        this(destination, open(destination), LogFile::append, loops, queueMax, shed, lost);
    }

    /**
     * @param out is written to; null for nothing
     * @param opener of the files that plugins name
     */
    AccessLog(
            String destination,
            @Nullable WritableByteChannel out,
            LogFile.Opener opener,
            int loops,
            int queueMax,
            LongAdder shed,
            LongAdder lost) {
        this.shed = shed;
        this.lost = lost;
        this.out = out;
        this.opener = opener;
        this.output = new LineOutput("The access log " + destination, lost);
        this.isStandardOutput = destination.equals("stdout");
        for (int i = 0; i < loops; i++) {
            this.loops.add(new LoopLog(new LogQueue(Math.max(2, queueMax / loops), this::wake)));
        }
        this.writer = Thread.ofPlatform().name("sigma-access-log").daemon().start(this::run);
    }

    private static @Nullable FileChannel open(String destination) {
        if (destination.equals("off")) {
            return null;
        }
        if (destination.equals("stdout")) {
            return new FileOutputStream(FileDescriptor.out).getChannel();
        }
        try {
            return FileChannel.open(Path.of(destination), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException("accessLog: " + destination + " cannot be opened: " + e.getMessage(), e);
        }
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
        Path file = target.file();
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

    private LogFile file(Path path) {
        LogFile known = files.get(path);
        if (known == null) {
            known = new LogFile(path, opener, lost);
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
