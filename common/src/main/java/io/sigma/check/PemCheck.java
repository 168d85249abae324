package io.sigma.check;

import io.sigma.model.Certificate;
import io.sigma.model.FieldError;
import io.sigma.model.ProxyServer;
import io.sigma.model.Upstream;
import io.sigma.value.CertifiedKey;
import io.sigma.value.InvalidValue;
import io.sigma.value.Mismatch;
import io.sigma.value.PemText;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAPublicKey;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks what is written into fields of PEM: each takes exactly the kinds of block that it names, and a chain is one.
 * Gateways do not ask for it, so that they go on with what older versions took. Pure.
 */
public final class PemCheck {

    private static final int RSA_BITS_MIN = 1_024;
    private static final String PARAMETERS = "EC PARAMETERS";
    private static final Set<String> KEYS = Set.of("PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY");

    private PemCheck() {}

    /** Returns what is wrong with the PEM fields of {@code resource}, a model record. */
    public static List<FieldError> check(Object resource) {
        Findings findings = new Findings();
        switch (resource) {
            case Certificate certificate -> {
                findings.parse(() -> certificates(certificate.chain()), "chain");
                findings.parse(() -> key(certificate.privateKey()), "privateKey");
                if (findings.errors().isEmpty()) {
                    findings.parse(() -> chain(CertifiedKey.chain(certificate.chain())), "chain");
                    findings.parse(() -> strength(CertifiedKey.chain(certificate.chain())), "chain");
                }
            }
            case ProxyServer server
            when server.tls() != null && server.tls().clientCa() != null ->
                findings.parse(() -> certificates(server.tls().clientCa()), "tls", "clientCa");
            case Upstream upstream
            when upstream.tls() != null && upstream.tls().ca() != null ->
                findings.parse(() -> certificates(upstream.tls().ca()), "tls", "ca");
            default -> {}
        }
        return findings.errors();
    }

    private static void certificates(String text) {
        for (String kind : PemText.kinds(text)) {
            if (!kind.equals(PemText.CERTIFICATE)) {
                throw new InvalidValue(Mismatch.of("a block of \"" + kind + "\"", "blocks of CERTIFICATE only"));
            }
        }
    }

    private static void key(@Nullable String text) {
        List<String> kinds = text == null ? List.of() : PemText.kinds(text);
        int keys = 0;
        for (String kind : kinds) {
            // OpenSSL writes the curve before the key; the certificate names it too.
            boolean curve = kind.equals(PARAMETERS) && keys == 0;
            if (!curve && !KEYS.contains(kind)) {
                throw new InvalidValue(
                        Mismatch.of("a block of \"" + kind + "\"", "one private key that is not encrypted"));
            }
            keys += curve ? 0 : 1;
        }
        if (text != null && keys != 1) {
            throw new InvalidValue(Mismatch.of(keys + " private keys", "one private key"));
        }
    }

    /** TLS 1.3 cannot sign with less than 528 bits (RFC 8446 §4.2.3), and TLS libraries take no key below 1,024. */
    private static void strength(List<X509Certificate> chain) {
        if (chain.getFirst().getPublicKey() instanceof RSAPublicKey key
                && key.getModulus().bitLength() < RSA_BITS_MIN) {
            throw new InvalidValue(Mismatch.of(
                    "an RSA key of " + key.getModulus().bitLength() + " bits", "at least " + RSA_BITS_MIN + " bits"));
        }
    }

    /** Each certificate has been signed by the next one (RFC 5246 §7.4.2). */
    private static void chain(List<X509Certificate> chain) {
        for (int i = 1; i < chain.size(); i++) {
            X509Certificate signed = chain.get(i - 1);
            X509Certificate signer = chain.get(i);
            boolean repeated = signed.equals(signer);
            if (repeated || !isSigned(signed, signer)) {
                throw new InvalidValue(Mismatch.of(
                        "certificate " + (i + 1) + ", of \"" + signer.getSubjectX500Principal() + "\","
                                + (repeated ? " occurs twice" : " did not sign the certificate before it"),
                        "that of \"" + signed.getIssuerX500Principal() + "\", or none"));
            }
        }
    }

    private static boolean isSigned(X509Certificate signed, X509Certificate signer) {
        if (!signed.getIssuerX500Principal().equals(signer.getSubjectX500Principal())) {
            return false;
        }
        try {
            signed.verify(signer.getPublicKey());
            return true;
        } catch (GeneralSecurityException e) {
            return false;
        }
    }
}
