package io.sigma.dataplane.engine.tls;

import io.netty.handler.ssl.util.SimpleTrustManagerFactory;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.ManagerFactoryParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Trusts no certificate. A server that asks for none needs no authorities; without this each context would read and
 * keep those of the Java installation. Thread-safe.
 */
final class NobodyTrusted extends SimpleTrustManagerFactory {

    static final TrustManagerFactory FACTORY = new NobodyTrusted();

    private static final X509TrustManager MANAGER = new X509TrustManager() {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
            throw new CertificateException("no certificate is asked for");
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
            throw new CertificateException("no certificate is asked for");
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    };

    private NobodyTrusted() {}

    @Override
    protected void engineInit(@Nullable KeyStore authorities) {
        // There is nothing to choose.
    }

    @Override
    protected void engineInit(ManagerFactoryParameters parameters) {
        // There is nothing to choose.
    }

    @Override
    protected TrustManager[] engineGetTrustManagers() {
        return new TrustManager[] {MANAGER};
    }
}
