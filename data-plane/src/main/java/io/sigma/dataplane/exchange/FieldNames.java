package io.sigma.dataplane.exchange;

import java.util.List;
import java.util.Locale;

/** Names of fields that are looked for together. Immutable. */
public final class FieldNames {

    private final List<String> names;
    private final long bits;

    private FieldNames(List<String> names) {
        this.names = names;
        long all = 0;
        for (String name : names) {
            all |= bit(name.hashCode());
        }
        this.bits = all;
    }

    /**
     * @param names in lower case
     */
    public static FieldNames of(String... names) {
        return new FieldNames(List.of(names));
    }

    /** Returns a name in lower case; most callers have it so already. */
    public static String lower(String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c >= 'A' && c <= 'Z') {
                return name.toLowerCase(Locale.ROOT);
            }
        }
        return name;
    }

    /** Returns a bit for the hash of a name in lower case; names whose bits differ differ. */
    public static long bit(int hash) {
        return 1L << (hash ^ hash >>> 6 ^ hash >>> 12);
    }

    /** Returns the bits of all names, by which most other names are told apart at once. */
    public long bits() {
        return bits;
    }

    /** Returns the names, in lower case. */
    public List<String> all() {
        return names;
    }
}
