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
    private final TlsEngines engines;
    private volatile TlsMaterial material;
    /** What is agreed on by ALPN, the best first. */
    private volatile List<HttpVersion> versions;

    ListenerTls(TlsMaterial material, ServerHttp2 http2, TlsEngines engines) {
        this.engines = engines;
        this.keys = new SniKeys(material);
        this.material = material;
        this.versions = versions(http2);
    }

    private static List<HttpVersion> versions(ServerHttp2 http2) {
        if (http2.only()) {
            return List.of(HttpVersion.HTTP_2);
        }
        return http2.enabled() ? List.of(HttpVersion.HTTP_2, HttpVersion.HTTP_1_1) : List.of(HttpVersion.HTTP_1_1);
    }

    SniKeys keys() {
        return keys;
    }

    TlsMaterial material() {
        return material;
    }

    /** Makes a server that is not open yet use it. */
    void apply(HttpServerOptions options) {
        ServerSSLOptions tls = options(material, versions);
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
     * @param options its own, of which it reads the protocols
     */
    Future<Void> change(TlsMaterial next, ServerHttp2 http2, HttpServer server, HttpServerOptions options) {
        List<HttpVersion> agreed = versions(http2);
        TlsMaterial before = material;
        boolean policy = before.newestOnly() != next.newestOnly()
                || before.clientAuth() != next.clientAuth()
                || !Objects.equals(before.clientCa(), next.clientCa())
                || SniKeys.fitOpenSsl(before) != SniKeys.fitOpenSsl(next)
                || !versions.equals(agreed);
        keys.expect(next);
        options.setAlpnVersions(agreed);
        Future<?> changed = policy ? server.updateSSLOptions(options(next, agreed), true) : Future.succeededFuture();
        return changed.map(ignored -> {
            keys.replace(next);
            material = next;
            versions = agreed;
            return null;
        });
    }

    private static List<String> names(List<HttpVersion> versions) {
        return versions.stream().map(HttpVersion::alpnName).toList();
    }

    private ServerSSLOptions options(TlsMaterial from, List<HttpVersion> agreed) {
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
        options.setUseAlpn(true).setApplicationLayerProtocols(names(agreed));
        String authorities = from.clientCa();
        if (from.clientAuth() != ClientAuth.NONE && authorities != null) {
            options.setTrustOptions(new PemTrustOptions().addCertValue(Buffer.buffer(authorities)));
        }
        return options;
    }
}
