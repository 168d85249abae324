package io.sigma.dataplane.engine.tls;

import io.vertx.core.net.OpenSSLEngineOptions;
import io.vertx.core.spi.tls.SslContextFactory;

/** Engines of OpenSSL, of contexts that {@link OpenSslContexts} makes. Stateless. */
final class OpenSslOptions extends OpenSSLEngineOptions {

    @Override
    public OpenSslOptions copy() {
        return new OpenSslOptions();
    }

    @Override
    public SslContextFactory sslContextFactory() {
        return new OpenSslContexts();
    }
}
