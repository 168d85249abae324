package io.sigma.dataplane.settings;

import io.sigma.settings.Setting;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The files that a gateway reads and writes for its configuration. */
public record FileSettings(
        @Setting("File in the sigma.json format to serve, instead of control planes.") @Nullable
        Path configFile,

        @Setting(
                value = "Interval of the check for changed files of the configuration, such as certificates, in "
                        + "milliseconds.",
                defaultValue = "1000",
                min = 100,
                max = 60000)
        int filePollMillis,

        @Setting(
                value = "Folders from which the configuration may serve files (rootPath), besides files in dataDir. "
                        + "With configFile and without this setting, the configuration may use all folders outside "
                        + "dataDir.",
                defaultValue = "")
        List<String> servedFolders,

        @Setting(
                value = "Folders to which the configuration may write access logs (accessLog.path), besides logs in "
                        + "dataDir. With configFile and without this setting, the configuration may use all folders "
                        + "outside dataDir.",
                defaultValue = "")
        List<String> logFolders,

        @Setting(
                value = "Folders from which the configuration may read certificates, keys and secrets (certPath, "
                        + "keyPath, caPath, secretPath), besides files in dataDir. With configFile and without this "
                        + "setting, the configuration may use all folders outside dataDir.",
                defaultValue = "")
        List<String> readFolders) {

    public FileSettings {
        servedFolders = List.copyOf(servedFolders);
        logFolders = List.copyOf(logFolders);
        readFolders = List.copyOf(readFolders);
    }
}
