package io.sigma.controlplane.search;

import io.sigma.model.SearchDifference;
import io.sigma.model.SearchField;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Compares a word with names: by its spelling, and by what it contains. */
final class Words {

    /** The fields that people know a resource by. */
    static final Set<SearchField> TELLING =
            Set.of(SearchField.ID, SearchField.NAME, SearchField.HOST, SearchField.NODE, SearchField.USER);

    private static final int LENGTH_MAX = 64;
    private static final int PART_MIN = 3;
    private static final int TYPED_MIN = 4;
    private static final Pattern BETWEEN = Pattern.compile("[^\\p{L}\\p{N}]+");
    private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|\\[.*");

    private Words() {}

    /**
     * A name that is like a word.
     *
     * @param cost the lower, the nearer
     */
    record Like(SearchField field, String value, SearchDifference difference, int cost) {}

    /** Returns how a value is like a word, which is in lower case; null where it is not. */
    static @Nullable Like like(SearchField field, String value, String word) {
        if (word.length() > LENGTH_MAX) {
            return null;
        }
        String name = (field == SearchField.NODE ? hostOf(value) : value).toLowerCase(Locale.ROOT);
        if (name.equals(word)) {
            // A node at another port.
            return new Like(field, value, SearchDifference.NODE, 0);
        }
        if (isTypedWrong(name, word)) {
            return new Like(field, value, SearchDifference.SPELLING, 10 * edits(name, word, 2));
        }
        if (contains(word, name) || contains(word, firstLabel(name))) {
            return new Like(field, value, SearchDifference.PART, 30 + Math.max(0, word.length() - name.length()));
        }
        return null;
    }

    /** Returns the host of a URL; empty for what is none. */
    static String hostOf(String url) {
        int scheme = url.indexOf("://");
        String rest = scheme < 0 ? url : url.substring(scheme + 3);
        int slash = rest.indexOf('/');
        String authority = slash < 0 ? rest : rest.substring(0, slash);
        int colon = authority.lastIndexOf(':');
        return (colon > authority.lastIndexOf(']') ? authority.substring(0, colon) : authority)
                .toLowerCase(Locale.ROOT);
    }

    /** The name of a service, before the domain of its cluster. */
    private static String firstLabel(String name) {
        int dot = name.indexOf('.');
        return dot > 0 && !ADDRESS.matcher(name).matches() ? name.substring(0, dot) : name;
    }

    /** Returns whether a word has all parts of a name side by side, such as {@code cart-svc-7d9f-x2x4z}. */
    private static boolean contains(String word, String name) {
        if (name.length() < PART_MIN
                || name.length() >= word.length()
                || ADDRESS.matcher(name).matches()) {
            return false;
        }
        String parts = "-" + String.join("-", List.of(BETWEEN.split(word))) + "-";
        return parts.contains("-" + String.join("-", List.of(BETWEEN.split(name))) + "-");
    }

    /** Returns whether the one may be meant by the other: one or two letters differ. */
    static boolean isTypedWrong(String one, String other) {
        int length = Math.min(one.length(), other.length());
        int most = length < TYPED_MIN ? 0 : length < 2 * TYPED_MIN ? 1 : 2;
        // Addresses differ by a digit all the time.
        return most > 0 && !ADDRESS.matcher(other).matches() && edits(one, other, most) <= most;
    }

    /** Returns how many letters are put in, taken out, changed or swapped; more than {@code most} where it is more. */
    private static int edits(String one, String other, int most) {
        if (Math.abs(one.length() - other.length()) > most) {
            return most + 1;
        }
        int[] beforeLast = new int[other.length() + 1];
        int[] last = new int[other.length() + 1];
        int[] row = new int[other.length() + 1];
        for (int j = 0; j <= other.length(); j++) {
            last[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            row[0] = i;
            int least = i;
            for (int j = 1; j <= other.length(); j++) {
                int changed = last[j - 1] + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(changed, Math.min(last[j], row[j - 1]) + 1);
                if (i > 1
                        && j > 1
                        && one.charAt(i - 1) == other.charAt(j - 2)
                        && one.charAt(i - 2) == other.charAt(j - 1)) {
                    row[j] = Math.min(row[j], beforeLast[j - 2] + 1);
                }
                least = Math.min(least, row[j]);
            }
            if (least > most) {
                return most + 1;
            }
            int[] free = beforeLast;
            beforeLast = last;
            last = row;
            row = free;
        }
        return last[other.length()];
    }
}
