package io.sigma.dataplane.engine.vertx;

import io.sigma.dataplane.upstream.NodeEndpoint;
import io.sigma.model.ClientTls;
import io.sigma.model.NodeProtocol;
import io.sigma.value.CertifiedKey;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** How connections to nodes are encrypted. Thread-safe. */
final class NodeTls {

    private final Function<String, @Nullable CertifiedKey> keys;
    private final Function<String, @Nullable String> files;

    /**
     * One object for each key while it is in use: contexts of TLS are remembered by it, so sessions of one are never resumed
     * under another.
     */
    private final Map<CertifiedKey, KeyCertOptions> shown = Collections.synchronizedMap(new WeakHashMap<>());

    /**
     * @param keys returns the certificate that is shown at present, by id; null when there is none
     * @param files returns what a file of authorities contains, by path; null when it was not read yet
     */
    NodeTls(Function<String, @Nullable CertifiedKey> keys, Function<String, @Nullable String> files) {
        this.files = files;
        this.keys = keys;
    }

    /**
     * Returns how a connection that is opened now is encrypted.
     *
     * @throws IllegalStateException when the certificate to show is gone, or authorities cannot be read
     */
    ClientSSLOptions options(NodeEndpoint.Key key) {
        ClientTls tls = key.clientTls();
        boolean verify = tls.verify();
        ClientSSLOptions options =
                new ClientSSLOptions().setTrustAll(!verify).setHostnameVerificationAlgorithm(verify ? "HTTPS" : "");
        if (key.protocol() != NodeProtocol.HTTP1) {
            options.setUseAlpn(true)
                    .setApplicationLayerProtocols(
                            key.protocol() == NodeProtocol.HTTP2 ? List.of("h2") : List.of("h2", "http/1.1"));
        }
        if (tls.certificateId() != null) {
            options.setKeyCertOptions(own(tls.certificateId()));
        }
        if (verify && (tls.caPath() != null || tls.ca() != null)) {
            options.setTrustOptions(authorities(tls));
        }
        return options;
    }

    private KeyCertOptions own(String id) {
        CertifiedKey key = keys.apply(id);
        if (key == null) {
            throw new IllegalStateException("the certificate \"" + id + "\" is gone");
        }
        return shown.computeIfAbsent(key, absent -> KeyCertOptions.wrap(new ShownKey(absent.chain(), absent.key())));
    }

    private PemTrustOptions authorities(ClientTls tls) {
        PemTrustOptions trust = new PemTrustOptions();
        String path = tls.caPath();
        String read = path == null ? null : files.apply(path);
        if (read != null) {
            trust.addCertValue(Buffer.buffer(read));
        } else if (path != null) {
            throw new IllegalStateException("caPath: \"" + path + "\" was not read");
        }
        if (tls.ca() != null) {
            trust.addCertValue(Buffer.buffer(tls.ca()));
        }
        return trust;
    }
}
