package io.sigma.value;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Estimates how large an RE2 expression becomes when its counted repetitions are written out, as RE2/J does: nested
 * ones multiply, so that few characters could need more memory than there is. Of what is no expression the size means
 * nothing.
 */
final class Re2Size {

    private static final long LIMIT = 1L << 40;

    /** The size of one level of parentheses. */
    private static final class Level {
        private long sum;
        private long last;

        private void add(long size) {
            sum += last;
            last = size;
        }

        private void repeat(long times) {
            last = Math.min(LIMIT, last * Math.max(1, times));
        }

        private long size() {
            return Math.min(LIMIT, sum + last);
        }
    }

    private final String text;
    private final Deque<Level> levels = new ArrayDeque<>();
    private int at;

    private Re2Size(String text) {
        this.text = text;
        levels.push(new Level());
    }

    /** Returns how many parts the expression has; roughly the instructions of its program. */
    static long of(String expression) {
        return new Re2Size(expression).scan();
    }

    private long scan() {
        while (at < text.length()) {
            switch (text.charAt(at)) {
                case '\\' -> escape();
                case '[' -> characterClass();
                case '(' -> {
                    levels.push(new Level());
                    at++;
                }
                case ')' -> {
                    at++;
                    close();
                }
                case '{' -> counted();
                default -> {
                    top().add(1);
                    at++;
                }
            }
        }
        while (levels.size() > 1) {
            close();
        }
        return top().size();
    }

    private Level top() {
        return levels.getFirst();
    }

    private void close() {
        if (levels.size() > 1) {
            long size = levels.pop().size();
            top().add(size + 2);
        }
    }

    /** Skips {@code \\pL}, {@code \\x{1F600}} and the like whole: their braces count nothing. */
    private void escape() {
        if (text.startsWith("\\Q", at)) {
            int end = text.indexOf("\\E", at);
            int quoted = (end < 0 ? text.length() : end) - at - 2;
            top().add(quoted);
            top().add(1);
            at = end < 0 ? text.length() : end + 2;
            return;
        }
        boolean braced =
                at + 2 < text.length() && "pPx".indexOf(text.charAt(at + 1)) >= 0 && text.charAt(at + 2) == '{';
        int end = braced ? text.indexOf('}', at) : -1;
        at = end < 0 ? at + 2 : end + 1;
        top().add(1);
    }

    private void characterClass() {
        at++;
        if (at < text.length() && text.charAt(at) == '^') {
            at++;
        }
        boolean first = true;
        while (at < text.length() && (first || text.charAt(at) != ']')) {
            first = false;
            int named = text.startsWith("[:", at) ? text.indexOf(":]", at + 2) : -1;
            if (named >= 0) {
                at = named + 2;
            } else {
                at += text.charAt(at) == '\\' ? 2 : 1;
            }
        }
        at++;
        top().add(1);
    }

    /** {@code {n}}, {@code {n,}} or {@code {n,m}}; anything else is text. */
    private void counted() {
        int end = text.indexOf('}', at);
        String inside = end < 0 ? "" : text.substring(at + 1, end);
        int comma = inside.indexOf(',');
        String least = comma < 0 ? inside : inside.substring(0, comma);
        String most = comma < 0 ? "" : inside.substring(comma + 1);
        if (!isCount(least) || (!most.isEmpty() && !isCount(most))) {
            top().add(1);
            at++;
            return;
        }
        long times = Long.parseLong(least) + (comma >= 0 ? 1 : 0);
        top().repeat(most.isEmpty() ? times : Math.max(times, Long.parseLong(most)));
        at = end + 1;
    }

    private static boolean isCount(String digits) {
        return !digits.isEmpty() && digits.length() <= 9 && digits.chars().allMatch(c -> c >= '0' && c <= '9');
    }
}
