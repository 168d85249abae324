package io.sigma.dataplane.engine.tls;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/**
 * Presents one certificate to every node that asks for one of its key type, whichever authorities the node names: a
 * node that refuses it says so, which is clearer than a node that misses it. Immutable.
 */
final class ShownKey extends OwnKeys {

    private static final String ALIAS = "own";
    private static final String[] NONE = {};

    private final List<X509Certificate> chain;
    private final PrivateKey key;

    ShownKey(List<X509Certificate> chain, PrivateKey key) {
        this.chain = chain;
        this.key = key;
    }

    @Override
    boolean fitOpenSsl() {
        return fitsOpenSsl(key);
    }

    @Override
    public @Nullable String chooseEngineClientAlias(
            String[] keyTypes, Principal @Nullable [] issuers, SSLEngine engine) {
        for (String keyType : keyTypes) {
            if (SniKeys.fits(key.getAlgorithm(), keyType)) {
                return ALIAS;
            }
        }
        return null;
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
        return alias.equals(ALIAS) ? chain.toArray(X509Certificate[]::new) : null;
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
        return alias.equals(ALIAS) ? key : null;
    }

    @Override
    public String[] getClientAliases(String keyType, Principal @Nullable [] issuers) {
        return NONE;
    }

    @Override
    public String[] getServerAliases(String keyType, Principal @Nullable [] issuers) {
        return NONE;
    }

    @Override
    public @Nullable String chooseClientAlias(String[] keyType, Principal @Nullable [] issuers, Socket socket) {
        return null;
    }

    @Override
    public @Nullable String chooseServerAlias(String keyType, Principal @Nullable [] issuers, Socket socket) {
        return null;
    }
}
