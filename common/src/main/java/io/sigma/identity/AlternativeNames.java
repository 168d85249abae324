package io.sigma.identity;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Trusts a server that another trust manager trusts, and whose certificate says its name as an alternative name. The
 * platform would be content with the common name, which is text for people (RFC 9110 §4.3.4). Stateless.
 */
public final class AlternativeNames extends X509ExtendedTrustManager {

    private static final int DNS_NAME = 2;

    private final X509ExtendedTrustManager trusting;

    private AlternativeNames(X509ExtendedTrustManager trusting) {
        this.trusting = trusting;
    }

    /**
     * Returns one over what {@code factory} makes.
     *
     * @throws GeneralSecurityException when that knows nothing of connections
     */
    public static AlternativeNames over(TrustManagerFactory factory) throws GeneralSecurityException {
        for (TrustManager made : factory.getTrustManagers()) {
            if (made instanceof X509ExtendedTrustManager extended) {
                return new AlternativeNames(extended);
            }
        }
        throw new GeneralSecurityException("no X509ExtendedTrustManager");
    }

    /** Returns one over the authorities of the platform. */
    public static AlternativeNames ofPlatform() throws GeneralSecurityException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init((KeyStore) null);
        return over(factory);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        trusting.checkServerTrusted(chain, type, engine);
        check(chain[0], engine.getSSLParameters(), engine.getPeerHost());
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        trusting.checkServerTrusted(chain, type, socket);
        if (socket instanceof SSLSocket encrypted && encrypted.getHandshakeSession() != null) {
            check(
                    chain[0],
                    encrypted.getSSLParameters(),
                    encrypted.getHandshakeSession().getPeerHost());
        }
    }

    private static void check(X509Certificate certificate, SSLParameters parameters, @Nullable String host)
            throws CertificateException {
        String algorithm = parameters.getEndpointIdentificationAlgorithm();
        boolean identifies = algorithm != null && !algorithm.isEmpty();
        // The platform is strict with addresses.
        if (identifies && host != null && !isAddress(host) && !namesHosts(certificate)) {
            throw new CertificateException("no alternative name of type DNS (expected: one that is \"" + host
                    + "\", regardless of the subject)");
        }
    }

    private static boolean isAddress(String host) {
        return host.indexOf(':') >= 0 || host.chars().allMatch(c -> c == '.' || (c >= '0' && c <= '9'));
    }

    private static boolean namesHosts(X509Certificate certificate) throws CertificateException {
        Collection<List<?>> names = certificate.getSubjectAlternativeNames();
        return names != null && names.stream().anyMatch(name -> name.getFirst().equals(DNS_NAME));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
        trusting.checkServerTrusted(chain, type);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        trusting.checkClientTrusted(chain, type, socket);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        trusting.checkClientTrusted(chain, type, engine);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
        trusting.checkClientTrusted(chain, type);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return trusting.getAcceptedIssuers();
    }
}
