package io.sigma.value;

import io.sigma.value.key.Der;
import io.sigma.value.key.KeyPairs;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A chain of certificates and the private key of the first one. Immutable.
 *
 * @param chain that of the server first
 */
public record CertifiedKey(List<X509Certificate> chain, PrivateKey key) {

    private static final int DNS_NAME = 2;

    /** Clients with OpenSSL take certificates of at most 100 KiB. */
    private static final int CHAIN_BYTES_MAX = 64 * 1024;

    /** Written by us and linear in the length of the text; the text is no user's expression. */
    private static final Pattern KEY =
            Pattern.compile("-----BEGIN ((?:RSA |EC )?PRIVATE KEY)-----([A-Za-z0-9+/=\\s]*)-----END \\1-----");

    public CertifiedKey {
        chain = List.copyOf(chain);
    }

    /** Shows whose it is. */
    @Override
    public String toString() {
        return "CertifiedKey[" + chain.getFirst().getSubjectX500Principal() + ", [redacted]]";
    }

    /**
     * Reads PEM texts.
     *
     * @throws InvalidValue when they are not what they should be, do not belong together, or are more than 64 KiB of
     *     certificates, which many clients do not take; the key is not shown
     */
    public static CertifiedKey parse(String chainPem, String keyPem) {
        List<X509Certificate> chain = chain(chainPem);
        int bytes = encodedBytes(chain);
        if (bytes > CHAIN_BYTES_MAX) {
            throw new InvalidValue(Mismatch.of(bytes + " bytes of certificates", "at most " + CHAIN_BYTES_MAX));
        }
        PublicKey publicKey = chain.getFirst().getPublicKey();
        PrivateKey key = privateKey(keyPem, publicKey);
        if (!KeyPairs.belongTogether(publicKey, key)) {
            throw new InvalidValue(Mismatch.of("[redacted]", "the private key of the first certificate"));
        }
        return new CertifiedKey(chain, key);
    }

    /**
     * Reads PEM certificates.
     *
     * @throws InvalidValue when there is none, or one is damaged
     */
    public static List<X509Certificate> chain(String pem) {
        int begin = pem.indexOf("-----BEGIN CERTIFICATE-----");
        if (begin < 0) {
            throw new InvalidValue(Mismatch.of("no certificate", "PEM certificates"));
        }
        try {
            Collection<?> read = CertificateFactory.getInstance("X.509")
                    .generateCertificates(
                            new ByteArrayInputStream(pem.substring(begin).getBytes(StandardCharsets.US_ASCII)));
            return read.stream().map(X509Certificate.class::cast).toList();
        } catch (CertificateException e) {
            throw new InvalidValue(Mismatch.of("a damaged certificate", "PEM certificates"));
        }
    }

    /**
     * Returns the names that the first certificate is for, in lower case: its alternative names, else its common name.
     */
    public List<String> hosts() {
        return hosts(chain);
    }

    /** Returns the names that the first of {@code chain} is for, as {@link #hosts()} does. */
    public static List<String> hosts(List<X509Certificate> chain) {
        List<String> hosts = new ArrayList<>();
        try {
            Collection<List<?>> names = chain.getFirst().getSubjectAlternativeNames();
            for (List<?> name : names == null ? List.<List<?>>of() : names) {
                if (name.getFirst().equals(DNS_NAME)) {
                    hosts.add(String.valueOf(name.get(1)).toLowerCase(Locale.ROOT));
                }
            }
        } catch (CertificateParsingException e) {
            // Then it is for its common name.
        }
        if (hosts.isEmpty()) {
            for (String part :
                    chain.getFirst().getSubjectX500Principal().getName().split(",", -1)) {
                if (part.startsWith("CN=")) {
                    hosts.add(part.substring(3).toLowerCase(Locale.ROOT));
                }
            }
        }
        return List.copyOf(hosts);
    }

    private static int encodedBytes(List<X509Certificate> chain) {
        int bytes = 0;
        try {
            for (X509Certificate certificate : chain) {
                bytes += certificate.getEncoded().length;
            }
        } catch (CertificateEncodingException e) {
            throw new InvalidValue(Mismatch.of("a damaged certificate", "PEM certificates"));
        }
        return bytes;
    }

    private static PrivateKey privateKey(String pem, PublicKey publicKey) {
        Matcher matcher = KEY.matcher(pem);
        if (!matcher.find()) {
            throw new InvalidValue(Mismatch.of("[redacted]", "a PEM private key that is not encrypted"));
        }
        try {
            byte[] der = Base64.getMimeDecoder().decode(matcher.group(2));
            byte[] pkcs8 = matcher.group(1).equals("PRIVATE KEY") ? der : Der.pkcs8(der, publicKey);
            return KeyFactory.getInstance(publicKey.getAlgorithm()).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new InvalidValue(Mismatch.of("[redacted]", "the private key of the first certificate"));
        }
    }
}
