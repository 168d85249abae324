package io.sigma.controlplane.secret;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.KDF;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.HKDFParameterSpec;

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

    /**
     * @param purpose makes keys of the same secret differ
     */
    public KeySeal(String secret, String purpose) {
        try {
            HKDFParameterSpec derivation = HKDFParameterSpec.ofExtract()
                    .addIKM(secret.getBytes(StandardCharsets.UTF_8))
                    .addSalt(SALT)
                    .thenExpand(purpose.getBytes(StandardCharsets.US_ASCII), KEY_BYTES);
            key = KDF.getInstance("HKDF-SHA256").deriveKey("AES", derivation);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java platform has no HKDF-SHA256", e);
        }
    }

    /** Returns {@code plain} encrypted; {@link #open} needs the same {@code context}. */
    public byte[] seal(byte[] plain, byte[] context) {
        byte[] nonce = new byte[NONCE_BYTES];
        new SecureRandom().nextBytes(nonce);
        try {
            byte[] encrypted = cipher(Cipher.ENCRYPT_MODE, nonce, context).doFinal(plain);
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
        if (sealed.length <= NONCE_BYTES) {
            throw new AEADBadTagException("sealed: " + sealed.length + " bytes");
        }
        ByteBuffer in = ByteBuffer.wrap(sealed);
        byte[] nonce = new byte[NONCE_BYTES];
        in.get(nonce);
        try {
            return cipher(Cipher.DECRYPT_MODE, nonce, context)
                    .doFinal(sealed, NONCE_BYTES, sealed.length - NONCE_BYTES);
        } catch (AEADBadTagException e) {
            throw e;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES-256-GCM failed", e);
        }
    }

    /** Returns what only the holder of the secret can compute of {@code bytes} (HMAC-SHA-256, RFC 2104). */
    byte[] mac(byte[] bytes) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(key);
            return mac.doFinal(bytes);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java platform has no HMAC-SHA-256", e);
        }
    }

    private Cipher cipher(int mode, byte[] nonce, byte[] context) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance(CIPHER);
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(context);
        return cipher;
    }
}
