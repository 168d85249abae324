package io.sigma.controlplane.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;

/**
 * Keys that nobody can guess. Only their hashes are kept, without salt: no list of likely keys can be tried out.
 */
final class RandomKey {

    private static final int KEY_BYTES = 32;

    /** Length of a key as text. */
    static final int CHARS = 43;

    private static final int PASSWORD_BYTES = 15;
    private static final SecureRandom RANDOM = new SecureRandom();

    private RandomKey() {}

    /** Returns a key of 256 bits as text. */
    static String next() {
        return text(KEY_BYTES);
    }

    /** Returns a password of 20 characters. */
    static String password() {
        return text(PASSWORD_BYTES);
    }

    private static String text(int length) {
        byte[] bytes = new byte[length];
        RANDOM.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Returns what is kept of {@code key}: its SHA-256. */
    static byte[] hash(String key) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
