package io.sigma.value;

/** Tokens (RFC 9110 §5.6.2). Pure. */
public final class Tokens {

    private static final String PUNCTUATION = "!#$%&'*+-.^_`|~";

    private Tokens() {}

    /** Returns whether {@code text} is a token. */
    public static boolean isToken(String text) {
        boolean token = !text.isEmpty();
        // Each request asks this, so it makes no stream.
        for (int i = 0; token && i < text.length(); i++) {
            token = isTokenCharacter(text.charAt(i));
        }
        return token;
    }

    private static boolean isTokenCharacter(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || PUNCTUATION.indexOf(c) >= 0;
    }
}
