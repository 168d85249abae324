package io.sigma.controlplane.openapi;

import io.sigma.value.InvalidValue;
import io.sigma.value.NormalPath;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Templated paths as paths of routes: {@code /users/{id}} is {@code /users/:id}. Pure. */
final class PathTemplate {

    /** Linear; the text is no user's expression. */
    private static final Pattern TEMPLATE = Pattern.compile("\\{[^{}/]*}");

    private static final String ANY = "[^/]+";
    private static final String META = "\\.[](){}*+?|^$";

    private PathTemplate() {}

    /**
     * Returns the path of a route.
     *
     * @throws InvalidValue when no request could have such a path
     */
    static String route(String template) {
        if (!template.startsWith("/") || template.indexOf('?') >= 0 || template.indexOf('#') >= 0) {
            throw new InvalidValue(
                    "\"" + template + "\" (expected: a path that begins with / and has no query or fragment)");
        }
        String[] segments = template.substring(1).split("/", -1);
        boolean simple = true;
        for (String segment : segments) {
            boolean whole = TEMPLATE.matcher(segment).matches();
            boolean literal = !TEMPLATE.matcher(segment).find();
            simple &= whole || (literal && !segment.startsWith(":") && segment.indexOf('*') < 0);
        }
        return simple ? bySegments(segments) : "~" + expression(segments);
    }

    private static String bySegments(String[] segments) {
        StringBuilder path = new StringBuilder();
        Set<String> names = new HashSet<>();
        for (String segment : segments) {
            boolean parameter = TEMPLATE.matcher(segment).matches();
            path.append('/').append(parameter ? ":" + name(segment, names) : encoded(segment));
        }
        return NormalPath.of(path.toString());
    }

    private static String name(String segment, Set<String> names) {
        String name = segment.substring(1, segment.length() - 1).replaceAll("[^A-Za-z0-9_]", "_");
        String free = name.isEmpty() ? "_" : name;
        while (!names.add(free)) {
            free += "_";
        }
        return free;
    }

    private static String expression(String[] segments) {
        List<String> parts = new ArrayList<>();
        for (String segment : segments) {
            StringBuilder part = new StringBuilder();
            Matcher matcher = TEMPLATE.matcher(segment);
            int from = 0;
            while (matcher.find()) {
                part.append(quoted(segment.substring(from, matcher.start()))).append(ANY);
                from = matcher.end();
            }
            parts.add(part.append(quoted(segment.substring(from))).toString());
        }
        return "/" + String.join("/", parts);
    }

    private static String quoted(String literal) {
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
}
