package io.sigma.postgres;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/**
 * The PostgreSQL programs as they come. Nothing of this is loaded once they are extracted: the packages of its
 * decompressor are sealed, and where the JVM has some of a sealed package in a cache, and the directory has been moved,
 * the others cannot be loaded (ADR 8).
 */
final class Archive {

    private static final String NAME = "/postgres-linux-x86_64.txz";

    private Archive() {}

    static void extract(Path root) throws IOException {
        try (TarArchiveInputStream tar = new TarArchiveInputStream(
                new XZInputStream(new BufferedInputStream(Binaries.resource(NAME), 1 << 16)))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                Path path = root.resolve(entry.getName()).normalize();
                if (!path.startsWith(root)) {
                    throw new IOException(
                            "archive entry %s (expected: a path below its root)".formatted(entry.getName()));
                }
                if (needed(entry.getName())) {
                    write(tar, entry, path);
                }
            }
        }
    }

    /** Leaves out what only compilers want. */
    private static boolean needed(String name) {
        return !name.endsWith(".a") && !name.contains("/pkgconfig") && !name.contains("/pgxs");
    }

    private static void write(TarArchiveInputStream tar, TarArchiveEntry entry, Path path) throws IOException {
        if (entry.isDirectory()) {
            directory(path);
            return;
        }
        Path parent = path.getParent();
        if (parent != null) {
            directory(parent);
        }
        if (entry.isSymbolicLink()) {
            Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
        } else {
            Files.copy(tar, path);
            Files.setPosixFilePermissions(
                    path, PosixFilePermissions.fromString((entry.getMode() & 0100) != 0 ? "rwxr-xr-x" : "rw-r--r--"));
        }
    }

    /** Whatever the umask, others may read the programs. */
    private static void directory(Path path) throws IOException {
        if (!Files.isDirectory(path)) {
            Path parent = path.getParent();
            if (parent != null) {
                directory(parent);
            }
            Files.createDirectory(path);
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }
}
