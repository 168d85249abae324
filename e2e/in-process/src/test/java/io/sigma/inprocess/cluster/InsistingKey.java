package io.sigma.inprocess.cluster;

import io.sigma.identity.Pem;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/** Shows its certificate although the server says that it takes no such ones. */
final class InsistingKey extends X509ExtendedKeyManager {

    private static final String ALIAS = "own";

    private final PrivateKey key;
    private final X509Certificate certificate;

    InsistingKey(Path dataDir) throws Exception {
        key = Pem.privateKey(Files.readString(dataDir.resolve("gateway-key.pem")));
        certificate = Pem.certificate(Files.readString(dataDir.resolve("gateway-cert.pem")));
    }

    @Override
    public String chooseEngineClientAlias(String[] types, Principal @Nullable [] issuers, SSLEngine engine) {
        return ALIAS;
    }

    @Override
    public String[] getClientAliases(String type, Principal @Nullable [] issuers) {
        return new String[] {ALIAS};
    }

    @Override
    public String chooseClientAlias(String[] types, Principal @Nullable [] issuers, Socket socket) {
        return ALIAS;
    }

    @Override
    public String[] getServerAliases(String type, Principal @Nullable [] issuers) {
        return new String[0];
    }

    @Override
    public String chooseServerAlias(String type, Principal @Nullable [] issuers, Socket socket) {
        return ALIAS;
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
        return new X509Certificate[] {certificate};
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
        return key;
    }
}
