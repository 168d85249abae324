package io.sigma.dataplane.engine.tls;

import java.net.Socket;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.Security;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.KeyManagerFactorySpi;
import javax.net.ssl.ManagerFactoryParameters;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Keys as Netty's {@code OpenSslCachingX509KeyManagerFactory} of 4.2.20 needs them: each time that it asks for a key it
 * gets another object. It shares what it parsed of equal objects. When two event loops ask for a key for the first time
 * at the same moment, it then counts one use too many, and never releases what it parsed. Thread-safe.
 */
final class KeysForOpenSsl extends X509ExtendedKeyManager {

    private final OwnKeys keys;

    private KeysForOpenSsl(OwnKeys keys) {
        this.keys = keys;
    }

    /** Returns a factory of the keys of {@code factory}, for OpenSSL. */
    static KeyManagerFactory of(KeyManagerFactory factory) {
        KeyManager[] managers = factory.getKeyManagers().clone();
        for (int i = 0; i < managers.length; i++) {
            managers[i] = managers[i] instanceof OwnKeys own ? new KeysForOpenSsl(own) : managers[i];
        }
        return new KeyManagerFactory(new Given(managers), anyProvider(), factory.getAlgorithm()) {};
    }

    /** It is not asked for anything. */
    private static Provider anyProvider() {
        return Security.getProviders()[0];
    }

    /** A key in its encoded form, which is all that OpenSSL takes of it. */
    private record Encoded(PrivateKey key) implements PrivateKey {

        @Override
        public String getAlgorithm() {
            return key.getAlgorithm();
        }

        @Override
        public String getFormat() {
            return key.getFormat();
        }

        @Override
        public byte[] getEncoded() {
            return key.getEncoded();
        }

        @Override
        public String toString() {
            return "[redacted]";
        }
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
        PrivateKey key = keys.getPrivateKey(alias);
        return key == null ? null : new Encoded(key);
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
        return keys.getCertificateChain(alias);
    }

    @Override
    public @Nullable String chooseEngineServerAlias(String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
        return keys.chooseEngineServerAlias(keyType, issuers, engine);
    }

    @Override
    public @Nullable String chooseEngineClientAlias(
            String[] keyTypes, Principal @Nullable [] issuers, SSLEngine engine) {
        return keys.chooseEngineClientAlias(keyTypes, issuers, engine);
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
        return keys.getServerAliases(keyType, issuers);
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
        return keys.getClientAliases(keyType, issuers);
    }

    @Override
    public @Nullable String chooseServerAlias(String keyType, Principal @Nullable [] issuers, Socket socket) {
        return keys.chooseServerAlias(keyType, issuers, socket);
    }

    @Override
    public @Nullable String chooseClientAlias(String[] keyTypes, Principal @Nullable [] issuers, Socket socket) {
        return keys.chooseClientAlias(keyTypes, issuers, socket);
    }

    private static final class Given extends KeyManagerFactorySpi {

        private final KeyManager[] managers;

        Given(KeyManager[] managers) {
            this.managers = managers;
        }

        @Override
        protected void engineInit(@Nullable KeyStore store, char @Nullable [] password) {
            // The keys are there.
        }

        @Override
        protected void engineInit(ManagerFactoryParameters parameters) {
            // The keys are there.
        }

        @Override
        protected KeyManager[] engineGetKeyManagers() {
            return managers.clone();
        }
    }
}
