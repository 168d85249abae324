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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The one door to files and folders that the configuration names. A path must lie in a folder that the operator named for its
 * use, by its text and again with every link resolved; nothing is asked of the file system about one that does not by its text,
 * so a refusal tells nothing of what exists. Blocks; thread-safe.
 */
public final class GatewayDisk {

    /** Largest file of certificates, keys or secrets, in bytes. */
    static final long READ_BYTES_MAX = 4L << 20;

    private final Map<PathUse, List<Path>> folders = new EnumMap<>(PathUse.class);
    private final ForbiddenPaths forbidden;
    private final LogRegister register;

    private GatewayDisk(Path dataDir, Map<PathUse, List<Path>> named, boolean adopts) {
        Path own = dataDir.toAbsolutePath().normalize();
        Path files = own.resolve("files");
        Path logs = own.resolve("logs");
        for (PathUse use : PathUse.values()) {
            List<Path> all = new ArrayList<>();
            all.add(use == PathUse.LOGGED ? logs : files);
            named.getOrDefault(use, List.of())
                    .forEach(folder -> all.add(folder.toAbsolutePath().normalize()));
            folders.put(use, List.copyOf(all));
        }
        this.forbidden = new ForbiddenPaths(own, List.of(files, logs));
        this.register = new LogRegister(own.resolve("access-logs"), adopts);
    }

    /** Returns the disk as {@code settings} open it. */
    public static GatewayDisk of(GatewaySettings settings) {
        Map<PathUse, List<Path>> named = new EnumMap<>(PathUse.class);
        Path file = settings.configFile();
        Path beside = file == null ? null : file.toAbsolutePath().getParent();
        named.put(PathUse.SERVED, folders(settings.servedFolders(), beside));
        named.put(PathUse.LOGGED, folders(settings.logFolders(), beside));
        named.put(PathUse.READ, folders(settings.readFolders(), beside));
        return new GatewayDisk(settings.dataDir(), named, file != null);
    }

    /** Returns a disk on which {@code named} is open for every use, beside what {@code dataDir} has for it. */
    public static GatewayDisk open(Path dataDir, Path... named) {
        Map<PathUse, List<Path>> all = new EnumMap<>(PathUse.class);
        for (PathUse use : PathUse.values()) {
            all.put(use, List.of(named));
        }
        return new GatewayDisk(dataDir, all, false);
    }

    /**
     * @param beside folder of the file that the gateway serves instead of what a control plane says; null for none. The operator
     *     wrote that file, so what it names is the operator's decision too, unless the setting says more narrowly.
     */
    private static List<Path> folders(List<String> setting, @Nullable Path beside) {
        List<Path> all = new ArrayList<>();
        setting.forEach(folder -> all.add(Path.of(folder)));
        if (beside != null) {
            all.add(setting.isEmpty() ? beside.getRoot() : beside);
        }
        return all;
    }

    /** Makes the folders in the data folder that the configuration may reach. */
    public void makeFolders() throws IOException {
        for (PathUse use : PathUse.values()) {
            Path own = folders.getOrDefault(use, List.of()).getFirst();
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
        List<Path> all = folders.getOrDefault(use, List.of());
        try {
            Path path = all.getFirst().resolve(text).normalize();
            if (all.stream().anyMatch(path::startsWith)) {
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
            if (!forbidden.contains(real)) {
                for (Path folder : folders.getOrDefault(use, List.of())) {
                    if (real.startsWith(RealPath.of(folder))) {
                        return real;
                    }
                }
            }
        } catch (IOException e) {
            // A link that leads nowhere leads outside as far as anybody is told.
        }
        throw refused(use, text);
    }

    private PathRefused refused(PathUse use, String text) {
        return new PathRefused(text, use, folders.getOrDefault(use, List.of()));
    }

    /**
     * Returns where a file is that is read, with no link on the way.
     *
     * @throws PathRefused when the settings do not open it
     */
    public Path resolved(String text) throws PathRefused {
        return resolve(PathUse.READ, text);
    }

    /** Returns whether a file that is found below a served folder may be sent. */
    boolean mayServe(Path real) throws IOException {
        return !forbidden.contains(real);
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
        throw new IOException(
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

    /** Returns the log at {@code text}, which is opened when lines are written. */
    public LogPlace log(String text) {
        return new OwnLog(this, register, text);
    }
}
