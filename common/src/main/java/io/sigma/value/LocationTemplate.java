package io.sigma.value;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The location of a redirect, with the variables {@code $host}, {@code $path}, {@code $query}, {@code $request_uri} and
 * {@code $scheme}.
 */
public final class LocationTemplate {

    /** The variables of the template. */
    public enum Variable {
        HOST("host"),
        PATH("path"),
        QUERY("query"),
        REQUEST_URI("request_uri"),
        SCHEME("scheme");

        private final String text;

        Variable(String text) {
            this.text = text;
        }
    }

    private sealed interface Part {
        record Literal(String text) implements Part {}

        record Reference(Variable variable) implements Part {}
    }

    private final List<Part> parts;

    private LocationTemplate(List<Part> parts) {
        this.parts = List.copyOf(parts);
    }

    /**
     * Returns the parsed template.
     *
     * @throws InvalidValue for an unknown variable, white space, a control or a non-ASCII character
     */
    public static LocationTemplate parse(String text) {
        List<Part> parts = new ArrayList<>();
        StringBuilder literal = new StringBuilder();
        int i = 0;
        while (i < text.length()) {
            char c = text.charAt(i);
            if (c <= ' ' || c >= 0x7f) {
                throw InvalidValue.of(text, "no white space, control or non-ASCII character");
            }
            if (c != '$') {
                literal.append(c);
                i++;
            } else if (text.startsWith("$$", i)) {
                literal.append('$');
                i += 2;
            } else {
                Variable variable = variable(text, i + 1);
                parts.add(new Part.Literal(literal.toString()));
                literal.setLength(0);
                parts.add(new Part.Reference(variable));
                i += 1 + variable.text.length();
            }
        }
        parts.add(new Part.Literal(literal.toString()));
        return new LocationTemplate(parts);
    }

    private static Variable variable(String text, int start) {
        int end = start;
        while (end < text.length() && (text.charAt(end) == '_' || Character.isLetterOrDigit(text.charAt(end)))) {
            end++;
        }
        String name = text.substring(start, end);
        for (Variable variable : Variable.values()) {
            if (variable.text.equals(name)) {
                return variable;
            }
        }
        throw InvalidValue.of(text, "$host, $path, $query, $request_uri, $scheme or $$, not $" + name);
    }

    /** Returns whether the location depends on {@code variable}. */
    public boolean names(Variable variable) {
        return parts.contains(new Part.Reference(variable));
    }

    /** Returns the location, each variable replaced by what {@code values} gives for it. */
    public String expand(Function<Variable, String> values) {
        StringBuilder out = new StringBuilder();
        for (Part part : parts) {
            switch (part) {
                case Part.Literal(String text) -> out.append(text);
                case Part.Reference(Variable variable) -> out.append(values.apply(variable));
            }
        }
        return out.toString();
    }
}
