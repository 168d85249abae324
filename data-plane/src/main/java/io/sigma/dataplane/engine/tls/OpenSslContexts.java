package io.sigma.dataplane.engine.tls;

import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.OpenSslCachingX509KeyManagerFactory;
import io.netty.handler.ssl.OpenSslServerSessionContext;
import io.netty.handler.ssl.ReferenceCountedOpenSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import io.vertx.core.net.JdkSSLEngineOptions;
import io.vertx.core.spi.tls.SslContextFactory;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Set;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Makes one context of OpenSSL, or of the platform when there is a key that OpenSSL cannot use. Confined to who makes
 * it.
 */
final class OpenSslContexts implements SslContextFactory {

    /**
     * With forward secrecy only. TLS 1.3 always has its three. The last ones are for clients of TLS 1.2 that know no
     * better.
     */
    private static final List<String> CIPHERS = List.of(
            "TLS_AES_128_GCM_SHA256",
            "TLS_AES_256_GCM_SHA384",
            "TLS_CHACHA20_POLY1305_SHA256",
            "ECDHE-ECDSA-AES128-GCM-SHA256",
            "ECDHE-RSA-AES128-GCM-SHA256",
            "ECDHE-ECDSA-AES256-GCM-SHA384",
            "ECDHE-RSA-AES256-GCM-SHA384",
            "ECDHE-ECDSA-CHACHA20-POLY1305",
            "ECDHE-RSA-CHACHA20-POLY1305",
            "ECDHE-ECDSA-AES128-SHA",
            "ECDHE-RSA-AES128-SHA",
            "ECDHE-ECDSA-AES256-SHA",
            "ECDHE-RSA-AES256-SHA");

    /** Certificates, parsed by OpenSSL, that a context keeps. */
    private static final int KEYS_MAX = 100_000;

    /** Sessions that a context keeps of nodes, and of clients that take no tickets. */
    private static final int SESSIONS_MAX = 10_000;

    private static final int SESSION_SECONDS = 3_600;

    private boolean alpn;
    private boolean client;
    private @Nullable ClientAuth clientAuth;
    private @Nullable KeyManagerFactory keys;
    private @Nullable TrustManagerFactory trust;
    private Set<String> ciphers = Set.of();
    private List<String> protocols = List.of();

    @Override
    public SslContextFactory useAlpn(boolean useAlpn) {
        alpn = useAlpn;
        return this;
    }

    @Override
    public SslContextFactory clientAuth(ClientAuth auth) {
        clientAuth = auth;
        return this;
    }

    @Override
    public SslContextFactory forClient(boolean forClient) {
        client = forClient;
        return this;
    }

    @Override
    public SslContextFactory keyMananagerFactory(KeyManagerFactory factory) {
        keys = factory;
        return this;
    }

    @Override
    public SslContextFactory trustManagerFactory(TrustManagerFactory factory) {
        trust = factory;
        return this;
    }

    @Override
    public SslContextFactory enabledCipherSuites(Set<String> suites) {
        ciphers = suites;
        return this;
    }

    @Override
    public SslContextFactory applicationProtocols(@Nullable List<String> names) {
        protocols = names == null ? List.of() : names;
        return this;
    }

    @Override
    public SslContext create() throws SSLException {
        if (trust == null && !client && (clientAuth == null || clientAuth == ClientAuth.NONE)) {
            trust = NobodyTrusted.FACTORY;
        }
        return keys != null && !fitOpenSsl(keys) ? ofThePlatform() : ofOpenSsl();
    }

    private static boolean fitOpenSsl(KeyManagerFactory factory) {
        for (KeyManager keys : factory.getKeyManagers()) {
            if (keys instanceof OwnKeys own && !own.fitOpenSsl()) {
                return false;
            }
        }
        return true;
    }

    private SslContext ofThePlatform() throws SSLException {
        SslContextFactory platform =
                client ? new JdkSSLEngineOptions().sslContextFactory() : new SessionEngineOptions().sslContextFactory();
        platform.useAlpn(alpn).forClient(client).enabledCipherSuites(ciphers).applicationProtocols(protocols);
        if (clientAuth != null) {
            platform.clientAuth(clientAuth);
        }
        if (keys != null) {
            platform.keyMananagerFactory(keys);
        }
        if (trust != null) {
            platform.trustManagerFactory(trust);
        }
        return platform.create();
    }

    private SslContext ofOpenSsl() throws SSLException {
        // Aliases of our keys never mean another key, so what was parsed is good for as long as the alias is used.
        KeyManagerFactory parsed =
                keys == null ? null : new OpenSslCachingX509KeyManagerFactory(KeysForOpenSsl.of(keys), KEYS_MAX);
        SslContextBuilder builder =
                client ? SslContextBuilder.forClient().keyManager(parsed) : SslContextBuilder.forServer(parsed);
        // Engines are released when their connection closes; no finalizer is needed for that.
        builder.sslProvider(SslProvider.OPENSSL_REFCNT)
                .ciphers(ciphers.isEmpty() ? CIPHERS : ciphers, SupportedCipherSuiteFilter.INSTANCE)
                .sessionCacheSize(SESSIONS_MAX)
                .sessionTimeout(SESSION_SECONDS)
                .trustManager(trust);
        if (client) {
            // Vert.x says it to each engine.
            builder.endpointIdentificationAlgorithm("");
        } else if (clientAuth != null) {
            builder.clientAuth(clientAuth);
        }
        if (alpn && !protocols.isEmpty()) {
            builder.applicationProtocolConfig(new ApplicationProtocolConfig(
                    Protocol.ALPN,
                    SelectorFailureBehavior.NO_ADVERTISE,
                    SelectedListenerFailureBehavior.ACCEPT,
                    protocols));
        }
        ReferenceCountedOpenSslContext context = (ReferenceCountedOpenSslContext) builder.build();
        if (context.sessionContext() instanceof OpenSslServerSessionContext sessions) {
            sessions.setSessionIdContext(sessionIdContext(clientAuth, trust));
        }
        return new OpenSslHolder(context, System::nanoTime);
    }

    /**
     * Returns what sessions have to have in common with a context to be resumed by it: how clients are asked for a
     * certificate, and which authorities are trusted. Netty's own has a random part, so that a session could not be
     * resumed after a take-over.
     */
    static byte[] sessionIdContext(@Nullable ClientAuth auth, @Nullable TrustManagerFactory trust) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(String.valueOf(auth).getBytes(StandardCharsets.US_ASCII));
            for (TrustManager manager : trust == null ? new TrustManager[0] : trust.getTrustManagers()) {
                if (manager instanceof X509TrustManager authorities) {
                    for (X509Certificate authority : authorities.getAcceptedIssuers()) {
                        digest.update(authority.getEncoded());
                    }
                }
            }
            return digest.digest();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a JDK without SHA-256, or an authority without encoding", e);
        }
    }
}
