package io.sigma.dataplane.disk;

import io.sigma.check.PathUse;
import io.sigma.dataplane.settings.GatewaySettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The one door to files and folders that the configuration names. A path must lie in a folder that the operator named
 * for its use, by its text and again with every link resolved; nothing is asked of the file system about one that does
 * not by its text, so a refusal tells nothing of what exists. Blocks; thread-safe.
 */
public final class GatewayDisk {

    /** Largest file of certificates, keys or secrets, in bytes. */
    static final long READ_BYTES_MAX = 4L << 20;

    private static final Set<PosixFilePermission> READ_BY_OTHERS =
            EnumSet.of(PosixFilePermission.GROUP_READ, PosixFilePermission.OTHERS_READ);

    private final Map<PathUse, List<KnownFolder>> folders = new EnumMap<>(PathUse.class);
    private final ForbiddenPaths forbidden;
    private final LogRegister register;

    /** @param own files of the operator that no folder opens */
    private GatewayDisk(Path dataDir, Map<PathUse, List<Path>> named, List<Path> own, boolean adopts) {
        Path data = dataDir.toAbsolutePath().normalize();
        Map<PathUse, KnownFolder> open = new EnumMap<>(PathUse.class);
        for (PathUse use : PathUse.values()) {
            KnownFolder first = new KnownFolder(data.resolve(use == PathUse.LOGGED ? "logs" : "files"));
            List<KnownFolder> all = new ArrayList<>();
            all.add(first);
            named.getOrDefault(use, List.of())
                    .forEach(folder ->
                            all.add(new KnownFolder(folder.toAbsolutePath().normalize())));
            folders.put(use, List.copyOf(all));
            open.put(use, first);
        }
        this.forbidden = new ForbiddenPaths(
                new KnownFolder(data), open, own.stream().map(KnownFolder::new).toList());
        this.register = new LogRegister(data.resolve("access-logs"), adopts);
    }

    /** Returns the disk as {@code settings} open it. */
    public static GatewayDisk of(GatewaySettings settings) {
        Map<PathUse, List<Path>> named = new EnumMap<>(PathUse.class);
        Path file = settings.files().configFile();
        Path beside = file == null ? null : file.toAbsolutePath().getParent();
        named.put(PathUse.SERVED, folders(settings.files().servedFolders(), beside));
        named.put(PathUse.LOGGED, folders(settings.files().logFolders(), beside));
        named.put(PathUse.READ, folders(settings.files().readFolders(), beside));
        List<Path> own = new ArrayList<>();
        if (file != null) {
            own.add(file.toAbsolutePath().normalize());
        }
        OperatorLog.file(settings.accessLogs().accessLog()).ifPresent(own::add);
        return new GatewayDisk(settings.dataDir(), named, own, file != null);
    }

    /** Returns a disk on which {@code named} is open for every use, beside what {@code dataDir} has for it. */
    public static GatewayDisk open(Path dataDir, Path... named) {
        Map<PathUse, List<Path>> all = new EnumMap<>(PathUse.class);
        for (PathUse use : PathUse.values()) {
            all.put(use, List.of(named));
        }
        return new GatewayDisk(dataDir, all, List.of(), false);
    }

    /**
     * @param beside folder of the file that the gateway serves instead of what a control plane says; null for none. The
     *     operator wrote that file, so what it names is the operator's decision too, unless the setting says more
     *     narrowly.
     */
    private static List<Path> folders(List<String> setting, @Nullable Path beside) {
        List<Path> all = new ArrayList<>();
        setting.forEach(folder -> all.add(Path.of(folder)));
        if (beside != null) {
            all.add(beside);
        }
        if (beside != null && setting.isEmpty()) {
            all.add(beside.getRoot());
        }
        return all;
    }

    /** Makes the folders in the data folder that the configuration may reach. */
    public void makeFolders() throws IOException {
        for (PathUse use : PathUse.values()) {
            Path own = folders(use).getFirst().path();
            if (!Files.isDirectory(own)) {
                Files.createDirectories(own);
            }
        }
    }

    /**
     * Looks whether the configuration may name {@code text}.
     *
     * @throws PathRefused when the settings do not open it
     * @throws IOException when the settings do and it cannot be used: a log that something else is
     */
    public void check(PathUse use, String text) throws IOException {
        Path real = resolve(use, text);
        if (use == PathUse.LOGGED) {
            register.check(real, real);
        }
    }

    /** Returns the place that {@code text} names, by its text alone: two texts of one place have the same. */
    public Path named(PathUse use, String text) throws PathRefused {
        List<KnownFolder> all = folders(use);
        try {
            Path path = all.getFirst().path().resolve(text).normalize();
            if (all.stream().anyMatch(folder -> path.startsWith(folder.path()))) {
                return path;
            }
        } catch (InvalidPathException e) {
            // No path at all is outside, too.
        }
        throw refused(use, text);
    }

