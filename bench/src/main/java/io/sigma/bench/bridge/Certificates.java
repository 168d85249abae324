package io.sigma.bench.bridge;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.math.BigInteger;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.Date;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** A certificate authority for one run, EC P-256. */
final class Certificates {

    private final KeyPair caKey;
    private final byte[] ca;

    Certificates() throws Exception {
        caKey = key();
        ca = sign("CN=bench ca", caKey, true);
    }

    PemTrustOptions trust() {
        return new PemTrustOptions().addCertValue(pem("CERTIFICATE", ca));
    }

    PemKeyCertOptions issue(String name) throws Exception {
        KeyPair key = key();
        return new PemKeyCertOptions()
                .addCertValue(pem("CERTIFICATE", sign("CN=" + name, key, false)))
                .addKeyValue(pem("PRIVATE KEY", key.getPrivate().getEncoded()));
    }

    private static KeyPair key() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        return generator.generateKeyPair();
    }

    private byte[] sign(String subject, KeyPair key, boolean authority) throws Exception {
        Instant now = Instant.now();
        var builder = new JcaX509v3CertificateBuilder(
                        new X500Principal("CN=bench ca"),
                        BigInteger.valueOf(System.nanoTime()),
                        Date.from(now.minus(1, ChronoUnit.HOURS)),
                        Date.from(now.plus(1, ChronoUnit.DAYS)),
                        new X500Principal(subject),
                        key.getPublic())
                .addExtension(Extension.basicConstraints, true, new BasicConstraints(authority));
        var signer = new JcaContentSignerBuilder("SHA256withECDSA").build(caKey.getPrivate());
        return new JcaX509CertificateConverter()
                .getCertificate(builder.build(signer))
                .getEncoded();
    }

    private static Buffer pem(String type, byte[] der) {
        return Buffer.buffer("-----BEGIN " + type + "-----\n"
                + Base64.getMimeEncoder().encodeToString(der) + "\n-----END " + type + "-----\n");
    }
}
