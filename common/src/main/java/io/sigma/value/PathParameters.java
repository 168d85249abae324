package io.sigma.value;

/**
 * Parameters of the segments of a path, from a {@code ;} on (RFC 3986 §3.3). Many servers take them off before they
 * look for what a path names, so {@code /a;x=1/b} is {@code /a/b} to them. {@code %3B} is data to these servers, and a
 * part of the segment here. Pure.
 */
public final class PathParameters {

    private PathParameters() {}

    /** Returns whether a path or a pattern has any. */
    public static boolean has(String path) {
        return path.indexOf(';') >= 0;
    }

    /**
     * Returns {@code path} without the parameters of its segments; the path itself when it has none.
     *
     * @param path in normal form
     * @param mergeSlashes whether segments that are empty without their parameters are merged
     */
    public static String without(String path, boolean mergeSlashes) {
        if (!has(path)) {
            return path;
        }
        StringBuilder out = new StringBuilder(path.length());
        int start = 0;
        while (start < path.length()) {
            int end = endOfSegment(path, start + 1);
            int semicolon = path.indexOf(';', start, end);
            int bare = semicolon < 0 ? end : semicolon;
            boolean empty = bare == start + 1;
            if (!empty || !mergeSlashes || end == path.length()) {
                out.append(path, start, bare);
            }
            start = end;
        }
        return out.toString();
    }

    /**
     * Returns where the segments of {@code prefix} end at the beginning of {@code path}, which has them with or without
     * parameters; -1 when it does not begin with them.
     *
     * @param prefix without a slash at the end, not empty
     */
    public static int endOf(String prefix, String path) {
        int at = 0;
        int start = 0;
        while (start < prefix.length()) {
            int end = endOfSegment(prefix, start + 1);
            int length = end - start;
            int next = at + length;
            if (!path.startsWith(prefix.substring(start, end), at)
                    || (next < path.length() && path.charAt(next) != '/' && path.charAt(next) != ';')) {
                return -1;
            }
            at = next < path.length() && path.charAt(next) == ';' ? endOfSegment(path, next) : next;
            start = end;
        }
        return at;
    }

    private static int endOfSegment(String path, int from) {
        int slash = path.indexOf('/', from);
        return slash < 0 ? path.length() : slash;
    }
}
