package io.sigma.dataplane.disk;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A file, or a folder, that was found below a served folder.
 *
 * @param path with all links resolved
 * @param key which file it is; null for a folder, and where file systems do not tell
 */
public record ServedFile(
        Path path, boolean folder, @Nullable Object key, long length, Instant modified) {

    /** Returns the last name of the path. */
    public String name() {
        return path.getFileName().toString();
    }

    /**
     * Opens the file; the channel is the caller's to close.
     *
     * @throws IOException when it is gone, or something else is there by now
     */
    public FileChannel open() throws IOException {
        return GatewayDisk.openFound(path, key);
    }
}
