package io.sigma.snapshot;

import io.sigma.json.CanonicalJson;
import io.sigma.model.Kind;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The hash of a whole configuration: the sum modulo 2^256 of SHA-256 over each entity's kind, id and canonical JSON.
 * It does not depend on order and is updated in the size of a change (an additive set hash: Bellare and Micciancio, "A
 * New Paradigm for Collision-Free Hashing", 1997). It detects divergence; it does not defend against somebody who
 * chooses entities in order to collide.
 *
 * @param sum 0..2^256-1
 */
public record StateHash(BigInteger sum) {

    private static final BigInteger MODULUS = BigInteger.ONE.shiftLeft(256);
    private static final int BYTES = 32;

    /** The hash of the empty configuration. */
    public static final StateHash EMPTY = new StateHash(BigInteger.ZERO);

    /** Returns the hash of a whole state. */
    public static StateHash of(ConfigState state) {
        BigInteger[] sum = {BigInteger.ZERO};
        for (ResourceType<?> type : ResourceType.ALL) {
            state.of(type).forEach((id, resource) -> sum[0] = sum[0].add(entity(type.kind(), id, resource)));
        }
        return new StateHash(sum[0].mod(MODULUS));
    }

    /**
     * Returns the hash that {@link #hex()} gave.
     *
     * @throws IllegalArgumentException when {@code hex} is not 64 hexadecimal digits
     */
    public static StateHash parse(String hex) {
        if (hex.length() != BYTES * 2) {
            throw new IllegalArgumentException("state hash: \"" + hex + "\" (expected: 64 hexadecimal digits)");
        }
        return new StateHash(new BigInteger(1, HexFormat.of().parseHex(hex)));
    }

    /** Returns this hash with an entity added. */
    public StateHash plus(Kind kind, String id, Object resource) {
        return new StateHash(sum.add(entity(kind, id, resource)).mod(MODULUS));
    }

    /** Returns this hash with an entity taken away. */
    public StateHash minus(Kind kind, String id, Object resource) {
        return new StateHash(sum.subtract(entity(kind, id, resource)).mod(MODULUS));
    }

    /** Returns 64 hexadecimal digits in lower case. */
    public String hex() {
        byte[] magnitude = sum.toByteArray();
        byte[] fixed = new byte[BYTES];
        int length = Math.min(magnitude.length, BYTES);
        System.arraycopy(magnitude, magnitude.length - length, fixed, BYTES - length, length);
        return HexFormat.of().formatHex(fixed);
    }

    private static BigInteger entity(Kind kind, String id, Object resource) {
        MessageDigest digest = sha256();
        digest.update((kind + "\n" + id + "\n").getBytes(StandardCharsets.UTF_8));
        return new BigInteger(1, digest.digest(CanonicalJson.bytes(resource)));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
