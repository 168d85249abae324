package io.sigma.value;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Rewrites a path by an RE2/J expression and a replacement with groups. */
public final class PathRewrite {

    /** A group that matches the whole rest. */
    private static final Pattern TAIL = Pattern.compile("\\((?:\\?P?<[A-Za-z0-9_]+>)?\\.\\*\\)\\$?");

    private final Pattern expression;
    private final List<Part> parts;
    // Where the expression is a text and the rest.
    private final @Nullable String prefix;
    // The length of the replacement if it is a suffix of the prefix, followed by the rest; -1 for another replacement.
    private final int kept;

    /**
     * A group when {@code group >= 0}, otherwise a literal.
     *
     * @param query whether it comes after the question mark
     */
    private record Part(String literal, int group, boolean query) {}

    private PathRewrite(Pattern expression, List<Part> parts) {
        this.expression = expression;
        this.parts = List.copyOf(parts);
        this.prefix = prefix(expression);
        this.kept = kept(prefix, parts);
    }

    /**
     * Returns the compiled rewrite. In the replacement <code>${name}</code>, <code>${1}</code> and {@code $1} are
     * groups and {@code $$} is a dollar sign; any other use of a dollar sign is refused. What follows a question mark
     * is a query, in which a group is one value (RFC 3986 §3.4). A number sign would begin a fragment, so it is
     * encoded.
     *
     * @throws InvalidValue when the replacement is malformed or names a group that the expression does not have
     */
    public static PathRewrite parse(Pattern expression, String replacement) {
        List<Part> parts = new ArrayList<>();
        StringBuilder literal = new StringBuilder();
        boolean query = false;
        int i = 0;
        while (i < replacement.length()) {
            char c = replacement.charAt(i);
            if (c <= ' ' || c >= 0x7f) {
                throw InvalidValue.of(replacement, "no white space, control or non-ASCII character");
            }
            query |= c == '?';
            if (c == '#') {
                literal.append("%23");
                i++;
            } else if (c != '$') {
                literal.append(c);
                i++;
            } else if (replacement.startsWith("$$", i)) {
                literal.append('$');
                i += 2;
            } else {
                int end = endOfReference(replacement, i);
                parts.add(new Part(literal.toString(), -1, query));
                literal.setLength(0);
                parts.add(new Part("", group(expression, replacement, i, end), query));
                i = end;
            }
        }
        parts.add(new Part(literal.toString(), -1, query));
        return new PathRewrite(expression, parts);
    }

    private static int endOfReference(String replacement, int dollar) {
        if (replacement.startsWith("${", dollar)) {
            int close = replacement.indexOf('}', dollar);
            if (close < 0) {
                throw InvalidValue.of(replacement, "a } after ${");
            }
            return close + 1;
        }
        int end = dollar + 1;
        while (end < replacement.length() && isDigit(replacement.charAt(end)) && end - dollar <= 2) {
            end++;
        }
        if (end == dollar + 1) {
            throw InvalidValue.of(replacement, "after $ a group number, {name}, or another $");
        }
        return end;
    }

    private static int group(Pattern expression, String replacement, int dollar, int end) {
        boolean braced = replacement.charAt(dollar + 1) == '{';
        String name = braced ? replacement.substring(dollar + 2, end - 1) : replacement.substring(dollar + 1, end);
        boolean number = !name.isEmpty() && name.length() <= 2 && name.chars().allMatch(PathRewrite::isDigit);
        if (number && Integer.parseInt(name) <= expression.groupCount()) {
            return Integer.parseInt(name);
        }
        Map<String, Integer> named = expression.namedGroups();
        Integer group = named.get(name);
        if (group == null) {
            String names = named.isEmpty()
                    ? ""
                    : " or "
                            + String.join(", ", named.keySet().stream().sorted().toList());
            throw InvalidValue.of(
                    replacement,
                    "only groups of the expression, 0.." + expression.groupCount() + names + ", not " + name);
        }
        return group;
    }

    private static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }

    /**
     * Returns the rewritten path, with the query of the replacement if that has one, or {@code path} itself when the
     * expression does not match all of it. Linear in the length of {@code path}; the result begins with a slash.
     */
    public String apply(String path) {
        return apply(path, text -> text);
    }

    /** Returns whether the replacement has a query. */
    public boolean hasQuery() {
        return parts.getLast().query;
    }

    /**
     * Returns what {@link #apply(String)} does.
     *
     * @param reading as what the expression reads the path; asked only where the expression is needed
     */
    public String apply(String path, Function<String, CharSequence> reading) {
        return prefix == null || path.indexOf('\n') >= 0
                ? byExpression(path, reading.apply(path))
                : byPrefix(prefix, path);
    }

    /** Returns how many instructions the expression has. */
    public int programSize() {
        return expression.programSize();
    }

    private String byExpression(String path, CharSequence read) {
        Matcher matcher = expression.matcher(read);
        if (!matcher.matches()) {
            return path;
        }
        StringBuilder out = new StringBuilder();
        for (Part part : parts) {
            String text = part.group < 0 ? part.literal : matcher.group(part.group);
            if (text != null) {
                append(out, part, text, 0);
            }
        }
        return withSlash(out);
    }

    private String byPrefix(String start, String path) {
        if (!path.startsWith(start)) {
            return path;
        }
        int rest = start.length();
        if (kept >= 0) {
            return path.substring(rest - kept);
        }
        StringBuilder out = new StringBuilder(path.length());
        for (Part part : parts) {
            switch (part.group) {
                case -1 -> out.append(part.literal);
                case 0 -> append(out, part, path, 0);
                default -> append(out, part, path, rest);
            }
        }
        return withSlash(out);
    }

    /** Appends a text from {@code start} on; in a query what could end the value there is encoded. */
    private static void append(StringBuilder out, Part part, String text, int start) {
        if (part.group < 0 || !part.query) {
            out.append(text, start, text.length());
            return;
        }
        for (int i = start; i < text.length(); i++) {
            char c = text.charAt(i);
            if ("&;=+?#".indexOf(c) >= 0) {
                out.append('%').append(HexFormat.of().withUpperCase().toHexDigits((byte) c));
            } else {
                out.append(c);
            }
        }
    }

    private static String withSlash(StringBuilder out) {
        return !out.isEmpty() && out.charAt(0) == '/' ? out.toString() : "/" + out;
    }

    /**
     * Returns the text before the one group of an expression such as {@code /api/(?<rest>.*)}, which needs no machine;
     * null when the expression is another one.
     */
    private static @Nullable String prefix(Pattern expression) {
        if (expression.flags() != 0) {
            return null;
        }
        String text = expression.pattern();
        int group = text.indexOf('(');
        int start = text.startsWith("^") ? 1 : 0;
        if (group < start || !TAIL.matcher(text.substring(group)).matches()) {
            return null;
        }
        String literal = text.substring(start, group);
        return literal.chars().allMatch(PathRewrite::isLiteral) ? literal : null;
    }

    private static boolean isLiteral(int c) {
        return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || "/-_~%,:;=@!&'".indexOf(c) >= 0;
    }

    /**
     * Returns how much of the end of {@code prefix} stays when that is all that the replacement puts before the rest.
     */
    private static int kept(@Nullable String prefix, List<Part> parts) {
        List<Part> texts = parts.stream()
                .filter(part -> !part.literal.isEmpty() || part.group >= 0)
                .toList();
        boolean simple = prefix != null
                && texts.size() == 2
                && texts.getFirst().literal.startsWith("/")
                && prefix.endsWith(texts.getFirst().literal)
                && texts.get(1).group == 1;
        return simple ? texts.getFirst().literal.length() : -1;
    }
}
