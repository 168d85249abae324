package io.sigma.inprocess.testkit;

import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.settings.SettingsReader;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Settings of gateways in tests. */
public final class SettingsOf {

    private SettingsOf() {}

    public static GatewaySettings gateway(Path dataDir, List<String> controlPlanes, @Nullable String joinToken) {
        return gateway(dataDir, controlPlanes, joinToken, Map.of());
    }

    /** @param more variables, such as SIGMA_TLS */
    public static GatewaySettings gateway(
            Path dataDir, List<String> controlPlanes, @Nullable String joinToken, Map<String, String> more) {
        Map<String, String> variables = new HashMap<>(more);
        variables.put("SIGMA_DATA_DIR", dataDir.toString());
        variables.put("SIGMA_STOP_DELAY_MILLIS", "0");
        variables.put("SIGMA_WARM_UP_MILLIS", "0");
        variables.put("SIGMA_CONTROL_PLANES", String.join(",", controlPlanes));
        if (joinToken != null) {
            variables.put("SIGMA_JOIN_TOKEN", joinToken);
        }
        return SettingsReader.of(variables, null).read(GatewaySettings.class);
    }
}
