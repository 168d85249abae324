package io.sigma.dataplane.snapshot;

import io.sigma.dataplane.exchange.RequestTarget;
import org.jspecify.annotations.Nullable;

/**
 * What a proxy pass does to the path that the node receives. Immutable.
 *
 * @param strip segments that are taken off the beginning, without a slash at the end; empty for none
 * @param add segments that are put before, without a slash at the end; empty for none
 */
public record PathEdit(String strip, String add) {

    static PathEdit of(@Nullable String strip, @Nullable String add) {
        return new PathEdit(strip == null ? "" : strip, add == null ? "" : add);
    }

    /** Returns the path after the edit; one that does not begin with the segments to strip keeps them. */
    public String apply(String path) {
        String rest = path;
        if (begins(path)) {
            rest = path.length() == strip.length() ? "/" : path.substring(strip.length());
        }
        return add.isEmpty() || RequestTarget.isWhole(rest) ? rest : add + rest;
    }

    /** Returns what is taken off the beginning of {@code path}; empty for nothing. */
    public String stripped(String path) {
        return begins(path) ? strip : "";
    }

    private boolean begins(String path) {
        return !strip.isEmpty()
                && path.startsWith(strip)
                && (path.length() == strip.length() || path.charAt(strip.length()) == '/');
    }
}
