package io.sigma.value;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * A password that cannot be read back: PBKDF2 with HMAC-SHA-512 (RFC 8018), written
 * {@code pbkdf2-sha512$<iterations>$<salt>$<hash>}. Immutable.
 */
public final class PasswordHash {

    private static final String SCHEME = "pbkdf2-sha512";
    private static final String ALGORITHM = "PBKDF2WithHmacSHA512";
    private static final int ITERATIONS = 210_000;
    private static final int ITERATIONS_MIN = 1000;
    private static final int ITERATIONS_MAX = 1_000_000;
    private static final int SALT_BYTES = 16;
    private static final int HASH_BYTES = 32;
    private static final int PART_BYTES_MAX = 64;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final int iterations;
    private final byte[] salt;
    private final byte[] hash;

    private PasswordHash(int iterations, byte[] salt, byte[] hash) {
        this.iterations = iterations;
        this.salt = salt;
        this.hash = hash;
    }

    /** Returns the hash of {@code password} with a new salt. Takes a tenth of a second, on purpose. */
    public static PasswordHash of(String password) {
        return of(password, ITERATIONS);
    }

    static PasswordHash of(String password, int iterations) {
        byte[] salt = new byte[SALT_BYTES];
        RANDOM.nextBytes(salt);
        return new PasswordHash(iterations, salt, derive(password, iterations, salt, HASH_BYTES));
    }

    /**
     * Returns the parsed hash.
     *
     * @throws InvalidValue without the value, which is nobody's business
     */
    public static PasswordHash parse(String text) {
        List<String> parts = List.of(text.split("\\$", -1));
        try {
            if (parts.size() == 4 && parts.getFirst().equals(SCHEME)) {
                int iterations = Integer.parseInt(parts.get(1));
                byte[] salt = Base64.getDecoder().decode(parts.get(2));
                byte[] hash = Base64.getDecoder().decode(parts.get(3));
                if (iterations >= ITERATIONS_MIN && iterations <= ITERATIONS_MAX && fits(salt) && fits(hash)) {
                    return new PasswordHash(iterations, salt, hash);
                }
            }
        } catch (IllegalArgumentException e) {
            // Said below.
        }
        throw new InvalidValue(Mismatch.of(
                "[redacted]",
                SCHEME + "$<" + ITERATIONS_MIN + ".." + ITERATIONS_MAX
                        + ">$<salt>$<hash>, salt and hash 8 to 64 bytes in Base64"));
    }

    private static boolean fits(byte[] part) {
        return part.length >= 8 && part.length <= PART_BYTES_MAX;
    }

    /** Returns whether {@code password} is the one. Takes as long as making the hash did. */
    public boolean matches(String password) {
        return MessageDigest.isEqual(hash, derive(password, iterations, salt, hash.length));
    }

    private static byte[] derive(String password, int iterations, byte[] salt, int bytes) {
        PBEKeySpec spec = new PBEKeySpec(password.toCharArray(), salt, iterations, bytes * 8);
        try {
            return SecretKeyFactory.getInstance(ALGORITHM).generateSecret(spec).getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + ALGORITHM, e);
        } finally {
            spec.clearPassword();
        }
    }

    /** Returns the text that {@link #parse} understands. */
    public String text() {
        Base64.Encoder encoder = Base64.getEncoder();
        return SCHEME + "$" + iterations + "$" + encoder.encodeToString(salt) + "$" + encoder.encodeToString(hash);
    }

    @Override
    public String toString() {
        return "[redacted]";
    }
}
