package io.sigma.dataplane.match;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Parameters of a query, read as {@code application/x-www-form-urlencoded} (WHATWG URL §5.1). Pure. */
final class QueryParameters {

    private QueryParameters() {}

    /**
     * Returns the decoded value of the first parameter of that name: empty when it has none, null when there is no such
     * parameter. The query is walked once and nothing is kept of it, whatever names it has.
     */
    static @Nullable String first(@Nullable String query, String name) {
        int start = 0;
        while (query != null && start < query.length()) {
            int ampersand = query.indexOf('&', start);
            int end = ampersand < 0 ? query.length() : ampersand;
            int equals = query.indexOf('=', start);
            int nameEnd = equals < 0 || equals > end ? end : equals;
            if (nameEnd > start && isName(query, start, nameEnd, name)) {
                return decode(query, Math.min(nameEnd + 1, end), end);
            }
            start = end + 1;
        }
        return null;
    }

    private static boolean isName(String query, int start, int end, String name) {
        if (end - start == name.length() && query.startsWith(name, start) && isPlain(query, start, end)) {
            return true;
        }
        // Decoding never makes a text longer.
        return end - start >= name.length()
                && !isPlain(query, start, end)
                && decode(query, start, end).equals(name);
    }

    private static boolean isPlain(String query, int start, int end) {
        for (int i = start; i < end; i++) {
            char c = query.charAt(i);
            if (c == '%' || c == '+') {
                return false;
            }
        }
        return true;
    }

    /** Decodes what is encoded; a percent sign without two hexadecimal digits stands for itself. */
    private static String decode(String query, int start, int end) {
        if (isPlain(query, start, end)) {
            return query.substring(start, end);
        }
        byte[] octets = new byte[end - start];
        int length = 0;
        for (int i = start; i < end; i++) {
            char c = query.charAt(i);
            int high = c == '%' && i + 2 < end ? Character.digit(query.charAt(i + 1), 16) : -1;
            int low = high < 0 ? -1 : Character.digit(query.charAt(i + 2), 16);
            if (low >= 0) {
                octets[length++] = (byte) (high << 4 | low);
                i += 2;
            } else {
                octets[length++] = (byte) (c == '+' ? ' ' : c);
            }
        }
        return new String(octets, 0, length, StandardCharsets.UTF_8);
    }
}
