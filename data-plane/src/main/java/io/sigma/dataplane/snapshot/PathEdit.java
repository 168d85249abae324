package io.sigma.dataplane.snapshot;

import io.sigma.dataplane.exchange.RequestTarget;
import io.sigma.value.PathParameters;
import org.jspecify.annotations.Nullable;

/**
 * The edit of the path that the node receives, by a proxy pass. Immutable.
 *
 * @param strip segments that are taken off the beginning, without a slash at the end; empty for none
 * @param add segments that are put before, without a slash at the end; empty for none
 */
public record PathEdit(String strip, String add) {

    static PathEdit of(@Nullable String strip, @Nullable String add) {
        return new PathEdit(strip == null ? "" : strip, add == null ? "" : add);
    }

    /**
     * Returns the path after the edit; one that does not begin with the segments to strip keeps them. Those that are
     * taken off may have parameters, which the match did not look at either.
     */
    public String apply(String path) {
        int end = end(path);
        String rest = path;
        if (end >= 0) {
            rest = path.length() == end ? "/" : path.substring(end);
        }
        return add.isEmpty() || RequestTarget.isWhole(rest) ? rest : add + rest;
    }

    /** Returns what is taken off the beginning of {@code path}; empty for nothing. */
    public String stripped(String path) {
        return end(path) >= 0 ? strip : "";
    }

    /** Returns where the segments to strip end; -1 when the path does not begin with them. */
    private int end(String path) {
        if (strip.isEmpty()) {
            return -1;
        }
        int end = strip.length();
        if (path.startsWith(strip) && (path.length() == end || path.charAt(end) == '/')) {
            return end;
        }
        return PathParameters.has(path) ? PathParameters.endOf(strip, path) : -1;
    }
}
