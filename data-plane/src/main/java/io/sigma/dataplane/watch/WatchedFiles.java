package io.sigma.dataplane.watch;

import io.sigma.dataplane.disk.GatewayDisk;
import io.sigma.dataplane.loop.Scheduling;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at files again and again, off the event loops. A file is read when the file system says something else of it
 * (size, times, inode, at the end of all links), so that a link that is switched counts, too. What cannot be used is
 * not taken: the last good content stays, and it is said in the log, by a metric and by the health of the gateway.
 * Thread-safe.
 */
public final class WatchedFiles implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(WatchedFiles.class);

    private final GatewayDisk disk;
    private final int pollMillis;
    private final LongAdder reread;
    private final List<WeakReference<WatchedFile<?>>> files = new ArrayList<>();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    /** Null until there is a file to look at. Guarded by this. */
    private @Nullable ScheduledExecutorService thread;

    private boolean closed;

    /**
     * @param disk says which files may be read
     * @param pollMillis time between two looks; 0 for no second look
     * @param reread counts changes that are taken
     */
    public WatchedFiles(GatewayDisk disk, int pollMillis, LongAdder reread) {
        this.disk = disk;
        this.pollMillis = pollMillis;
        this.reread = reread;
    }

    /** Returns what reads files and does not look at them again. */
    public static WatchedFiles once(GatewayDisk disk) {
        return new WatchedFiles(disk, 0, new LongAdder());
    }

    /**
     * Reads files, and from then on whenever one of them changes, as long as somebody refers to what is returned.
     * Blocks.
     *
     * @param paths of files that belong together, such as a certificate and its key
     * @throws UnusableFile when they cannot be used
     */
    public <T> WatchedFile<T> open(List<String> paths, WatchedFile.Reader<T> reader) throws UnusableFile {
        WatchedFile<T> file = new WatchedFile<>(disk, paths, reader);
        synchronized (this) {
            files.add(new WeakReference<>(file));
            if (thread == null && !closed && pollMillis > 0) {
                thread = Executors.newSingleThreadScheduledExecutor(Scheduling.backgroundThreads("sigma-files"));
                thread.scheduleWithFixedDelay(this::poll, pollMillis, pollMillis, TimeUnit.MILLISECONDS);
            }
        }
        return file;
    }

    /** Has {@code listener} called, on the thread that watches, after files have changed. */
    public void onChange(Runnable listener) {
        listeners.add(listener);
    }

    /** Returns of how many files the content is not the one in use, because it cannot be used. */
    public int stale() {
        return (int) inUse().stream().filter(WatchedFile::isStale).count();
    }

    private synchronized List<WatchedFile<?>> inUse() {
        List<WatchedFile<?>> all = new ArrayList<>();
        files.removeIf(reference -> {
            WatchedFile<?> file = reference.get();
            if (file != null) {
                all.add(file);
            }
            return file == null;
        });
        return all;
    }

    /** Looks at {@code file} now. Blocks. */
    public void look(WatchedFile<?> file) {
        if (poll(file)) {
            tell();
        }
    }

    private void poll() {
        boolean changed = false;
        for (WatchedFile<?> file : inUse()) {
            changed |= poll(file);
        }
        if (changed) {
            tell();
        }
    }

    /**
     * Notifies the listeners. An exception of one does not keep the others from being called, nor the next check: a
     * timer does not call a task again that has thrown.
     */
    private void tell() {
        for (Runnable listener : listeners) {
            try {
                listener.run();
            } catch (RuntimeException | Error e) {
                LOG.error("The action after a file change failed", e);
            }
        }
    }

    private boolean poll(WatchedFile<?> file) {
        try {
            boolean wasStale = file.isStale();
            if (file.poll()) {
                LOG.info("{} changed and is used{}", file.paths(), wasStale ? " again" : "");
                reread.increment();
                return true;
            }
        } catch (UnusableFile e) {
            LOG.error("{} cannot be used, and its earlier content stays in use: {}", file.paths(), e.getMessage());
        } catch (RuntimeException | Error e) {
            // Whatever it was, the other files are looked at, and this one again.
            LOG.error("{} could not be read, and its earlier content stays in use", file.paths(), e);
        }
        return false;
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (thread != null) {
            thread.shutdownNow();
        }
    }
}
