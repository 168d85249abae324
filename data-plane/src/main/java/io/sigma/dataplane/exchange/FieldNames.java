package io.sigma.dataplane.exchange;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Names of fields that are looked for together. Immutable. */
public final class FieldNames {

    private static final int KNOWN_SLOTS = 512;
    private static final int KNOWN_LENGTH_MAX = 32;

    /**
     * Names that were found to be in lower case, mostly those that the gateway itself asks for. Each slot keeps its
     * first one, so that event loops do not write what others read. Without locks: any name that somebody sees here was
     * found to be so.
     */
    private static final @Nullable String[] KNOWN = new @Nullable String[KNOWN_SLOTS];

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
    @SuppressWarnings("ReferenceEquality") // Another object is looked at, whatever it says.
    public static String lower(String name) {
        int hash = name.hashCode();
        int slot = (hash ^ hash >>> 16) & (KNOWN_SLOTS - 1);
        String known = KNOWN[slot];
        if (known == name) {
            return name;
        }
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c >= 'A' && c <= 'Z') {
                return name.toLowerCase(Locale.ROOT);
            }
        }
        if (known == null && name.length() <= KNOWN_LENGTH_MAX) {
            KNOWN[slot] = name;
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
