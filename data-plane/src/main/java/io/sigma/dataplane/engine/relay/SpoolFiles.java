package io.sigma.dataplane.engine.relay;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of a process in which responses wait for slow clients, and their bounds. {@code Spool} takes a file from
 * it. The files have no names once they are open, so nothing is left of them, however the process ends. Thread-safe.
 */
public final class SpoolFiles {

    private static final Logger LOG = LoggerFactory.getLogger(SpoolFiles.class);
    /** The share of one owner is this fraction of all bytes: 1/8. */
    private static final int OWNER_PART = 8;

    private static final String PREFIX = "response-";
    private static final long SAY_NANOS = 10_000_000_000L;

    private final Path folder;
    private final long bytesMax;
    private final long responseBytesMax;
    private final int filesMax;
    private final Executor worker;
    private final ConcurrentHashMap<Object, Long> owners = new ConcurrentHashMap<>();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicInteger files = new AtomicInteger();
    private final AtomicLong saidNanos = new AtomicLong(System.nanoTime() - SAY_NANOS);
    private volatile boolean ready;

    /**
     * @param folder is made when it is needed
     * @param bytesMax of all files; 0 for no files
     * @param responseBytesMax of one file
     * @param filesMax open at a time
     * @param worker runs what blocks
     */
    public SpoolFiles(Path folder, long bytesMax, long responseBytesMax, int filesMax, Executor worker) {
        this.folder = folder;
        this.bytesMax = bytesMax;
        this.responseBytesMax = responseBytesMax;
        this.filesMax = filesMax;
        this.worker = worker;
    }

    /** Returns files that take nothing. */
    public static SpoolFiles none() {
        return new SpoolFiles(Path.of("."), 0, 0, 0, Runnable::run);
    }

    /** Returns how much waits in files, in bytes. */
    public long bytes() {
        return bytes.get();
    }

    long responseBytesMax() {
        return responseBytesMax;
    }

    /** Takes a place for one more file; {@link #giveFile} gives it back. */
    boolean takeFile() {
        if (bytesMax > 0 && files.incrementAndGet() <= filesMax) {
            return true;
        }
        if (bytesMax > 0) {
            files.decrementAndGet();
        }
        return false;
    }

    void giveFile() {
        files.decrementAndGet();
    }

    /**
     * Takes room for so many bytes; {@link #giveBytes} gives it back. One owner gets a part of all there is.
     *
     * @param owner the owner that they count for
     */
    boolean takeBytes(Object owner, long more) {
        long owned = owners.merge(owner, more, Long::sum);
        if (owned <= bytesMax / OWNER_PART && bytes.addAndGet(more) <= bytesMax) {
            return true;
        }
        if (owned <= bytesMax / OWNER_PART) {
            bytes.addAndGet(-more);
        }
        disown(owner, more);
        return false;
    }

    void giveBytes(Object owner, long less) {
        if (less > 0) {
            bytes.addAndGet(-less);
            disown(owner, less);
        }
    }

    private void disown(Object owner, long less) {
        owners.computeIfPresent(owner, (key, owned) -> owned == less ? null : owned - less);
    }

    /** Runs {@code task}, which may block, on another thread. */
    void work(Runnable task) {
        worker.execute(task);
    }

    /**
     * Opens a file that nobody else can reach. Blocks.
     *
     * @throws IOException when the disk takes none
     */
    FileChannel open() throws IOException {
        prepare();
        Path path = Files.createTempFile(folder, PREFIX, null);
        try {
            return FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
        } finally {
            Files.delete(path);
        }
    }

    /** Makes the folder, and deletes what a process left there that ended while it opened a file. */
    private synchronized void prepare() throws IOException {
        if (ready) {
            return;
        }
        Files.createDirectories(
                folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        try (DirectoryStream<Path> left = Files.newDirectoryStream(folder, PREFIX + "*")) {
            for (Path file : left) {
                Files.deleteIfExists(file);
            }
        }
        ready = true;
    }

    static void close(@Nullable FileChannel file) {
        if (file != null) {
            try {
                file.close();
            } catch (IOException e) {
                LOG.debug("A file without a name could not be closed", e);
            }
        }
    }

    /** Tells of a failed file, at most once in ten seconds: slow clients decide how many fail on a full disk. */
    void failed(Throwable cause) {
        long now = System.nanoTime();
        long said = saidNanos.get();
        if (now - said >= SAY_NANOS && saidNanos.compareAndSet(said, now)) {
            LOG.warn(
                    "Responses to slow clients cannot wait on the disk, so their nodes wait: {}; others may follow",
                    cause.toString());
        }
    }
}
