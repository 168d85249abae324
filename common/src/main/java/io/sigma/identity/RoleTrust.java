package io.sigma.identity;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Trusts peers that the cluster's authority has certified and that have one role, so that a gateway cannot pass for a
 * control plane. Thread-safe.
 */
public final class RoleTrust extends X509ExtendedTrustManager {

    private final X509ExtendedTrustManager authority;
    private final PeerIdentity.Role role;

    private RoleTrust(X509ExtendedTrustManager authority, PeerIdentity.Role role) {
        this.authority = authority;
        this.role = role;
    }

    /** Returns trust in those whom {@code authority} certified as {@code role}. */
    public static RoleTrust of(X509Certificate authority, PeerIdentity.Role role) {
        try {
            KeyStore anchors = KeyStore.getInstance("PKCS12");
            anchors.load(null, null);
            anchors.setCertificateEntry("cluster", authority);
            TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
            factory.init(anchors);
            for (TrustManager manager : factory.getTrustManagers()) {
                if (manager instanceof X509ExtendedTrustManager extended) {
                    return new RoleTrust(extended, role);
                }
            }
            throw new IllegalStateException("every Java platform has a PKIX trust manager");
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("an in-memory key store cannot fail", e);
        }
    }

    private void checkRole(X509Certificate[] chain) throws CertificateException {
        PeerIdentity identity = PeerIdentity.of(chain[0]);
        if (identity.role() != role) {
            throw new CertificateException("certificate of " + identity + " (expected: of a " + role.label() + ")");
        }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        authority.checkClientTrusted(chain, type, engine);
        checkRole(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        authority.checkServerTrusted(chain, type, engine);
        checkRole(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        authority.checkClientTrusted(chain, type, socket);
        checkRole(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        authority.checkServerTrusted(chain, type, socket);
        checkRole(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
        authority.checkClientTrusted(chain, type);
        checkRole(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
        authority.checkServerTrusted(chain, type);
        checkRole(chain);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return authority.getAcceptedIssuers();
    }
}
