package io.sigma.dataplane.testkit;

import io.sigma.model.ServerTls;
import java.io.IOException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** A gateway with certificates for several names, and clients that ask for them. */
public abstract class TlsContract extends EngineContract {

    protected static final String GET = "GET / HTTP/1.1\r\nHost: shop.example.com\r\n\r\n";

    private final TestTls shop = TestTls.create("shop", "shop.example.com");
    private final TestTls wild = TestTls.create("wild", "*.example.com");
    private final TestTls other = TestTls.create("other", "other.example.net");

    /** Sends everything to {@code node} that comes over {@code tls}. */
    protected Config encrypted(ServerTls tls, String node) {
        return forwarding(node)
                .certificate(shop.resource("b-shop"))
                .certificate(wild.resource("c-wild"))
                .certificate(other.resource("a-other"))
                .encrypted("web", tls);
    }

    /** Returns a context that trusts everybody, and shows {@code own} to who asks. */
    public static SSLContext client(@Nullable TestTls own) throws Exception {
        return client(own, "TLS");
    }

    public static SSLContext client(@Nullable TestTls own, String protocol) throws Exception {
        SSLContext context = SSLContext.getInstance(protocol);
        KeyManager[] keys = null;
        if (own != null) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry("own", own.keys().getPrivate(), new char[0], new Certificate[] {own.certificate()});
            KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX");
            factory.init(store, new char[0]);
            keys = factory.getKeyManagers();
        }
        context.init(keys, new TrustManager[] {new TrustAll()}, null);
        return context;
    }

    private static final class TrustAll implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    protected SSLSocket connect(SSLContext context, @Nullable String name, String... alpn) throws IOException {
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", port());
        SSLParameters parameters = socket.getSSLParameters();
        if (name != null) {
            parameters.setServerNames(List.of(new SNIHostName(name)));
        }
        parameters.setApplicationProtocols(alpn);
        socket.setSSLParameters(parameters);
        socket.setSoTimeout(15_000);
        socket.startHandshake();
        return socket;
    }

    /** Returns the subject of the certificate that a client gets who asks for {@code name}. */
    protected String presented(@Nullable String name) throws Exception {
        try (SSLSocket socket = connect(client(null), name)) {
            return socket.getSession().getPeerPrincipal().getName();
        }
    }
}
