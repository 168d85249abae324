package io.sigma.controlplane.cluster;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;

/** A private key and the certificate of its public key. */
record IssuedKey(PrivateKey key, X509Certificate certificate) {

    @Override
    public String toString() {
        return "IssuedKey[" + certificate.getSubjectX500Principal() + ", key=[redacted]]";
    }
}
