package io.sigma.dataplane.engine;

import io.sigma.model.ClientAuth;
import io.sigma.value.CertifiedKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Certificates, keys and rules of TLS for one listener. {@code TlsReader} reads them, and {@code ListenerTls} uses
 * them. Immutable.
 *
 * @param keys the keys that may be presented; not empty
 * @param standard what is presented to a client that asks for no name, or for one that nothing is for
 * @param newestOnly whether TLS 1.3 alone is spoken
 * @param clientCa PEM certificates of the authorities of clients; null when clients are not asked for a certificate
 */
public record TlsMaterial(
        List<CertifiedKey> keys,
        CertifiedKey standard,
        boolean newestOnly,
        ClientAuth clientAuth,
        @Nullable String clientCa) {

    public TlsMaterial {
        keys = List.copyOf(keys);
    }
}
