package io.sigma.controlplane.apidoc;

import io.sigma.value.InvalidValue;
import io.sigma.value.Mismatch;
import io.sigma.value.NormalPath;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A templated path as the path of a route: {@code /users/{id}} is {@code /users/:id}. Immutable.
 *
 * @param path the pattern of the route for the template
 * @param notes what the path of the route does not say as the template does
 */
record PathTemplate(String path, List<String> notes) {

    /** What is escaped in expressions. */
    static final String META = "\\.[](){}*+?|^$";

    PathTemplate {
        notes = List.copyOf(notes);
    }

    /**
     * Reads a template.
     *
     * @throws InvalidValue when no request could have such a path
     */
    static PathTemplate of(String template) {
        if (!template.startsWith("/") || template.indexOf('#') >= 0) {
            throw refused(template);
        }
        List<String> notes = new ArrayList<>();
        List<Object> parts = parts(template, notes);
        List<List<Object>> segments = segments(parts, template);
        boolean simple = segments.stream().allMatch(PathTemplate::isSimple);
        return new PathTemplate(simple ? bySegments(segments) : "~" + expression(parts), notes);
    }

    private static InvalidValue refused(String template) {
        return new InvalidValue(Mismatch.quoted(template, "a path that begins with / and has no query or fragment"));
    }

    /** Returns what the template consists of: literal texts and {@link PathVariable}s. */
    private static List<Object> parts(String template, List<String> notes) {
        List<Object> parts = new ArrayList<>();
        int from = 0;
        while (from < template.length()) {
            int open = template.indexOf('{', from);
            String literal = template.substring(from, open < 0 ? template.length() : open);
            if (literal.indexOf('}') >= 0) {
                throw new InvalidValue(Mismatch.quoted(template, "a { before each }"));
            }
            if (literal.indexOf('?') >= 0) {
                throw refused(template);
            }
            if (!literal.isEmpty()) {
                parts.add(literal);
            }
            if (open < 0) {
                break;
            }
            int close = closing(template, open);
            PathVariable variable = PathVariable.of(template.substring(open + 1, close));
            if (variable.note() != null) {
                notes.add(template.substring(open, close + 1) + " " + variable.note());
            }
            if (!variable.expression().isEmpty()) {
                parts.add(variable);
            }
            from = close + 1;
        }
        return parts;
    }

    /** Returns where the brace at {@code open} is closed; expressions in it may have braces too. */
    private static int closing(String template, int open) {
        int depth = 0;
        for (int i = open; i < template.length(); i++) {
            char c = template.charAt(i);
            depth += c == '{' ? 1 : c == '}' ? -1 : 0;
            if (depth == 0) {
                return i;
            }
        }
        throw new InvalidValue(Mismatch.quoted(template, "a } for each {"));
    }

    private static List<List<Object>> segments(List<Object> parts, String template) {
        List<List<Object>> segments = new ArrayList<>();
        for (Object part : parts) {
            if (part instanceof String literal) {
                String[] texts = literal.split("/", -1);
                for (int i = 0; i < texts.length; i++) {
                    if (i > 0) {
                        segments.add(new ArrayList<>());
                    } else if (segments.isEmpty() && !texts[0].isEmpty()) {
                        throw refused(template);
                    }
                    if (!texts[i].isEmpty()) {
                        segments.getLast().add(texts[i]);
                    }
                }
            } else if (segments.isEmpty()) {
                throw refused(template);
            } else {
                segments.getLast().add(part);
            }
        }
        return segments;
    }

    private static boolean isSimple(List<Object> segment) {
        return segment.isEmpty()
                || (segment.size() == 1
                        && switch (segment.getFirst()) {
                            case PathVariable variable -> variable.expression().equals(PathVariable.SEGMENT);
                            case String literal -> !literal.startsWith(":") && literal.indexOf('*') < 0;
                            default -> false;
                        });
    }

    private static String bySegments(List<List<Object>> segments) {
        StringBuilder path = new StringBuilder();
        Set<String> names = new HashSet<>();
        for (List<Object> segment : segments) {
            path.append('/');
            Object part = segment.isEmpty() ? "" : segment.getFirst();
            path.append(part instanceof PathVariable variable ? ":" + name(variable, names) : encoded((String) part));
        }
        return NormalPath.of(path.toString());
    }

    private static String name(PathVariable variable, Set<String> names) {
        String name = variable.name().replaceAll("[^A-Za-z0-9_]", "_");
        String free = name.isEmpty() ? "_" : name;
        while (!names.add(free)) {
            free += "_";
        }
        return free;
    }

    private static String expression(List<Object> parts) {
        StringBuilder expression = new StringBuilder();
        for (Object part : parts) {
            expression.append(part instanceof PathVariable variable ? variable.expression() : quoted((String) part));
        }
        return expression.toString();
    }

    /** Returns an expression for a literal text, which may have slashes. */
    private static String quoted(String literal) {
        return Arrays.stream(literal.split("/", -1))
                .map(PathTemplate::quotedSegment)
                .collect(Collectors.joining("/"));
    }

    /** Returns an expression for a literal text without slashes. */
    static String quotedSegment(String literal) {
        // A dot alone is no part of a segment: it would be taken for one that means this folder.
        String normal = NormalPath.of("/_" + encoded(literal)).substring(2);
        StringBuilder quoted = new StringBuilder();
        for (int i = 0; i < normal.length(); i++) {
            char c = normal.charAt(i);
            quoted.append(META.indexOf(c) >= 0 ? "\\" : "").append(c);
        }
        return quoted.toString();
    }

    /** Returns the text as requests have it: what no path may contain is percent-encoded. */
    private static String encoded(String literal) {
        StringBuilder encoded = new StringBuilder();
        for (byte octet : literal.getBytes(StandardCharsets.UTF_8)) {
            int c = octet & 0xff;
            boolean plain = c > ' ' && c < 0x7f && "\"<>\\^`{|}".indexOf(c) < 0;
            encoded.append(plain ? String.valueOf((char) c) : "%" + String.format("%02X", c));
        }
        return encoded.toString();
    }

    /**
     * Returns {@code path}, of a route, so that paths which take the same requests are equal: without names of
     * parameters.
     */
    static String shape(String path) {
        return path.startsWith("~") ? path : path.replaceAll("/:[A-Za-z0-9_]+", "/:");
    }

    /** Returns the shape of the route of a template; null when there is none. */
    static @Nullable String shapeOf(String template) {
        try {
            return shape(of(template).path());
        } catch (InvalidValue e) {
            return null;
        }
    }
}
