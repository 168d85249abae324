package io.sigma.dataplane.filter.header;

import io.sigma.value.Tokens;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code Forwarded} as its grammar has it (RFC 7239 §4): elements of pairs, each a token with a token or a quoted
 * string. White space around a semicolon, which the grammar does not have, changes nothing. Reads one line.
 */
final class ForwardedElements {

    private final String line;
    private final List<Map<String, String>> elements = new ArrayList<>();
    private Map<String, String> element = new LinkedHashMap<>();
    private int at;

    private ForwardedElements(String line) {
        this.line = line;
    }

    /**
     * Returns the parameters of each element, by their names in lower case, without elements that are empty; null where
     * a line breaks the grammar, or an element names a parameter twice.
     */
    static @Nullable List<Map<String, String>> read(List<String> lines) {
        List<Map<String, String>> all = new ArrayList<>();
        for (String line : lines) {
            ForwardedElements read = new ForwardedElements(line);
            if (!read.all()) {
                return null;
            }
            all.addAll(read.elements);
        }
        return all;
    }

    private boolean all() {
        while (true) {
            space();
            if (at < line.length() && line.charAt(at) != ',' && line.charAt(at) != ';' && !pair()) {
                return false;
            }
            space();
            if (at == line.length() || line.charAt(at) == ',') {
                endElement();
            } else if (line.charAt(at) != ';') {
                return false;
            }
            if (at++ == line.length()) {
                return true;
            }
        }
    }

    private void endElement() {
        if (!element.isEmpty()) {
            elements.add(element);
            element = new LinkedHashMap<>();
        }
    }

    private boolean pair() {
        String name = token();
        if (name.isEmpty() || at == line.length() || line.charAt(at) != '=') {
            return false;
        }
        at++;
        String value = at < line.length() && line.charAt(at) == '"' ? quoted() : token();
        return value != null
                && (!value.isEmpty() || line.charAt(at - 1) == '"')
                && element.put(name.toLowerCase(Locale.ROOT), value) == null;
    }

    private String token() {
        int from = at;
        while (at < line.length() && Tokens.isToken(line.substring(at, at + 1))) {
            at++;
        }
        return line.substring(from, at);
    }

    /** Returns the text within the quotes; null when they do not end. */
    private @Nullable String quoted() {
        StringBuilder text = new StringBuilder();
        for (at++; at < line.length(); at++) {
            char c = line.charAt(at);
            if (c == '"') {
                at++;
                return text.toString();
            }
            if (c == '\\') {
                at++;
            }
            if (at < line.length()) {
                text.append(line.charAt(at));
            }
        }
        return null;
    }

    private void space() {
        while (at < line.length() && (line.charAt(at) == ' ' || line.charAt(at) == '\t')) {
            at++;
        }
    }
}
