package io.sigma.dataplane.engine.tls;

import io.sigma.identity.AlternativeNames;
import io.vertx.core.Vertx;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.TrustOptions;
import java.util.function.Function;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * The authorities and names that connections to nodes trust. Equal ones may share contexts of TLS.
 *
 * @param authorities null for those of the platform
 */
record NodeTrust(@Nullable PemTrustOptions authorities) implements TrustOptions {

    private AlternativeNames manager(Vertx vertx) throws Exception {
        return authorities == null
                ? AlternativeNames.ofPlatform()
                : AlternativeNames.over(authorities.getTrustManagerFactory(vertx));
    }

    @Override
    public TrustOptions copy() {
        return this;
    }

    @Override
    public TrustManagerFactory getTrustManagerFactory(Vertx vertx) throws Exception {
        return TrustOptions.wrap(manager(vertx)).getTrustManagerFactory(vertx);
    }

    @Override
    public Function<String, TrustManager[]> trustManagerMapper(Vertx vertx) throws Exception {
        TrustManager[] made = {manager(vertx)};
        return name -> made;
    }
}
