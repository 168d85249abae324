package io.sigma.dataplane.testkit;

import io.sigma.identity.Pem;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** A certificate of its own authority for {@code localhost} and 127.0.0.1, with its key. */
public record TestTls(X509Certificate certificate, KeyPair keys) {

    public static TestTls create(String commonName) {
        return create(commonName, "localhost");
    }

    /**
     * @param host that it is for, beside 127.0.0.1
     */
    public static TestTls create(String commonName, String host) {
        return create(commonName, host, "EC");
    }

    /**
     * @param algorithm of the key: EC, RSA or Ed25519
     */
    public static TestTls create(String commonName, String host, String algorithm) {
        return create(
                commonName,
                algorithm,
                List.of(
                        new GeneralName(GeneralName.dNSName, host),
                        new GeneralName(GeneralName.iPAddress, "127.0.0.1")));
    }

    /**
     * @param names that it is for; none leaves the extension out
     */
    public static TestTls create(String commonName, String algorithm, List<GeneralName> names) {
        return create(commonName, algorithm, names, Duration.ofHours(1));
    }

    /** Returns one that expires soon, in whole seconds. */
    public static TestTls expiring(String commonName, Duration in) {
        return create(commonName, "EC", List.of(), in);
    }

    private static TestTls create(String commonName, String algorithm, List<GeneralName> names, Duration valid) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
            if (algorithm.equals("EC")) {
                generator.initialize(256);
            }
            KeyPair keys = generator.generateKeyPair();
            X500Principal name = new X500Principal("CN=" + commonName);
            Instant now = Instant.now();
            var builder = new JcaX509v3CertificateBuilder(
                    name,
                    BigInteger.valueOf(now.toEpochMilli()),
                    Date.from(now.minus(1, ChronoUnit.HOURS)),
                    Date.from(now.plus(valid)),
                    name,
                    keys.getPublic());
            if (!names.isEmpty()) {
                builder.addExtension(
                        Extension.subjectAlternativeName, false, new GeneralNames(names.toArray(GeneralName[]::new)));
            }
            String signature = switch (algorithm) {
                case "EC" -> "SHA256withECDSA";
                case "RSA" -> "SHA256withRSA";
                default -> algorithm;
            };
            var signer = new JcaContentSignerBuilder(signature).build(keys.getPrivate());
            return new TestTls(new JcaX509CertificateConverter().getCertificate(builder.build(signer)), keys);
        } catch (GeneralSecurityException | IOException | OperatorCreationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns it as a resource. */
    public io.sigma.model.Certificate resource(String id) {
        return io.sigma.model.Certificate.builder()
                .id(id)
                .chain(Pem.of(certificate))
                .privateKey(Pem.of(keys.getPrivate()))
                .build();
    }

    public Path writeCertificate(Path file) throws IOException {
        try {
            return write(file, "CERTIFICATE", certificate.getEncoded());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    public Path writeKey(Path file) throws IOException {
        return write(file, "PRIVATE KEY", keys.getPrivate().getEncoded());
    }

    private static Path write(Path file, String label, byte[] der) throws IOException {
        String base64 = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(der);
        return Files.writeString(file, "-----BEGIN " + label + "-----\n" + base64 + "\n-----END " + label + "-----\n");
    }

    /** Returns a context that presents and trusts this certificate. */
    public SSLContext context() {
        try {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            Certificate copy = CertificateFactory.getInstance("X.509")
                    .generateCertificate(new ByteArrayInputStream(certificate.getEncoded()));
            store.setKeyEntry("own", keys.getPrivate(), new char[0], new Certificate[] {copy});
            store.setCertificateEntry("trusted", copy);
            KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            own.init(store, new char[0]);
            TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trusted.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
