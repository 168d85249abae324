package io.sigma.controlplane.apidoc;

import java.util.ArrayList;
import java.util.List;

/**
 * A segment of an expression that {@link PathTemplate} made: literal texts with any text between them. Literal segments
 * are compared with it. An engine for expressions takes the product of both lengths for each pair, and there may be a
 * million pairs. Immutable.
 *
 * @param literals what stands before, between and behind the places
 * @param least for each place how many characters it takes at least
 */
record SegmentGlob(List<String> literals, List<Integer> least) {

    SegmentGlob {
        literals = List.copyOf(literals);
        least = List.copyOf(least);
    }

    /**
     * Returns what a segment says.
     *
     * @param expression literals with backslashes, {@code .+} and {@code .*}
     * @param place the character that stands for at least one of a segment
     */
    static SegmentGlob of(String expression, char place) {
        List<String> literals = new ArrayList<>();
        List<Integer> least = new ArrayList<>();
        StringBuilder literal = new StringBuilder();
        for (int i = 0; i < expression.length(); i++) {
            char c = expression.charAt(i);
            if (c == '\\') {
                literal.append(expression.charAt(++i));
            } else if (c == place || c == '.') {
                literals.add(literal.toString());
                literal.setLength(0);
                least.add(c == place || expression.charAt(++i) == '+' ? 1 : 0);
            } else {
                literal.append(c);
            }
        }
        literals.add(literal.toString());
        return new SegmentGlob(literals, least);
    }

    /** As {@link #matches(String)}, counted: each literal within is looked for at each place of the text. */
    boolean matches(String text, Effort effort) {
        long within = 0;
        for (int i = 1; i < literals.size() - 1; i++) {
            within += literals.get(i).length();
        }
        effort.step(text.length() * (1 + within));
        return !effort.isSpent() && matches(text);
    }

    /**
     * Returns whether the whole of {@code text} is as this says. Each literal is taken where it is first: that leaves
     * most room.
     */
    boolean matches(String text) {
        String first = literals.getFirst();
        if (least.isEmpty()) {
            return text.equals(first);
        }
        String last = literals.getLast();
        int end = text.length() - last.length();
        if (end < first.length() || !text.startsWith(first) || !text.endsWith(last)) {
            return false;
        }
        int at = first.length();
        for (int i = 1; i < literals.size() - 1; i++) {
            String literal = literals.get(i);
            int from = at + least.get(i - 1);
            int found = from > end ? -1 : text.indexOf(literal, from);
            if (found < 0 || found + literal.length() > end) {
                return false;
            }
            at = found + literal.length();
        }
        return at + least.getLast() <= end;
    }
}
