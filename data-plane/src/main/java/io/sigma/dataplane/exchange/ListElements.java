package io.sigma.dataplane.exchange;

import java.util.ArrayList;
import java.util.List;

/** Elements of list fields (RFC 9110 §5.6.1). Pure. */
final class ListElements {

    private ListElements() {}

    /**
     * Returns the elements of all {@code lines} as one line, without those that are empty. A comma within a quoted
     * string separates nothing.
     */
    static String withoutEmpty(List<String> lines) {
        List<String> elements = new ArrayList<>();
        for (String line : lines) {
            int start = 0;
            boolean quoted = false;
            for (int i = 0; i < line.length(); i++) {
                char c = line.charAt(i);
                if (quoted && c == '\\') {
                    i++;
                } else if (c == '"') {
                    quoted = !quoted;
                } else if (c == ',' && !quoted) {
                    add(elements, line.substring(start, i));
                    start = i + 1;
                }
            }
            add(elements, line.substring(start));
        }
        return String.join(", ", elements);
    }

    private static void add(List<String> elements, String element) {
        String bare = element.strip();
        if (!bare.isEmpty()) {
            elements.add(bare);
        }
    }
}
