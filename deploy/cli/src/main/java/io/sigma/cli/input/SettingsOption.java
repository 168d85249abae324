package io.sigma.cli.input;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.sigma.standalone.LogSettings;
import io.sigma.standalone.ProcessSettings;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Option;

/** The option {@code --settings}, and what follows from it: the settings of the process, and its log level. */
public final class SettingsOption {

    private static final String VARIABLE = "SIGMA_SETTINGS";

    @Option(
            names = "--settings",
            paramLabel = "FILE",
            description =
                    "YAML file of settings, also set by SIGMA_SETTINGS. SIGMA_* variables take precedence over it.")
    @Nullable
    Path file;

    public ProcessSettings read() {
        Map<String, String> environment = System.getenv();
        String named = environment.getOrDefault(VARIABLE, "");
        Path chosen = file == null && !named.isEmpty() ? Path.of(named) : file;
        ProcessSettings settings = ProcessSettings.of(environment, chosen);
        setLogLevel(settings.read(LogSettings.class).logLevel());
        return settings;
    }

    private static void setLogLevel(LogSettings.LogLevel level) {
        if (LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME) instanceof Logger root) {
            root.setLevel(Level.valueOf(level.name()));
        }
    }
}
