package io.sigma.settings;

import java.util.Collection;
import java.util.Comparator;

/** Finds what a misspelt name was meant to be. Pure. */
final class Closest {

    private Closest() {}

    /** Returns {@code "; did you mean …?"} when some known name is close, else what to consult. */
    static String hint(String name, Collection<String> known) {
        return known.stream()
                .min(Comparator.comparingInt(candidate -> distance(name, candidate)))
                .filter(candidate -> distance(name, candidate) <= Math.max(2, name.length() / 4))
                .map(candidate -> " (did you mean " + candidate + "?)")
                .orElse(" (expected: a setting listed in docs/configuration.md)");
    }

    /** Levenshtein distance. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }
}
