package io.sigma.dataplane.filter.content;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A part of a file (RFC 9110 §14.1.2).
 *
 * @param first position of its first byte, from 0; -1 when no byte of the file is in the range
 * @param length in bytes, at least 1 unless {@code first} is -1
 */
record ByteRange(long first, long length) {

    /** No byte of the file is in the range. */
    static final ByteRange NONE = new ByteRange(-1, 0);

    private static final String UNIT = "bytes=";
    private static final int DIGITS_MAX = 18;
    private static final int DECIMAL = 10;

    /**
     * Returns the range that {@code field} asks for; null when the field is to be ignored, because it is malformed, of
     * another unit, asks for several ranges, which a server may answer with the whole (§14.2), or for the last bytes of
     * an empty file, which are all that it has (§14.1.2).
     *
     * @param total length of the file in bytes
     */
    static @Nullable ByteRange parse(String field, long total) {
        if (!field.toLowerCase(Locale.ROOT).startsWith(UNIT)) {
            return null;
        }
        String range = only(field.substring(UNIT.length()));
        int dash = range.indexOf('-');
        if (dash < 0) {
            return null;
        }
        long from = number(range.substring(0, dash));
        long to = number(range.substring(dash + 1));
        boolean suffix = dash == 0;
        boolean open = dash == range.length() - 1;
        if (suffix ? to < 0 : from < 0 || (!open && to < from)) {
            return null;
        }
        if (suffix) {
            long length = Math.min(to, total);
            return to == 0 ? NONE : length == 0 ? null : new ByteRange(total - length, length);
        }
        long last = open ? total - 1 : Math.min(to, total - 1);
        return from >= total ? NONE : new ByteRange(from, last - from + 1);
    }

    /** Returns the one element of the list; as it is where it has several. Empty ones count for nothing (§5.6.1.2). */
    private static String only(String list) {
        String one = "";
        for (String item : list.split(",", -1)) {
            String bare = item.strip();
            if (!bare.isEmpty() && !one.isEmpty()) {
                return list;
            }
            one = bare.isEmpty() ? one : bare;
        }
        return one;
    }

    /** Returns whether no byte of the file is in the range. */
    boolean isEmpty() {
        return first < 0;
    }

    /** Returns the number, or the largest one where it is larger than any file; -1 when it is none. */
    private static long number(String text) {
        if (text.isEmpty() || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return -1;
        }
        int first = 0;
        while (first < text.length() - 1 && text.charAt(first) == '0') {
            first++;
        }
        return text.length() - first > DIGITS_MAX
                ? Long.MAX_VALUE
                : Long.parseLong(text, first, text.length(), DECIMAL);
    }
}
