package io.sigma.dataplane.listener;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;

/** Finds out whether a certificate and a key belong together, which Java would notice with the first handshake only. */
final class KeyPairs {

    private static final byte[] PROBE = "sigma".getBytes(StandardCharsets.US_ASCII);

    private KeyPairs() {}

    /**
     * Checks PEM texts.
     *
     * @throws IllegalArgumentException saying what is wrong
     */
    static void check(String certificates, String key) {
        Certificate certificate = certificate(certificates);
        PrivateKey privateKey = privateKey(key);
        try {
            String algorithm = switch (privateKey.getAlgorithm()) {
                case "RSA" -> "SHA256withRSA";
                case "EC", "ECDSA" -> "SHA256withECDSA";
                default -> privateKey.getAlgorithm();
            };
            Signature signature = Signature.getInstance(algorithm);
            signature.initSign(privateKey);
            signature.update(PROBE);
            byte[] signed = signature.sign();
            signature.initVerify(certificate.getPublicKey());
            signature.update(PROBE);
            if (!signature.verify(signed)) {
                throw new IllegalArgumentException("the key is not that of the first certificate");
            }
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("the key is not that of the first certificate: " + e.getMessage(), e);
        }
    }

    private static Certificate certificate(String pem) {
        try {
            return CertificateFactory.getInstance("X.509")
                    .generateCertificate(new ByteArrayInputStream(pem.substring(Math.max(0, pem.indexOf("-----BEGIN")))
                            .getBytes(StandardCharsets.US_ASCII)));
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("no certificate: " + e.getMessage(), e);
        }
    }

    private static PrivateKey privateKey(String pem) {
        try (PEMParser parser = new PEMParser(new StringReader(pem))) {
            for (Object object = parser.readObject(); object != null; object = parser.readObject()) {
                if (object instanceof PEMKeyPair pair) {
                    return new JcaPEMKeyConverter().getPrivateKey(pair.getPrivateKeyInfo());
                }
                if (object instanceof PrivateKeyInfo info) {
                    return new JcaPEMKeyConverter().getPrivateKey(info);
                }
            }
        } catch (IOException e) {
            throw new IllegalArgumentException("no private key: " + e.getMessage(), e);
        }
        throw new IllegalArgumentException("no private key that is not encrypted");
    }
}
