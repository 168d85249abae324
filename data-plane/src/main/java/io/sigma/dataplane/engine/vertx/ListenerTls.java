package io.sigma.dataplane.engine.vertx;

import io.netty.util.ReferenceCountUtil;
import io.sigma.dataplane.engine.TlsMaterial;
import io.sigma.model.ClientAuth;
import io.sigma.model.ServerHttp2;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.ServerSSLOptions;
import io.vertx.core.spi.tls.SslContextFactory;
import java.security.GeneralSecurityException;
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
     * Makes the context that {@link #apply} leads to, and lets go of it. Blocks.
     *
     * @throws GeneralSecurityException when it cannot be made
     */
    void check(Vertx vertx) throws GeneralSecurityException {
        ServerSSLOptions tls = options(material, versions);
        try {
            SslContextFactory factory = engines.forListener().sslContextFactory();
            factory.useAlpn(true)
                    .forClient(false)
                    .clientAuth(
                            switch (material.clientAuth()) {
                                case NONE -> io.netty.handler.ssl.ClientAuth.NONE;
                                case OPTIONAL -> io.netty.handler.ssl.ClientAuth.OPTIONAL;
                                case REQUIRED -> io.netty.handler.ssl.ClientAuth.REQUIRE;
                            })
                    .enabledCipherSuites(Set.of())
                    .applicationProtocols(tls.getApplicationLayerProtocols())
                    .keyMananagerFactory(tls.getKeyCertOptions().getKeyManagerFactory(vertx));
            if (tls.getTrustOptions() != null) {
                factory.trustManagerFactory(tls.getTrustOptions().getTrustManagerFactory(vertx));
            }
            ReferenceCountUtil.release(factory.create());
        } catch (GeneralSecurityException e) {
            throw e;
        } catch (Exception e) {
            throw new GeneralSecurityException(e.getMessage() == null ? e.toString() : e.getMessage(), e);
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
        return changed.<Void>map(ignored -> {
                    keys.replace(next);
                    material = next;
                    versions = agreed;
                    return null;
                })
                .onFailure(ignored -> {
                    // What is open goes on as before, and so do those that join it.
                    keys.expect(before);
                    options.setAlpnVersions(versions);
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
