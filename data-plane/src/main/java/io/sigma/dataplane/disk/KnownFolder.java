package io.sigma.dataplane.disk;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A folder, or file, that an operator named. Where it leads is asked of the file system once a second at most, as each
 * file that is sent asks for it. Blocks; thread-safe.
 */
final class KnownFolder {

    private static final long KNOWN_NANOS = 1_000_000_000;

    private record Real(@Nullable Path path, long nanos) {}

    private final Path path;
    private volatile @Nullable Real real; // Immutable.

    /** @param path absolute and in normal form */
    KnownFolder(Path path) {
        this.path = path;
    }

    Path path() {
        return path;
    }

    /**
     * Returns whether {@code file}, a real path, is this or lies in it, as it was a second ago; false when this leads
     * nowhere.
     */
    boolean has(Path file) {
        Path leads = real();
        return leads != null && file.startsWith(leads);
    }

    /** As {@link #has}, as it is now. */
    boolean hasNow(Path file) {
        real = null;
        return has(file);
    }

    /** Returns how many names the real path has; 0 when this leads nowhere. */
    int depth() {
        Path leads = real();
        return leads == null ? 0 : leads.getNameCount();
    }

    private @Nullable Path real() {
        Real known = real;
        if (known == null || System.nanoTime() - known.nanos >= KNOWN_NANOS) {
            known = new Real(found(), System.nanoTime());
            real = known;
        }
        return known.path;
    }

    private @Nullable Path found() {
        try {
            return RealPath.of(path);
        } catch (IOException e) {
            // A link that leads nowhere, or what must not be looked at: then nothing that is in it can be opened.
            return null;
        }
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
