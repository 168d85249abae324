package io.sigma.controlplane.api.request;

import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;

/** Bounds of the paths that strangers may send. Pure. */
public final class RequestPaths {

    private static final int HEX = 16;

    /** No path of the contract or of the dashboard is nearly as long. */
    private static final int CHARS_MAX = 1024;

    private static final int SEGMENTS_MAX = 16;

    private RequestPaths() {}

    /**
     * Checks the length of a path that is not decoded yet.
     *
     * @throws FailureException when no path of ours is so long
     */
    public static void checkLength(String path) {
        if (path.length() > CHARS_MAX) {
            throw new FailureException(new Failure.PathTooLong(
                    "path: " + path.length() + " characters (expected: at most " + CHARS_MAX + ")"));
        }
        if (path.chars().filter(c -> c == '/').count() > SEGMENTS_MAX) {
            throw new FailureException(new Failure.NotFound("Nothing exists at this path."));
        }
    }

    /** Returns whether each % has two hexadecimal digits behind it. */
    public static boolean isEscapedRight(String path) {
        for (int at = path.indexOf('%'); at >= 0; at = path.indexOf('%', at + 1)) {
            if (at + 2 >= path.length()
                    || Character.digit(path.charAt(at + 1), HEX) < 0
                    || Character.digit(path.charAt(at + 2), HEX) < 0) {
                return false;
            }
        }
        return true;
    }
}
