package io.sigma.controlplane.openapi;

import io.sigma.value.Sha256;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/** Ids from names: the same name gives the same id, whatever else there is, except where two names would collide. */
final class Slugs {

    private static final int LENGTH_MAX = 64;
    private static final int HASH_DIGITS = 8;

    private final Set<String> taken = new HashSet<>();

    /** Returns {@code text} with nothing in it but letters, digits, dots, hyphens and underscores; empty when nothing is left. */
    static String of(String text) {
        String slug = text.replaceAll("[^A-Za-z0-9._-]+", "-");
        // Not by an expression: one that looks for what stands at the end begins again at each hyphen.
        int begin = 0;
        int end = slug.length();
        while (begin < end && slug.charAt(begin) == '-') {
            begin++;
        }
        while (end > begin && slug.charAt(end - 1) == '-') {
            end--;
        }
        return slug.substring(begin, end);
    }

    static String lower(String text) {
        return of(text.toLowerCase(Locale.ROOT));
    }

    /**
     * Returns an id that was not returned before.
     *
     * @param identity tells it from others of the same name
     */
    String free(String name, String identity) {
        String id = name.length() <= LENGTH_MAX ? name : withHash(name, identity);
        if (taken.add(id)) {
            return id;
        }
        String other = withHash(name, identity);
        taken.add(other);
        return other;
    }

    private static String withHash(String name, String identity) {
        String hash = Sha256.hex(identity).substring(0, HASH_DIGITS);
        int room = LENGTH_MAX - HASH_DIGITS - 1;
        return name.substring(0, Math.min(name.length(), room)) + "-" + hash;
    }
}
