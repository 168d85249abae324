package io.sigma.controlplane.testing;

import io.sigma.identity.Pem;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.jspecify.annotations.Nullable;

/**
 * A certificate and its key as text.
 *
 * @param chain PEM
 * @param key PEM, PKCS #8
 */
public record TestCertificate(String chain, String key) {

    public static TestCertificate create(String commonName) {
        return create(commonName, null);
    }

    /** Returns a certificate that this one has signed. */
    public TestCertificate sign(String commonName) {
        return create(commonName, this);
    }

    private static TestCertificate create(String commonName, @Nullable TestCertificate issuer) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(256);
            KeyPair keys = generator.generateKeyPair();
            X500Principal name = new X500Principal("CN=" + commonName);
            Instant now = Instant.now();
            var builder = new JcaX509v3CertificateBuilder(
                    issuer == null ? name : Pem.certificate(issuer.chain).getSubjectX500Principal(),
                    BigInteger.valueOf(now.toEpochMilli()),
                    Date.from(now.minus(1, ChronoUnit.HOURS)),
                    Date.from(now.plus(1, ChronoUnit.HOURS)),
                    name,
                    keys.getPublic());
            var signer = new JcaContentSignerBuilder("SHA256withECDSA")
                    .build(issuer == null ? keys.getPrivate() : Pem.privateKey(issuer.key));
            return new TestCertificate(
                    Pem.of(new JcaX509CertificateConverter().getCertificate(builder.build(signer))),
                    Pem.of(keys.getPrivate()));
        } catch (GeneralSecurityException | OperatorCreationException e) {
            throw new IllegalStateException(e);
        }
    }
}
