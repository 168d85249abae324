package io.sigma.dataplane.watch;

import io.sigma.dataplane.disk.GatewayDisk;
import io.sigma.dataplane.disk.PathRefused;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The last valid content of a file, or of several that belong together. It is read again as long as this object is
 * referenced. Thread-safe.
 */
public final class WatchedFile<T> {

    /** Makes something of the contents, in the order of the files. */
    @FunctionalInterface
    public interface Reader<T> {
        T read(List<byte[]> contents) throws UnusableFile;
    }

    private final GatewayDisk disk;
    private final List<String> paths;
    private final Reader<T> reader;
    private volatile T value;
    private volatile boolean stale;

    // Guarded by this.
    private List<FileMark> marks;
    private boolean certain;
    private byte[] digest;

    /** The content, and the metadata just before it was read. */
    @SuppressWarnings("ArrayRecordComponent") // It is never compared.
    private record Contents(List<FileMark> marks, List<byte[]> all, byte[] digest, boolean certain) {}

    WatchedFile(GatewayDisk disk, List<String> paths, Reader<T> reader) throws UnusableFile {
        this.disk = disk;
        this.paths = List.copyOf(paths);
        this.reader = reader;
        Contents contents = contents();
        this.value = reader.read(contents.all);
        this.digest = contents.digest;
        this.marks = contents.marks;
        this.certain = contents.certain;
    }

    /** Returns the last good content. */
    public T value() {
        return value;
    }

    /** Returns whether the files contain something else, which cannot be used. */
    boolean isStale() {
        return stale;
    }

    List<String> paths() {
        return paths;
    }

    /**
     * Looks at the files, and reads them when they have changed.
     *
     * @return whether {@link #value} is another one
     * @throws UnusableFile when there is something new that cannot be used; once for each thing
     */
    synchronized boolean poll() throws UnusableFile {
        List<FileMark> now;
        try {
            now = marks();
        } catch (UnusableFile e) {
            return refuse(List.of(), new byte[0], true, e);
        }
        if (certain && now.equals(marks)) {
            return false;
        }
        Contents contents = contents();
        if (!marks().equals(contents.marks)) {
            // Somebody writes: what was read may be of two times.
            return false;
        }
        if (Arrays.equals(contents.digest, digest)) {
            marks = contents.marks;
            certain = contents.certain;
            return false;
        }
        T next;
        try {
            next = reader.read(contents.all);
        } catch (UnusableFile e) {
            return refuse(contents.marks, contents.digest, contents.certain, e);
        }
        marks = contents.marks;
        digest = contents.digest;
        certain = contents.certain;
        stale = false;
        value = next;
        return true;
    }

    private boolean refuse(List<FileMark> seen, byte[] what, boolean isCertain, UnusableFile cause)
            throws UnusableFile {
        boolean known = stale && Arrays.equals(what, digest);
        stale = true;
        marks = seen;
        digest = what;
        certain = isCertain;
        if (!known) {
            throw cause;
        }
        return false;
    }

    private List<FileMark> marks() throws UnusableFile {
        List<FileMark> all = new ArrayList<>();
        for (int i = 0; i < paths.size(); i++) {
            try {
                all.add(FileMark.of(disk.resolved(paths.get(i))));
            } catch (PathRefused e) {
                throw unreadable(i, e);
            } catch (IOException e) {
                throw unreadable(i, GatewayDisk.unreadable(paths.get(i)));
            }
        }
        return all;
    }

    private Contents contents() throws UnusableFile {
        List<FileMark> before = marks();
        Instant now = Instant.now();
        List<byte[]> all = new ArrayList<>();
        MessageDigest sum = sha256();
        for (int i = 0; i < paths.size(); i++) {
            try {
                byte[] content = disk.read(paths.get(i));
                all.add(content);
                sum.update(sha256().digest(content));
            } catch (IOException e) {
                throw unreadable(i, e);
            }
        }
        boolean certain = before.stream().allMatch(mark -> mark.tells(now));
        return new Contents(before, all, sum.digest(), certain);
    }

    private UnusableFile unreadable(int index, IOException cause) {
        return new UnusableFile(index, String.valueOf(cause.getMessage()), cause instanceof PathRefused);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
