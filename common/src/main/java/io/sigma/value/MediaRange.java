package io.sigma.value;

import java.util.Locale;

/**
 * A media range without parameters (RFC 9110 §12.5.1): {@code application/json}, {@code text/*} or {@code *}{@code /*}.
 *
 * @param type in lower case, or {@code *}
 * @param subtype in lower case, or {@code *}
 */
public record MediaRange(String type, String subtype) {

    /**
     * Returns the parsed range; parameters are ignored.
     *
     * @throws InvalidValue with the value and what was expected
     */
    public static MediaRange parse(String text) {
        int semicolon = text.indexOf(';');
        String bare =
                (semicolon < 0 ? text : text.substring(0, semicolon)).strip().toLowerCase(Locale.ROOT);
        int slash = bare.indexOf('/');
        boolean tokens =
                slash > 0 && Tokens.isToken(bare.substring(0, slash)) && Tokens.isToken(bare.substring(slash + 1));
        if (!tokens || (bare.startsWith("*/") && !bare.equals("*/*"))) {
            throw InvalidValue.of(text, "a media type such as application/json, or a range such as text/*");
        }
        return new MediaRange(bare.substring(0, slash), bare.substring(slash + 1));
    }

    /** Returns whether some media type lies in both ranges. */
    public boolean overlaps(MediaRange other) {
        return agree(type, other.type) && agree(subtype, other.subtype);
    }

    private static boolean agree(String a, String b) {
        return a.equals("*") || b.equals("*") || a.equals(b);
    }
}
