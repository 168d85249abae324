package io.sigma.value;

/** Tokens (RFC 9110 §5.6.2). Pure. */
public final class Tokens {

    private static final String PUNCTUATION = "!#$%&'*+-.^_`|~";

    private Tokens() {}

    /** Returns whether {@code text} is a token. */
    public static boolean isToken(String text) {
        return !text.isEmpty() && text.chars().allMatch(Tokens::isTokenCharacter);
    }

    private static boolean isTokenCharacter(int c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || PUNCTUATION.indexOf(c) >= 0;
    }
}
