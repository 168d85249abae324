package io.sigma.route;

/**
 * The common prefix and suffix of all texts that an expression matches whole. They are read from the expression: the
 * literals at its two ends. With unusual syntax they are shorter than possible, never wrong.
 */
public record Affixes(String prefix, String suffix) {

    private static final Affixes NONE = new Affixes("", "");

    /** Returns the affixes of an RE2 expression that compiles. */
    public static Affixes of(String expression) {
        return new Reader(expression).read();
    }

    /** Reads an expression from the left, once. */
    private static final class Reader {

        private static final String QUANTIFIERS = "*+?{";
        private static final String META = "\\.[](){}*+?|^$";

        private final String text;
        private int at;

        /** The literals since the last thing that was none. */
        private final StringBuilder run = new StringBuilder();

        private String prefix = "";
        private boolean literalSoFar = true;

        Reader(String text) {
            this.text = text;
        }

        Affixes read() {
            if (text.startsWith("^")) {
                at = 1;
            }
            while (at < text.length()) {
                boolean last = text.charAt(at) == '$' && at + 1 == text.length();
                if (last) {
                    at++;
                } else if (!readPart()) {
                    // An alternative, a flag or a rarity: what comes next may change what came before.
                    return NONE;
                }
            }
            return new Affixes(literalSoFar ? run.toString() : prefix, run.toString());
        }

        /** Returns false for what makes the rest of the expression unclear. */
        private boolean readPart() {
            char c = text.charAt(at);
            if (c == '|' || c == ')' || Character.isSurrogate(c)) {
                return false;
            }
            if (META.indexOf(c) < 0) {
                return literal(c, 1);
            }
            return switch (c) {
                case '\\' -> escape();
                case '[' -> skip(endOfClass(at));
                case '(' -> (!text.startsWith("(?", at) || isGroup()) && skip(endOfGroup());
                case ']', '}' -> literal(c, 1);
                case '{' -> false;
                default -> skip(at + 1);
            };
        }

        private boolean escape() {
            if (at + 1 >= text.length()) {
                return false;
            }
            char c = text.charAt(at + 1);
            boolean punctuation = c > ' ' && c < 0x7f && !Character.isLetterOrDigit(c);
            if (punctuation) {
                return literal(c, 2);
            }
            boolean set = "dDsSwW".indexOf(c) >= 0;
            return set && skip(at + 2);
        }

        /** Takes a literal of {@code length} characters of the expression, with the quantifier that follows. */
        private boolean literal(char c, int length) {
            at += length;
            if (at >= text.length() || QUANTIFIERS.indexOf(text.charAt(at)) < 0) {
                run.append(c);
                return true;
            }
            if (text.charAt(at) == '+') {
                run.append(c);
                interrupt();
                run.append(c);
                at++;
                return skipLazy();
            }
            interrupt();
            return skipQuantifier();
        }

        /** Passes over something that is no literal and ends before {@code end}, with its quantifier. */
        private boolean skip(int end) {
            if (end < 0) {
                return false;
            }
            at = end;
            interrupt();
            return skipQuantifier();
        }

        private boolean skipQuantifier() {
            if (at >= text.length() || QUANTIFIERS.indexOf(text.charAt(at)) < 0) {
                return true;
            }
            int end = text.charAt(at) == '{' ? endOfCount() : at;
            if (end < 0) {
                return false;
            }
            at = end + 1;
            return skipLazy();
        }

        /** Returns where the count that opens here ends, -1 when it is none: the brace is then a literal. */
        private int endOfCount() {
            int end = text.indexOf('}', at);
            for (int i = at + 1; i < end; i++) {
                char c = text.charAt(i);
                if (c != ',' && (c < '0' || c > '9')) {
                    return -1;
                }
            }
            return end;
        }

        private boolean skipLazy() {
            if (at < text.length() && text.charAt(at) == '?') {
                at++;
            }
            return at >= text.length() || QUANTIFIERS.indexOf(text.charAt(at)) < 0;
        }

        private void interrupt() {
            if (literalSoFar) {
                prefix = run.toString();
                literalSoFar = false;
            }
            run.setLength(0);
        }

        /** Returns whether the group that opens here only groups: it sets no flags for what follows. */
        private boolean isGroup() {
            return text.startsWith("(?:", at) || text.startsWith("(?P<", at) || text.startsWith("(?<", at);
        }

        private int endOfGroup() {
            int depth = 0;
            int i = at;
            while (i < text.length()) {
                char c = text.charAt(i);
                if (c == '\\') {
                    if (text.startsWith("\\Q", i)) {
                        return -1;
                    }
                    i += 2;
                } else if (c == '[') {
                    i = endOfClass(i);
                    if (i < 0) {
                        return -1;
                    }
                } else {
                    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
                    i++;
                    if (depth == 0) {
                        return i;
                    }
                }
            }
            return -1;
        }

        /**
         * Returns what follows the class that opens at {@code start}; a bracket that comes first is one of its members.
         */
        private int endOfClass(int start) {
            int i = start + 1;
            i += text.startsWith("^", i) ? 1 : 0;
            i += text.startsWith("]", i) ? 1 : 0;
            while (i < text.length()) {
                char c = text.charAt(i);
                if (c == ']') {
                    return i + 1;
                }
                if (c == '\\' && text.startsWith("\\Q", i)) {
                    return -1;
                }
                int named = text.startsWith("[:", i) ? text.indexOf(":]", i) : -1;
                i = c == '\\' ? i + 2 : named > 0 ? named + 2 : i + 1;
            }
            return -1;
        }
    }
}
