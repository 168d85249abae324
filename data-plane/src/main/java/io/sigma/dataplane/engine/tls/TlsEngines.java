package io.sigma.dataplane.engine.tls;

import io.netty.handler.ssl.OpenSsl;
import io.sigma.dataplane.settings.GatewaySettings;
import io.vertx.core.net.JdkSSLEngineOptions;
import io.vertx.core.net.SSLEngineOptions;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The TLS engine of connections: OpenSSL, or that of the JDK. Where the settings leave the choice, it is made when the
 * first connection is to be encrypted, so that a gateway without TLS does not load OpenSSL. Thread-safe; the choice may
 * block.
 */
public final class TlsEngines {

    private static final Logger LOG = LoggerFactory.getLogger(TlsEngines.class);

    private final GatewaySettings.Tls wanted;
    /** Null until it was asked for. Guarded by this. */
    private @Nullable Boolean openSsl;

    private TlsEngines(GatewaySettings.Tls wanted) {
        this.wanted = wanted;
    }

    /**
     * Returns what the settings want.
     *
     * @throws IllegalArgumentException when OpenSSL is wanted and does not work on this machine
     */
    public static TlsEngines of(GatewaySettings.Tls wanted) {
        TlsEngines engines = new TlsEngines(wanted);
        if (wanted == GatewaySettings.Tls.OPENSSL && !engines.isOpenSsl()) {
            throw new IllegalArgumentException(
                    "tls: \"%s\" (expected: an engine that works on this machine; reason: %s)"
                            .formatted(wanted.name().toLowerCase(Locale.ROOT), OpenSsl.unavailabilityCause()));
        }
        return engines;
    }

    /** Returns whether the choice was made. */
    synchronized boolean isChosen() {
        return openSsl != null;
    }

    private synchronized boolean isOpenSsl() {
        Boolean known = openSsl;
        if (known == null) {
            known = wanted != GatewaySettings.Tls.JDK && OpenSsl.isAvailable();
            openSsl = known;
            say(known);
        }
        return known;
    }

    private void say(boolean isOpenSsl) {
        if (isOpenSsl) {
            LOG.info("connections are encrypted by {}", OpenSsl.versionString());
        } else if (wanted == GatewaySettings.Tls.AUTO) {
            LOG.info(
                    "connections are encrypted by the JDK, because OpenSSL does not load: {}",
                    String.valueOf(OpenSsl.unavailabilityCause()));
        } else if (wanted == GatewaySettings.Tls.JDK) {
            LOG.info("connections are encrypted by the JDK");
        }
    }

    /** Returns what a listener is to be made with. The first call may block. */
    SSLEngineOptions forListener() {
        return isOpenSsl() ? new OpenSslOptions() : new SessionEngineOptions();
    }

    /** Returns what a client of nodes is to be made with. The first call may block. */
    public SSLEngineOptions forNodes() {
        return isOpenSsl() ? new OpenSslOptions() : new JdkSSLEngineOptions();
    }
}
