package io.sigma.postgres;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A file lock that the kernel releases when this process dies, so whoever gets it knows that the former holder is gone.
 */
final class DirectoryLock implements AutoCloseable {

    private final FileChannel channel;

    private DirectoryLock(FileChannel channel) {
        this.channel = channel;
    }

    /** Returns the lock, or fails at once when another process, or this one, holds it. */
    static DirectoryLock acquire(Path file) throws IOException {
        DirectoryLock lock = tryAcquire(file);
        if (lock == null) {
            throw new IOException("%s is in use by another Sigma process (expected: one process per data directory)"
                    .formatted(file.getParent()));
        }
        return lock;
    }

    /** Returns the lock, waiting for its holder for at most {@code wait}. */
    static DirectoryLock acquire(Path file, Duration wait) throws IOException {
        Deadline deadline = Deadline.in(wait);
        while (true) {
            DirectoryLock lock = tryAcquire(file);
            if (lock != null) {
                return lock;
            }
            if (deadline.passed()) {
                throw new IOException("%s is still locked by another process after %s".formatted(file, wait));
            }
            deadline.pause();
        }
    }

    private static @Nullable DirectoryLock tryAcquire(Path file) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            FileLock lock = channel.tryLock();
            if (lock != null) {
                return new DirectoryLock(channel);
            }
        } catch (OverlappingFileLockException heldByThisProcess) {
            // Closing a channel releases every lock of the process on that file, so leave this one open: it is freed
            // with its holder.
            return null;
        }
        channel.close();
        return null;
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new IllegalStateException("the lock cannot be released", e);
        }
    }
}
