package io.sigma.standalone;

import io.sigma.controlplane.settings.ControlPlaneSettings;
import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.settings.InvalidSettings;
import io.sigma.settings.SettingsReader;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The settings of a file and the environment, for every kind of process. Immutable. */
public final class ProcessSettings {

    /** All settings of the product: one file may serve every process, and a misspelt key is found by each of them. */
    private static final List<Class<? extends Record>> KNOWN =
            List.of(ControlPlaneSettings.class, GatewaySettings.class, LogSettings.class);

    private final Map<String, String> environment;
    private final @Nullable Path file;
    private final SettingsReader reader;

    private ProcessSettings(Map<String, String> environment, @Nullable Path file) {
        this.environment = Map.copyOf(environment);
        this.file = file;
        this.reader = SettingsReader.of(environment, file);
    }

    /** @throws InvalidSettings when the file cannot be read, or the file or a variable names an unknown setting */
    public static ProcessSettings of(Map<String, String> environment, @Nullable Path file) {
        ProcessSettings settings = new ProcessSettings(environment, file);
        settings.reader.refuseUnknown(KNOWN);
        return settings;
    }

    /** Returns these settings with one chosen here, whatever the file and the environment say. */
    public ProcessSettings with(String key, Object value) {
        Map<String, String> more = new HashMap<>(environment);
        more.put(SettingsReader.variable(key), value.toString());
        return new ProcessSettings(more, file);
    }

    /** @throws InvalidSettings when a value is missing or invalid */
    public <R extends Record> R read(Class<R> type) {
        return reader.read(type);
    }

    public ControlPlaneSettings controlPlane() {
        return read(ControlPlaneSettings.class);
    }

    public GatewaySettings gateway() {
        return read(GatewaySettings.class);
    }
}
