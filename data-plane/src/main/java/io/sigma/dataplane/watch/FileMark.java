package io.sigma.dataplane.watch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The file system's metadata of a file, at the end of all links. It changes with the content, except for writes within
 * one tick of the file system's clock.
 *
 * @param key which file it is; null where file systems do not tell
 */
public record FileMark(
        long size,
        FileTime modified,
        FileTime changed,
        @Nullable Object key) {

    /** No file system in use has longer ticks (FAT has ticks of 2 s). */
    private static final Duration TICK_MAX = Duration.ofSeconds(2);

    /**
     * Returns the mark of {@code file}.
     *
     * @throws java.nio.file.NoSuchFileException when there is none
     */
    public static FileMark of(Path file) throws IOException {
        BasicFileAttributes all = Files.readAttributes(file, BasicFileAttributes.class);
        FileTime modified = all.lastModifiedTime();
        boolean unix = file.getFileSystem().supportedFileAttributeViews().contains("unix");
        FileTime changed = unix && Files.getAttribute(file, "unix:ctime") instanceof FileTime time ? time : modified;
        return new FileMark(all.size(), modified, changed, all.fileKey());
    }

    /**
     * Returns whether a file that had this mark when it was read still has that content as long as it has this mark.
     *
     * @param read when that was
     */
    public boolean tells(Instant read) {
        Instant latest = read.minus(TICK_MAX);
        return modified.toInstant().isBefore(latest) && changed.toInstant().isBefore(latest);
    }
}
