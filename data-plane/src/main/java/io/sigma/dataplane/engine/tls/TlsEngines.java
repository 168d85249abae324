package io.sigma.dataplane.engine.tls;

import io.netty.handler.ssl.OpenSsl;
import io.sigma.dataplane.settings.GatewaySettings;
import io.vertx.core.net.JdkSSLEngineOptions;
import io.vertx.core.net.SSLEngineOptions;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The TLS engine of connections: OpenSSL, or that of the JDK. Immutable. */
public final class TlsEngines {

    private static final Logger LOG = LoggerFactory.getLogger(TlsEngines.class);

    private final boolean openSsl;

    private TlsEngines(boolean openSsl) {
        this.openSsl = openSsl;
    }

    /**
     * Returns what the settings want.
     *
     * @throws IllegalArgumentException when OpenSSL is wanted and does not work on this machine
     */
    public static TlsEngines of(GatewaySettings.Tls wanted) {
        boolean openSsl = wanted != GatewaySettings.Tls.JDK && OpenSsl.isAvailable();
        if (wanted == GatewaySettings.Tls.OPENSSL && !openSsl) {
            throw new IllegalArgumentException(
                    "tls: \"%s\" (expected: an engine that works on this machine; reason: %s)"
                            .formatted(wanted.name().toLowerCase(Locale.ROOT), OpenSsl.unavailabilityCause()));
        }
        if (openSsl) {
            LOG.info("connections are encrypted by {}", OpenSsl.versionString());
        } else if (wanted == GatewaySettings.Tls.AUTO) {
            LOG.info(
                    "connections are encrypted by the JDK, because OpenSSL does not load: {}",
                    String.valueOf(OpenSsl.unavailabilityCause()));
        } else {
            LOG.info("connections are encrypted by the JDK");
        }
        return new TlsEngines(openSsl);
    }

    /** Returns what a listener is to be made with. */
    SSLEngineOptions forListener() {
        return openSsl ? new OpenSslOptions() : new SessionEngineOptions();
    }

    /** Returns what a client of nodes is to be made with. */
    public SSLEngineOptions forNodes() {
        return openSsl ? new OpenSslOptions() : new JdkSSLEngineOptions();
    }
}
