package io.sigma.dataplane.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Where a path leads. Blocks; thread-safe. */
final class RealPath {

    private RealPath() {}

    /**
     * Returns {@code path} with every link resolved; names at its end that do not exist yet are kept.
     *
     * @param path absolute and in normal form
     * @throws IOException when a link leads nowhere, or that cannot be found out
     */
    static Path of(Path path) throws IOException {
        for (Path known = path; known != null; known = known.getParent()) {
            Path real = existing(known);
            if (real != null) {
                return real.resolve(known.relativize(path)).normalize();
            }
        }
        return path;
    }

    private static @Nullable Path existing(Path path) throws IOException {
        try {
            return path.toRealPath();
        } catch (NoSuchFileException e) {
            if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
                throw new IOException("a link that leads nowhere", e);
            }
            return null;
        }
    }
}
