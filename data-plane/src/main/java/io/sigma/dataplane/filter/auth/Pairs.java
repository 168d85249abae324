package io.sigma.dataplane.filter.auth;

import org.jspecify.annotations.Nullable;

/** Names and values in a query string or a Cookie field. Pure. */
final class Pairs {

    private Pairs() {}

    /** Returns the first value of {@code name}, as it is sent; null when there is none. */
    static @Nullable String find(@Nullable String text, char separator, String name) {
        int start = 0;
        while (text != null && start <= text.length()) {
            int end = end(text, separator, start);
            if (isNamed(text, start, end, name)) {
                return text.substring(text.indexOf('=', start) + 1, end).strip();
            }
            start = end + 1;
        }
        return null;
    }

    /** Returns {@code text} without the pairs of that name; null when nothing is left. */
    static @Nullable String without(@Nullable String text, char separator, String name) {
        if (text == null) {
            return null;
        }
        StringBuilder kept = new StringBuilder(text.length());
        int start = 0;
        while (start <= text.length()) {
            int end = end(text, separator, start);
            if (!isNamed(text, start, end, name)) {
                if (!kept.isEmpty()) {
                    kept.append(separator);
                }
                kept.append(text, start, end);
            }
            start = end + 1;
        }
        return kept.isEmpty() ? null : kept.toString();
    }

    private static int end(String text, char separator, int start) {
        int end = text.indexOf(separator, start);
        return end < 0 ? text.length() : end;
    }

    private static boolean isNamed(String text, int start, int end, String name) {
        int first = start;
        while (first < end && text.charAt(first) == ' ') {
            first++;
        }
        int equals = first + name.length();
        return equals < end && text.charAt(equals) == '=' && text.startsWith(name, first);
    }
}
