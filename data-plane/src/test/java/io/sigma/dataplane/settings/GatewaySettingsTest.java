package io.sigma.dataplane.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.settings.SettingsReader;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class GatewaySettingsTest {

    private static GatewaySettings read(Map<String, String> variables) {
        return SettingsReader.of(variables, null).read(GatewaySettings.class);
    }

    @Test
    void theJoinTokenIsNotPrinted() {
        GatewaySettings settings = read(Map.of("SIGMA_JOIN_TOKEN", "token-of-the-test", "SIGMA_GATEWAY_ID", "edge"));
        assertThat(settings.link().joinToken()).isEqualTo("token-of-the-test");
        assertThat(settings.toString()).contains("edge", "[redacted]").doesNotContain("token-of-the-test");
        assertThat(settings.link().toString()).doesNotContain("token-of-the-test");
    }

    @Test
    void namesOfGroupsAreNoPartOfKeys() {
        GatewaySettings settings = read(Map.of(
                "SIGMA_TELEMETRY_PORT", "9101",
                "SIGMA_SPOOL_BYTES_MAX", "7",
                "SIGMA_DRAIN_MILLIS", "30",
                "SIGMA_STOP_DELAY_MILLIS", "12",
                "SIGMA_TLS", "jdk",
                "SIGMA_EVENT_LOOPS", "3"));
        assertThat(settings.telemetry().telemetryPort()).isEqualTo(9101);
        assertThat(settings.memory().spoolBytesMax()).isEqualTo(7);
        assertThat(settings.stop().millis()).isEqualTo(42);
        assertThat(settings.engine().tls()).isEqualTo(GatewaySettings.Tls.JDK);
        assertThat(settings.engine().loops()).isEqualTo(3);
    }

    @Test
    void embeddedGatewayTakesAFreePortAndLogsNothing() {
        GatewaySettings settings = GatewaySettings.embedded(Path.of("folder"));
        assertThat(settings.dataDir()).isEqualTo(Path.of("folder"));
        assertThat(settings.telemetry().telemetryPort()).isZero();
        assertThat(settings.accessLogs().accessLog()).isEqualTo("off");
        assertThat(settings.warmUp().warmUpMillis()).isZero();
        assertThat(settings.stop().stopDelayMillis()).isZero();
        assertThat(settings.engine().loops()).isEqualTo(Runtime.getRuntime().availableProcessors());
    }
}
