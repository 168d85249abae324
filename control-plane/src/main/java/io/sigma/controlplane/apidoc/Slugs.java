package io.sigma.controlplane.apidoc;

import io.sigma.value.Sha256;
import java.util.Locale;
import java.util.Set;

/** Ids from names: the same name gives the same id. Pure; linear in the length of the name. */
public final class Slugs {

    private static final int LENGTH_MAX = 64;
    private static final int HASH_DIGITS = 8;

    /** Segments that no path can have. */
    private static final Set<String> DOT_SEGMENTS = Set.of(".", "..");

    private Slugs() {}

    /**
     * Returns {@code name} with one hyphen for whatever is no letter, digit, dot, hyphen or underscore, and without
     * hyphens around it; empty when nothing is left, and for {@code .} and {@code ..}.
     */
    static String of(String name) {
        StringBuilder slug = new StringBuilder();
        boolean gap = false;
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (!isPlain(c)) {
                gap = true;
                continue;
            }
            slug.append(gap && !slug.isEmpty() ? "-" : "");
            gap = false;
            if (c != '-' || !slug.isEmpty()) {
                slug.append(c);
            }
        }
        while (!slug.isEmpty() && slug.charAt(slug.length() - 1) == '-') {
            slug.setLength(slug.length() - 1);
        }
        String text = slug.toString();
        return DOT_SEGMENTS.contains(text) ? "" : text;
    }

    private static boolean isPlain(char c) {
        return (c < 0x80 && Character.isLetterOrDigit(c)) || c == '.' || c == '_' || c == '-';
    }

    static String lower(String text) {
        return of(text.toLowerCase(Locale.ROOT));
    }

    /** Returns the id of {@code name}, as long as an id may be. */
    public static String id(String name) {
        return name.length() <= LENGTH_MAX ? name : other(name, name);
    }

    /**
     * Returns another id for {@code name} than {@link #id}.
     *
     * @param identity tells it from others of the same name
     */
    public static String other(String name, String identity) {
        String hash = Sha256.hex(identity).substring(0, HASH_DIGITS);
        int room = LENGTH_MAX - HASH_DIGITS - 1;
        return name.substring(0, Math.min(name.length(), room)) + "-" + hash;
    }
}
