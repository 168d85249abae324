package io.sigma.dataplane.engine.tls;

import java.security.PrivateKey;
import javax.net.ssl.X509ExtendedKeyManager;

/** Keys of the gateway, with the algorithms that can sign with them. */
abstract class OwnKeys extends X509ExtendedKeyManager {

    /** Returns whether OpenSSL can sign with all of them; other ones need the platform. */
    abstract boolean fitOpenSsl();

    /** OpenSSL, as Netty drives it, looks for keys of these kinds only. */
    static boolean fitsOpenSsl(PrivateKey key) {
        return key.getAlgorithm().equals("RSA") || key.getAlgorithm().equals("EC");
    }
}