    /** Returns where {@code text} leads: a real path that may be reached for {@code use}, and may not exist yet. */
    Path resolve(PathUse use, String text) throws PathRefused {
        Path named = named(use, text);
        try {
            Path real = RealPath.of(named);
            List<KnownFolder> open = folders(use);
            boolean isOpen = open.stream().anyMatch(folder -> folder.has(real))
                    || open.stream().anyMatch(folder -> folder.hasNow(real));
            if (isOpen && !forbidden.contains(use, real)) {
                return real;
            }
        } catch (IOException e) {
            // A link that leads nowhere leads outside as far as anybody is told.
        }
        throw refused(use, text);
    }

    private PathRefused refused(PathUse use, String text) {
        return new PathRefused(text, use, folders(use));
    }

    /**
     * Returns where a file is that is read, with no link on the way.
     *
     * @throws PathRefused when the settings do not open it
     */
    public Path resolved(String text) throws PathRefused {
        return resolve(PathUse.READ, text);
    }

    private List<KnownFolder> folders(PathUse use) {
        return folders.getOrDefault(use, List.of());
    }

    /**
     * Returns how many names the deepest folder has that is open for {@code use} and has {@code real} in it; -1 for
     * none.
     */
    private int depth(PathUse use, Path real) {
        return folders(use).stream()
                .filter(folder -> folder.has(real))
                .mapToInt(KnownFolder::depth)
                .max()
                .orElse(-1);
    }

    /**
     * Returns whether a file that is found below a served folder may be sent: not where a folder that is nearer to it
     * is open for logs or for keys alone, and in the data folder not where nobody but the owner may read it, as are
     * keys.
     */
    boolean mayServe(Path real) throws IOException {
        int served = depth(PathUse.SERVED, real);
        return !forbidden.contains(PathUse.SERVED, real)
                && depth(PathUse.LOGGED, real) <= served
                && depth(PathUse.READ, real) <= served
                && !isPrivate(real);
    }

    private boolean isPrivate(Path real) throws IOException {
        return folders(PathUse.SERVED).getFirst().has(real)
                && real.getFileSystem().supportedFileAttributeViews().contains("posix")
                && Collections.disjoint(Files.getPosixFilePermissions(real, LinkOption.NOFOLLOW_LINKS), READ_BY_OTHERS);
    }

    /**
     * Returns the content of a file that is read.
     *
     * @throws PathRefused when the settings do not open it
     * @throws IOException when it is no file, too large or cannot be read
     */
    public byte[] read(String text) throws IOException {
        Path real = resolve(PathUse.READ, text);
        try {
            BasicFileAttributes found =
                    Files.readAttributes(real, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            if (found.isRegularFile() && found.size() <= READ_BYTES_MAX) {
                try (FileChannel channel = openFound(real, found.fileKey())) {
                    ByteBuffer content = ByteBuffer.allocate((int) found.size());
                    while (content.hasRemaining() && channel.read(content) >= 0) {
                        // Until all is there.
                    }
                    return content.position() == content.capacity()
                            ? content.array()
                            : Arrays.copyOf(content.array(), content.position());
                }
            }
        } catch (PathRefused e) {
            throw refused(PathUse.READ, text);
        } catch (IOException e) {
            // Said below, without the words of the system.
        }
        throw unreadable(text);
    }

    /** Returns what is said of a file that is open and cannot be read, without the words of the system. */
    public static IOException unreadable(String text) {
        return new IOException(
                "\"" + text + "\" cannot be read (expected: a file of at most " + READ_BYTES_MAX + " bytes)");
    }

    /**
     * Opens what was looked at before.
     *
     * @param real without links
     * @param key of the file that was found there
     * @throws IOException when something else is there by now
     */
    static FileChannel openFound(Path real, @Nullable Object key) throws IOException {
        FileChannel channel = FileChannel.open(real, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
        try {
            checkUnchanged(real, key);
            return channel;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /** A link that was put in place of a folder on the way would lead the open elsewhere. */
    static void checkUnchanged(Path real, @Nullable Object key) throws IOException {
        BasicFileAttributes now = Files.readAttributes(real, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        boolean same = real.toRealPath().equals(real) && (key == null || key.equals(now.fileKey()));
        if (!same || !now.isRegularFile()) {
            throw new IOException("something else is there by now");
        }
    }

    /** Returns the folder {@code text} whose files are sent; it is resolved again for each file. */
    public ServedFolder folder(String text) {
        return new ServedFolder(this, text);
    }

    /** Returns what a log at {@code path} is called once it was put aside {@code number} times. */
    public static Path aside(Path path, int number) {
        return number == 0 ? path : path.resolveSibling(path.getFileName() + "." + number);
    }

    /** Returns the log at {@code text}, which is opened when lines are written. */
    public LogPlace log(String text) {
        return new OwnLog(this, register, text);
    }
}
