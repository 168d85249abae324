package io.sigma.dataplane.engine.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.ssl.OpenSsl;
import io.sigma.dataplane.settings.GatewaySettings;
import io.vertx.core.net.JdkSSLEngineOptions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

final class TlsEnginesTest {

    /** A gateway without TLS does not load OpenSSL. */
    @Test
    void choiceWaitsUntilAConnectionIsEncrypted() {
        TlsEngines engines = TlsEngines.of(GatewaySettings.Tls.AUTO);
        assertThat(engines.isChosen()).isFalse();
        assertThat(engines.forNodes() instanceof OpenSslOptions).isEqualTo(OpenSsl.isAvailable());
        assertThat(engines.isChosen()).isTrue();
        assertThat(engines.forListener() instanceof OpenSslOptions).isEqualTo(OpenSsl.isAvailable());
    }

    /** A gateway whose engine does not work does not start. */
    @Test
    void wantedEngineIsLoadedAtOnce() {
        Assumptions.assumeTrue(OpenSsl.isAvailable());
        TlsEngines engines = TlsEngines.of(GatewaySettings.Tls.OPENSSL);
        assertThat(engines.isChosen()).isTrue();
        assertThat(engines.forNodes()).isInstanceOf(OpenSslOptions.class);
    }

    @Test
    void jdkIsTakenWhereItIsWanted() {
        TlsEngines engines = TlsEngines.of(GatewaySettings.Tls.JDK);
        assertThat(engines.forNodes()).isInstanceOf(JdkSSLEngineOptions.class);
        assertThat(engines.forListener()).isInstanceOf(SessionEngineOptions.class);
    }
}
