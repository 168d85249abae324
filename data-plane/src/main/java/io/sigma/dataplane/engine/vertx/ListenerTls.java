package io.sigma.dataplane.engine.vertx;

import io.sigma.dataplane.engine.TlsMaterial;
import io.sigma.model.ClientAuth;
import io.sigma.model.ServerHttp2;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.ServerSSLOptions;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** TLS of one listener. Certificates change under the context; only another policy needs a new one. Thread-safe. */
final class ListenerTls {

    private final SniKeys keys;
    private final List<HttpVersion> versions;
    private final TlsEngines engines;
    private volatile TlsMaterial material;

    ListenerTls(TlsMaterial material, ServerHttp2 http2, TlsEngines engines) {
        this.engines = engines;
        this.keys = new SniKeys(material);
        this.material = material;
        if (http2.only()) {
            this.versions = List.of(HttpVersion.HTTP_2);
        } else if (http2.enabled()) {
            this.versions = List.of(HttpVersion.HTTP_2, HttpVersion.HTTP_1_1);
        } else {
            this.versions = List.of(HttpVersion.HTTP_1_1);
        }
    }

    SniKeys keys() {
        return keys;
    }

    TlsMaterial material() {
        return material;
    }

    /** Makes a server that is not open yet use it. */
    void apply(HttpServerOptions options) {
        ServerSSLOptions tls = options(material);
        options.setSsl(true)
                .setSslEngineOptions(engines.forListener())
                .setUseAlpn(true)
                .setAlpnVersions(versions)
                .setKeyCertOptions(tls.getKeyCertOptions())
                .setClientAuth(tls.getClientAuth())
                .setEnabledSecureTransportProtocols(tls.getEnabledSecureTransportProtocols());
        if (tls.getTrustOptions() != null) {
            options.setTrustOptions(tls.getTrustOptions());
        }
    }

    /**
     * Uses something else for new connections.
     *
     * @param server any one that is open
     */
    Future<Void> change(TlsMaterial next, HttpServer server) {
        TlsMaterial before = material;
        boolean policy = before.newestOnly() != next.newestOnly()
                || before.clientAuth() != next.clientAuth()
                || !Objects.equals(before.clientCa(), next.clientCa())
                || SniKeys.fitOpenSsl(before) != SniKeys.fitOpenSsl(next);
        keys.expect(next);
        Future<?> changed = policy ? server.updateSSLOptions(options(next), true) : Future.succeededFuture();
        return changed.map(ignored -> {
            keys.replace(next);
            material = next;
            return null;
        });
    }

    private ServerSSLOptions options(TlsMaterial from) {
        ServerSSLOptions options = new ServerSSLOptions()
                .setKeyCertOptions(KeyCertOptions.wrap(keys))
                .setClientAuth(
                        switch (from.clientAuth()) {
                            case NONE -> io.vertx.core.http.ClientAuth.NONE;
                            case OPTIONAL -> io.vertx.core.http.ClientAuth.REQUEST;
                            case REQUIRED -> io.vertx.core.http.ClientAuth.REQUIRED;
                        })
                .setEnabledSecureTransportProtocols(
                        from.newestOnly() ? Set.of("TLSv1.3") : Set.of("TLSv1.2", "TLSv1.3"));
        options.setUseAlpn(true)
                .setApplicationLayerProtocols(
                        versions.stream().map(HttpVersion::alpnName).toList());
        String authorities = from.clientCa();
        if (from.clientAuth() != ClientAuth.NONE && authorities != null) {
            options.setTrustOptions(new PemTrustOptions().addCertValue(Buffer.buffer(authorities)));
        }
        return options;
    }
}
