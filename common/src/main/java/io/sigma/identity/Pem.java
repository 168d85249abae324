package io.sigma.identity;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;

/** Certificates and EC private keys as text (RFC 7468). */
public final class Pem {

    private static final String CERTIFICATE = "CERTIFICATE";
    private static final String PRIVATE_KEY = "PRIVATE KEY";
    private static final int LINE_LENGTH = 64;

    private Pem() {}

    /** Returns {@code certificate} as text. */
    public static String of(X509Certificate certificate) {
        try {
            return text(CERTIFICATE, certificate.getEncoded());
        } catch (CertificateException e) {
            throw new IllegalArgumentException("certificate: cannot be encoded", e);
        }
    }

    /** Returns {@code key} as text, unencrypted (PKCS #8). */
    public static String of(PrivateKey key) {
        return text(PRIVATE_KEY, key.getEncoded());
    }

    /**
     * Returns the first certificate in {@code pem}.
     *
     * @throws IllegalArgumentException when there is none
     */
    public static X509Certificate certificate(String pem) {
        return certificate(bytes(CERTIFICATE, pem));
    }

    /**
     * Returns the certificate in {@code der}.
     *
     * @throws IllegalArgumentException when there is none
     */
    public static X509Certificate certificate(byte[] der) {
        try {
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der));
        } catch (CertificateException e) {
            throw new IllegalArgumentException("certificate: " + e.getMessage(), e);
        }
    }

    /**
     * Returns the EC private key in {@code pem}.
     *
     * @throws IllegalArgumentException when there is none
     */
    public static PrivateKey privateKey(String pem) {
        return privateKey(bytes(PRIVATE_KEY, pem));
    }

    /**
     * Returns the EC private key in {@code pkcs8}.
     *
     * @throws IllegalArgumentException when there is none
     */
    public static PrivateKey privateKey(byte[] pkcs8) {
        try {
            return KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("private key: [redacted] (expected: an EC key in PKCS #8)", e);
        }
    }

    private static String text(String type, byte[] bytes) {
        Base64.Encoder lines = Base64.getMimeEncoder(LINE_LENGTH, "\n".getBytes(StandardCharsets.US_ASCII));
        return "-----BEGIN " + type + "-----\n" + lines.encodeToString(bytes) + "\n-----END " + type + "-----\n";
    }

    private static byte[] bytes(String type, String pem) {
        String begin = "-----BEGIN " + type + "-----";
        int from = pem.indexOf(begin);
        // The two may share no dash.
        int to = from < 0 ? -1 : pem.indexOf("-----END " + type + "-----", from + begin.length());
        if (to < 0) {
            throw new IllegalArgumentException("no " + begin + " in the text");
        }
        return Base64.getMimeDecoder().decode(pem.substring(from + begin.length(), to));
    }
}
