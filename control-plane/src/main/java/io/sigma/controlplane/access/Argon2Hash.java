package io.sigma.controlplane.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.params.Argon2Parameters;

/**
 * A password as Argon2id (RFC 9106) in the PHC string format, {@code $argon2id$v=19$m=19456,t=2,p=1$<salt>$<hash>}. The
 * parameters are those that OWASP recommends; a hash is checked with its own. Immutable.
 */
final class Argon2Hash {

    private static final int MEMORY_KIB = 19_456;
    private static final int ITERATIONS = 2;
    private static final int LANES = 1;
    private static final int SALT_BYTES = 16;
    private static final int HASH_BYTES = 32;
    private static final Pattern FORMAT =
            Pattern.compile("\\$argon2id\\$v=19\\$m=(\\d{1,7}),t=(\\d{1,3}),p=(\\d{1,2})\\$([^$]+)\\$([^$]+)");
    private static final SecureRandom RANDOM = new SecureRandom();

    private final int memoryKib;
    private final int iterations;
    private final int lanes;
    private final byte[] salt;
    private final byte[] hash;

    private Argon2Hash(int memoryKib, int iterations, int lanes, byte[] salt, byte[] hash) {
        this.memoryKib = memoryKib;
        this.iterations = iterations;
        this.lanes = lanes;
        this.salt = salt;
        this.hash = hash;
    }

    /** Returns the hash of {@code password} with a new salt. Takes some 50 ms and 19 MiB, on purpose. */
    static Argon2Hash of(String password) {
        byte[] salt = new byte[SALT_BYTES];
        RANDOM.nextBytes(salt);
        byte[] hash = derive(password, MEMORY_KIB, ITERATIONS, LANES, salt, HASH_BYTES);
        return new Argon2Hash(MEMORY_KIB, ITERATIONS, LANES, salt, hash);
    }

    /** @throws IllegalStateException when {@code text} was not written by {@link #toString} */
    static Argon2Hash parse(String text) {
        Matcher parts = FORMAT.matcher(text);
        if (!parts.matches()) {
            throw new IllegalStateException("a password's hash in the database is none");
        }
        Base64.Decoder decoder = Base64.getDecoder();
        return new Argon2Hash(
                Integer.parseInt(parts.group(1)),
                Integer.parseInt(parts.group(2)),
                Integer.parseInt(parts.group(3)),
                decoder.decode(parts.group(4)),
                decoder.decode(parts.group(5)));
    }

    /** Returns whether this is the hash of {@code password}. Takes as long as {@link #of}. */
    boolean matches(String password) {
        return MessageDigest.isEqual(hash, derive(password, memoryKib, iterations, lanes, salt, hash.length));
    }

    private static byte[] derive(String password, int memoryKib, int iterations, int lanes, byte[] salt, int length) {
        Argon2BytesGenerator generator = new Argon2BytesGenerator();
        generator.init(new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id)
                .withVersion(Argon2Parameters.ARGON2_VERSION_13)
                .withMemoryAsKB(memoryKib)
                .withIterations(iterations)
                .withParallelism(lanes)
                .withSalt(salt)
                .build());
        byte[] bytes = password.getBytes(StandardCharsets.UTF_8);
        byte[] hash = new byte[length];
        generator.generateBytes(bytes, hash);
        Arrays.fill(bytes, (byte) 0);
        return hash;
    }

    @Override
    public String toString() {
        Base64.Encoder encoder = Base64.getEncoder().withoutPadding();
        return "$argon2id$v=19$m=" + memoryKib + ",t=" + iterations + ",p=" + lanes + "$" + encoder.encodeToString(salt)
                + "$" + encoder.encodeToString(hash);
    }
}
