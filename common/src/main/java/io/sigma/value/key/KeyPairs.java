package io.sigma.value.key;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.interfaces.RSAPublicKey;
import java.util.Arrays;

/** Says whether two keys are one pair. Pure. */
public final class KeyPairs {

    private static final byte[] PROBE = "sigma".getBytes(StandardCharsets.US_ASCII);

    private KeyPairs() {}

    /**
     * Most private keys carry their public key. Where it is another, or absent, a signature decides. A signature of an
     * elliptic curve took a fifth of the processor time of a start, most of it in the JVM's compiler.
     */
    public static boolean belongTogether(PublicKey publicKey, PrivateKey key) {
        return carries(key, publicKey) || signs(key, publicKey);
    }

    private static boolean carries(PrivateKey key, PublicKey publicKey) {
        if (key instanceof RSAPrivateCrtKey rsa && publicKey instanceof RSAPublicKey its) {
            return rsa.getModulus().equals(its.getModulus())
                    && rsa.getPublicExponent().equals(its.getPublicExponent());
        }
        return key instanceof ECPrivateKey
                && Arrays.equals(Der.publicPoint(key.getEncoded()), Der.bits(publicKey.getEncoded()));
    }

    private static boolean signs(PrivateKey key, PublicKey publicKey) {
        String algorithm = switch (publicKey.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> publicKey.getAlgorithm();
        };
        try {
            Signature signature = Signature.getInstance(algorithm);
            signature.initSign(key);
            signature.update(PROBE);
            byte[] signed = signature.sign();
            signature.initVerify(publicKey);
            signature.update(PROBE);
            return signature.verify(signed);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }
}
