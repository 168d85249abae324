package io.sigma.dataplane.exchange.rule;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Cookies of a request (RFC 6265 §4.2). Pure. */
public final class Cookies {

    private Cookies() {}

    /**
     * Returns the value of the first cookie of that name as it was sent, null when there is none.
     *
     * @param lines of the Cookie field; HTTP/2 may have several (RFC 9113 §8.2.3)
     */
    public static @Nullable String first(List<String> lines, String name) {
        for (int i = 0; i < lines.size(); i++) {
            String value = first(lines.get(i), name);
            if (value != null) {
                return value;
            }
        }
        return null;
    }

    private static @Nullable String first(String line, String name) {
        int start = 0;
        while (start < line.length()) {
            int semicolon = line.indexOf(';', start);
            int end = semicolon < 0 ? line.length() : semicolon;
            while (start < end && isSpace(line.charAt(start))) {
                start++;
            }
            int equals = start + name.length();
            if (equals < end && line.charAt(equals) == '=' && line.startsWith(name, start)) {
                return line.substring(equals + 1, end).strip();
            }
            start = end + 1;
        }
        return null;
    }

    private static boolean isSpace(char c) {
        return c == ' ' || c == '\t';
    }
}
