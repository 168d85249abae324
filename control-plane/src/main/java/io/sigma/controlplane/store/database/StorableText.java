package io.sigma.controlplane.store.database;

import org.jspecify.annotations.Nullable;

/** Checks the texts that the database can store. Pure. */
public final class StorableText {

    private StorableText() {}

    /**
     * Returns whether {@code text} can be sent to the database: PostgreSQL refuses NUL, even where it is only looked
     * for.
     */
    public static boolean isStorable(String text) {
        return text.indexOf('\0') < 0;
    }

    /**
     * To be called with what others say: a text that the database cannot hold would fail what is written along with it.
     *
     * @param lengthMax in UTF-16 units
     * @throws IllegalArgumentException when {@code text} is null, longer, or not {@link #isStorable}
     */
    public static void requireStorable(String field, @Nullable String text, int lengthMax) {
        if (text == null || text.length() > lengthMax || !isStorable(text)) {
            throw new IllegalArgumentException(
                    field + " (expected: a text of 0.." + lengthMax + " characters without NUL)");
        }
    }
}
