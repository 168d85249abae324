package io.sigma.controlplane.analysis;

import io.sigma.route.Affixes;
import io.sigma.value.InvalidValue;
import io.sigma.value.NormalPath;
import org.jspecify.annotations.Nullable;

/** Says why no path in normal form matches an expression, by the literals that it begins and ends with. Pure. */
final class PathTexts {

    private PathTexts() {}

    /**
     * Returns what a path never has that every text has which the expression matches; null when there is nothing of the
     * kind at its two ends.
     *
     * @param mergeSlashes whether no path has {@code //}
     */
    static @Nullable String impossible(String expression, boolean mergeSlashes) {
        Affixes affixes = Affixes.of(expression);
        String prefix = affixes.prefix();
        // The target of OPTIONS for a whole server is an asterisk.
        if (!prefix.isEmpty() && prefix.charAt(0) != '/' && prefix.charAt(0) != '*') {
            return "every path begins with /, not with \"" + prefix.charAt(0) + "\"";
        }
        String found = inside(prefix, mergeSlashes);
        if (found == null) {
            found = inside(affixes.suffix(), mergeSlashes);
        }
        return found == null ? atTheEnd(affixes.suffix()) : found;
    }

    private static @Nullable String inside(String text, boolean mergeSlashes) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '?' || c == '#') {
                return "no path has \"" + c + "\": the query is not part of the path";
            }
            if (c <= ' ' || c >= 0x7f || NormalPath.isForeign(c)) {
                return "no path has \"" + c + "\": such characters are encoded";
            }
        }
        if (mergeSlashes && text.contains("//")) {
            return "no path has \"//\": the router merges slashes";
        }
        if (text.contains("/./") || text.contains("/../")) {
            return "no path has \"/./\" or \"/../\": dot segments are resolved";
        }
        return encoded(text);
    }

    private static @Nullable String encoded(String text) {
        for (int i = text.indexOf('%'); i >= 0 && i + 3 <= text.length(); i = text.indexOf('%', i + 1)) {
            String octet = text.substring(i, i + 3);
            try {
                String normal = NormalPath.of("/x" + octet).substring(2);
                if (!normal.equals(octet)) {
                    return "no path has \"" + octet + "\": its normal form is \"" + normal + "\"";
                }
            } catch (InvalidValue e) {
                return "no path has \"" + octet + "\": requests with it are refused";
            }
        }
        return null;
    }

    private static @Nullable String atTheEnd(String suffix) {
        return suffix.endsWith("/.") || suffix.endsWith("/..")
                ? "no path ends with \"/.\" or \"/..\": dot segments are resolved"
                : null;
    }
}
