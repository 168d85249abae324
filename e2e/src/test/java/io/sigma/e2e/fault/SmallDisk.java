package io.sigma.e2e.fault;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file system of two megabytes in memory, which can be full or read-only. Takes root. */
public final class SmallDisk implements AutoCloseable {

    private static final int BLOCK_BYTES = 4096;

    private final Path folder;

    private SmallDisk(Path folder) {
        this.folder = folder;
    }

    /** Returns a disk that is mounted at {@code folder}. */
    public static SmallDisk at(Path folder) throws IOException {
        Files.createDirectories(folder);
        Programs.run("mount", "-t", "tmpfs", "-o", "size=2m,mode=0700", "sigma-resilience", folder.toString());
        return new SmallDisk(folder);
    }

    public void fill() throws IOException {
        byte[] block = new byte[BLOCK_BYTES];
        try (OutputStream file = Files.newOutputStream(filler())) {
            while (true) {
                file.write(block);
            }
        } catch (IOException e) {
            if (!String.valueOf(e.getMessage()).contains("No space left")) {
                throw e;
            }
        }
    }

    public void free() throws IOException {
        Files.deleteIfExists(filler());
    }

    private Path filler() {
        return folder.resolve("filler");
    }

    public void readOnly(boolean on) throws IOException {
        Programs.run("mount", "-o", "remount," + (on ? "ro" : "rw"), folder.toString());
    }

    @Override
    public void close() {
        try {
            Programs.run("umount", "-l", folder.toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
