package io.sigma.controlplane.secret;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.KDF;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.HKDFParameterSpec;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts with AES-256-GCM under a key that HKDF-SHA-256 (RFC 5869) derives from a secret of the settings; the nonce
 * stands before the ciphertext. Immutable; any thread.
 */
public final class KeySeal {

    private static final String CIPHER = "AES/GCM/NoPadding";
    private static final int KEY_BYTES = 32;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final byte[] SALT = "sigma".getBytes(StandardCharsets.US_ASCII);

    private final SecretKey key;
    private final @Nullable SecretKey previous;

    /**
     * @param purpose makes keys of the same secret differ
     */
    public KeySeal(KeyRing ring, String purpose) {
        this.key = derive(ring.present(), purpose);
        this.previous = ring.previous() == null ? null : derive(ring.previous(), purpose);
    }

    private static SecretKey derive(String secret, String purpose) {
        try {
            HKDFParameterSpec derivation = HKDFParameterSpec.ofExtract()
                    .addIKM(secret.getBytes(StandardCharsets.UTF_8))
                    .addSalt(SALT)
                    .thenExpand(purpose.getBytes(StandardCharsets.US_ASCII), KEY_BYTES);
            return KDF.getInstance("HKDF-SHA256").deriveKey("AES", derivation);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java platform has no HKDF-SHA256", e);
        }
    }

    /** Returns {@code plain} encrypted; {@link #open} needs the same {@code context}. */
    public byte[] seal(byte[] plain, byte[] context) {
        byte[] nonce = new byte[NONCE_BYTES];
        new SecureRandom().nextBytes(nonce);
        try {
            byte[] encrypted = cipher(key, Cipher.ENCRYPT_MODE, nonce, context).doFinal(plain);
            return ByteBuffer.allocate(NONCE_BYTES + encrypted.length)
                    .put(nonce)
                    .put(encrypted)
                    .array();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES-256-GCM failed", e);
        }
    }

    /**
     * Returns what was sealed.
     *
     * @throws AEADBadTagException when it was sealed with another secret or context, or is damaged
     */
    public byte[] open(byte[] sealed, byte[] context) throws AEADBadTagException {
        try {
            return open(key, sealed, context);
        } catch (AEADBadTagException e) {
            if (previous == null) {
                throw e;
            }
            return open(previous, sealed, context);
        }
    }

    /**
     * Returns {@code sealed} encrypted with the present secret; {@code sealed} itself when it is already.
     *
     * @throws AEADBadTagException as {@link #open}
     */
    public byte[] renewed(byte[] sealed, byte[] context) throws AEADBadTagException {
        try {
            open(key, sealed, context);
            return sealed;
        } catch (AEADBadTagException e) {
            return seal(open(sealed, context), context);
        }
    }

    private static byte[] open(SecretKey key, byte[] sealed, byte[] context) throws AEADBadTagException {
        if (sealed.length <= NONCE_BYTES) {
            throw new AEADBadTagException("sealed: " + sealed.length + " bytes");
        }
        ByteBuffer in = ByteBuffer.wrap(sealed);
        byte[] nonce = new byte[NONCE_BYTES];
        in.get(nonce);
        try {
            return cipher(key, Cipher.DECRYPT_MODE, nonce, context)
                    .doFinal(sealed, NONCE_BYTES, sealed.length - NONCE_BYTES);
        } catch (AEADBadTagException e) {
            throw e;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES-256-GCM failed", e);
        }
    }

    /** Returns what only the holder of the secret can compute of {@code bytes} (HMAC-SHA-256, RFC 2104). */
    byte[] mac(byte[] bytes) {
        return mac(key, bytes);
    }

    /** Returns whether {@code mac} is that of {@code bytes}, with the present secret or the previous one. */
    boolean isMac(byte[] mac, byte[] bytes) {
        return MessageDigest.isEqual(mac, mac(key, bytes))
                || (previous != null && MessageDigest.isEqual(mac, mac(previous, bytes)));
    }

    private static byte[] mac(SecretKey key, byte[] bytes) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(key);
            return mac.doFinal(bytes);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java platform has no HMAC-SHA-256", e);
        }
    }

    private static Cipher cipher(SecretKey key, int mode, byte[] nonce, byte[] context)
            throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance(CIPHER);
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(context);
        return cipher;
    }
}
