package io.sigma.dataplane.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The files that access logs created, stored in a file of the data folder: access logs write to, rename and delete only
 * these. A file is identified by its path and inode, so another file in its place is not taken for it. Blocks;
 * thread-safe.
 */
final class LogRegister {

    /** Files that are remembered; the oldest makes room. */
    private static final int ENTRIES_MAX = 10_000;

    /**
     * @param number of the file in its file system
     * @param log which log it belongs to: its path while it is written
     */
    private record Entry(String number, Path log) {}

    private final Path file;
    private final boolean adopts;
    private @Nullable LinkedHashMap<Path, Entry> entries; // Guarded by this; null until it was read.

    /**
     * @param adopts whether a file that exists already may become a log: an operator wrote the configuration
     */
    LogRegister(Path file, boolean adopts) {
        this.file = file;
        this.adopts = adopts;
    }

    /**
     * Looks whether {@code path} may be a file of {@code log}: it does not exist, is empty, or is one.
     *
     * @throws IOException when something else is there
     */
    synchronized void check(Path path, Path log) throws IOException {
        BasicFileAttributes found;
        try {
            found = Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException e) {
            return;
        }
        if (!found.isRegularFile()) {
            throw new IOException("\"" + path + "\" (expected: a regular file, or none yet)");
        }
        Entry entry = entries().get(path);
        boolean ofLog = entry != null && entry.log.equals(log);
        boolean own = entry != null && ofLog && entry.number.equals(number(path));
        boolean empty = path.equals(log) && found.size() == 0;
        boolean adopted = adopts && (entry == null || ofLog);
        if (!own && !empty && !adopted) {
            throw new IOException(
                    "\"" + path + "\" (expected: no file there, or one that the access log " + log + " made)");
        }
    }

    /** Notes that {@code path} is a file of {@code log}. */
    synchronized void add(Path path, Path log) throws IOException {
        Entry entry = new Entry(number(path), log);
        if (!entry.equals(entries().put(path, entry))) {
            save();
        }
    }

    /** Notes that a file of a log was renamed. */
    synchronized void move(Path from, Path to) throws IOException {
        Entry entry = entries().remove(from);
        if (entry != null) {
            entries().put(to, entry);
            save();
        }
    }

    private static String number(Path path) throws IOException {
        return String.valueOf(Files.getAttribute(path, "unix:ino", LinkOption.NOFOLLOW_LINKS));
    }

    private Map<Path, Entry> entries() throws IOException {
        LinkedHashMap<Path, Entry> known = entries;
        if (known == null) {
            known = new LinkedHashMap<>();
            try {
                for (String line : Files.readAllLines(file)) {
                    String[] fields = line.split("\t", -1);
                    if (fields.length == 3) {
                        known.put(Path.of(fields[1]), new Entry(fields[0], Path.of(fields[2])));
                    }
                }
            } catch (NoSuchFileException e) {
                // No log was written yet.
            }
            entries = known;
        }
        return known;
    }

    private void save() throws IOException {
        Map<Path, Entry> all = entries();
        if (all.size() > ENTRIES_MAX) {
            all.keySet().removeIf(path -> !Files.exists(path, LinkOption.NOFOLLOW_LINKS));
            while (all.size() > ENTRIES_MAX) {
                all.remove(all.keySet().iterator().next());
            }
        }
        List<String> lines = new ArrayList<>();
        all.forEach((path, entry) -> lines.add(entry.number + "\t" + path + "\t" + entry.log));
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        Path next = file.resolveSibling(file.getFileName() + ".new");
        Files.write(next, lines);
        Files.move(next, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }
}
