package io.sigma.controlplane.cluster;

import io.sigma.identity.PeerIdentity;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** Writes X.509 certificates (RFC 5280), EC P-256 throughout. Stateless; takes about a millisecond a certificate. */
final class CertificateIssuer {

    /** Clocks of peers may be that much behind. */
    private static final Duration CLOCK_SKEW = Duration.ofHours(1);

    private static final Duration AUTHORITY_VALIDITY = Duration.ofDays(20 * 365);
    private static final int SERIAL_BITS = 127;
    private static final SecureRandom RANDOM = new SecureRandom();

    private CertificateIssuer() {}

    /** Returns a new key pair. */
    static KeyPair keyPair() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has EC P-256", e);
        }
    }

    /** Returns a new authority, which certifies itself and may certify peers but no other authority. */
    static IssuedKey authority(Instant now) {
        KeyPair keys = keyPair();
        X500Principal name = new X500Principal("O=Sigma,CN=Sigma cluster " + serial().toString(36));
        try {
            JcaX509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                    name,
                    serial(),
                    Date.from(now.minus(CLOCK_SKEW)),
                    Date.from(now.plus(AUTHORITY_VALIDITY)),
                    name,
                    keys.getPublic());
            JcaX509ExtensionUtils extensions = new JcaX509ExtensionUtils();
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(0))
                    .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign))
                    .addExtension(
                            Extension.subjectKeyIdentifier,
                            false,
                            extensions.createSubjectKeyIdentifier(keys.getPublic()));
            return new IssuedKey(keys.getPrivate(), sign(builder, keys.getPrivate()));
        } catch (GeneralSecurityException | CertIOException e) {
            throw new IllegalStateException("cannot write a certificate", e);
        }
    }

    /** Returns a certificate of {@code key} for {@code identity}. */
    static X509Certificate peer(
            IssuedKey authority, PeerIdentity identity, PublicKey key, Instant now, Duration validity) {
        boolean gateway = identity.role() == PeerIdentity.Role.GATEWAY;
        KeyPurposeId purpose = gateway ? KeyPurposeId.id_kp_clientAuth : KeyPurposeId.id_kp_serverAuth;
        try {
            JcaX509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                    authority.certificate(),
                    serial(),
                    Date.from(now.minus(CLOCK_SKEW)),
                    Date.from(now.plus(validity)),
                    new X500Principal("O=Sigma,CN=" + identity.id()),
                    key);
            JcaX509ExtensionUtils extensions = new JcaX509ExtensionUtils();
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false))
                    .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature))
                    .addExtension(Extension.extendedKeyUsage, true, new ExtendedKeyUsage(purpose))
                    .addExtension(
                            Extension.subjectAlternativeName,
                            false,
                            new GeneralNames(new GeneralName(GeneralName.uniformResourceIdentifier, identity.uri())))
                    .addExtension(
                            Extension.authorityKeyIdentifier,
                            false,
                            extensions.createAuthorityKeyIdentifier(authority.certificate()));
            return sign(builder, authority.key());
        } catch (GeneralSecurityException | CertIOException e) {
            throw new IllegalStateException("cannot write a certificate", e);
        }
    }

    private static BigInteger serial() {
        return new BigInteger(SERIAL_BITS, RANDOM).setBit(SERIAL_BITS - 1);
    }

    private static X509Certificate sign(JcaX509v3CertificateBuilder builder, PrivateKey key)
            throws GeneralSecurityException {
        try {
            return new JcaX509CertificateConverter()
                    .getCertificate(builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(key)));
        } catch (OperatorCreationException e) {
            throw new GeneralSecurityException(e);
        }
    }
}
