package io.sigma.dataplane.disk;

import io.sigma.check.PathUse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** A folder whose files are sent to clients. Blocks; thread-safe. */
public final class ServedFolder {

    private final GatewayDisk disk;
    private final String text;

    ServedFolder(GatewayDisk disk, String text) {
        this.disk = disk;
        this.text = text;
    }

    /**
     * Returns what is at {@code below}; null when nothing is, or nothing that may be sent: what lies outside of the
     * folder once links are resolved, and what is neither a file nor a folder.
     *
     * @param below relative path, decoded
     */
    public @Nullable ServedFile find(String below) {
        try {
            Path top = disk.resolve(PathUse.SERVED, text);
            Path real = top.resolve(below).toRealPath();
            if (!real.startsWith(top)) {
                return null;
            }
            BasicFileAttributes found =
                    Files.readAttributes(real, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            if (found.isDirectory()) {
                return new ServedFile(
                        real, true, null, 0, found.lastModifiedTime().toInstant());
            }
            return found.isRegularFile() && disk.mayServe(real)
                    ? new ServedFile(
                            real,
                            false,
                            found.fileKey(),
                            found.size(),
                            found.lastModifiedTime().toInstant())
                    : null;
        } catch (IOException | InvalidPathException e) {
            return null;
        }
    }
}
