package io.sigma.controlplane.testing;

import io.sigma.controlplane.settings.ControlPlaneSettings;
import io.sigma.settings.SettingsReader;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Settings for tests: free ports, short waits. */
public final class TestSettings {

    public static final String TOKEN = "test-token-0123456789";

    /** Of control planes that share a database. */
    public static final String SECRET_KEY = "test-key-0123456789";

    private TestSettings() {}

    /** Returns settings; {@code more} holds keys such as {@code revisionPollMillis} and their values. */
    public static ControlPlaneSettings of(Path dataDir, String databaseUrl, String... more) {
        Map<String, String> variables = new HashMap<>();
        variables.put("SIGMA_ADMIN_PORT", "0");
        variables.put("SIGMA_CLUSTER_PORT", "0");
        variables.put("SIGMA_CLUSTER_HOST", "127.0.0.1");
        variables.put("SIGMA_ADMIN_TOKEN", TOKEN);
        variables.put("SIGMA_SECRET_KEY", SECRET_KEY);
        variables.put("SIGMA_DATA_DIR", dataDir.toString());
        variables.put("SIGMA_DATABASE_URL", databaseUrl);
        for (int i = 0; i < more.length; i += 2) {
            variables.put(SettingsReader.variable(more[i]), more[i + 1]);
        }
        return SettingsReader.of(variables, null).read(ControlPlaneSettings.class);
    }
}
