package io.sigma.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsReaderTest {

    enum Transport {
        AUTO,
        NIO
    }

    record Sample(
            @Setting(value = "Port.", defaultValue = "9080", min = 0, max = 65535)
            int adminPort,

            @Setting(value = "Folder.", defaultValue = "./.sigma")
            Path dataDir,

            @Setting(value = "List.", defaultValue = "") List<String> controlPlanes,

            @Setting(value = "Token.", secret = true) @Nullable
            String adminToken,

            @Setting(value = "Transport.", defaultValue = "auto")
            Transport transport) {}

    @TempDir
    Path folder;

    @Test
    void defaultsFillWhatIsAbsent() {
        Sample sample = SettingsReader.of(Map.of(), null).read(Sample.class);
        assertThat(sample).isEqualTo(new Sample(9080, Path.of("./.sigma"), List.of(), null, Transport.AUTO));
    }

    @Test
    void aVariableWinsOverTheFileAndTheFileOverTheDefault() throws Exception {
        Path file = Files.writeString(
                folder.resolve("sigma.yaml"), "adminPort: 1\ntransport: nio\ncontrolPlanes: [a:1, b]\n");
        Sample sample = SettingsReader.of(Map.of("SIGMA_ADMIN_PORT", "2"), file).read(Sample.class);
        assertThat(sample.adminPort()).isEqualTo(2);
        assertThat(sample.transport()).isEqualTo(Transport.NIO);
        assertThat(sample.controlPlanes()).containsExactly("a:1", "b");
    }

    @Test
    void anEmptyVariableCountsAsAbsent() {
        assertThat(SettingsReader.of(Map.of("SIGMA_ADMIN_PORT", ""), null)
                        .read(Sample.class)
                        .adminPort())
                .isEqualTo(9080);
    }

    @Test
    void everyInvalidValueIsNamedWithWhatWasExpected() {
        SettingsReader reader =
                SettingsReader.of(Map.of("SIGMA_ADMIN_PORT", "70000", "SIGMA_TRANSPORT", "carrier-pigeon"), null);
        assertThatThrownBy(() -> reader.read(Sample.class))
                .isInstanceOf(InvalidSettings.class)
                .hasMessageContaining("SIGMA_ADMIN_PORT: \"70000\" (expected: a number 0..65535)")
                .hasMessageContaining("SIGMA_TRANSPORT: \"carrier-pigeon\" (expected: one of auto, nio)");
    }

    @Test
    void aSecretIsNotPrinted() {
        SettingsReader reader = SettingsReader.of(Map.of("SIGMA_ADMIN_TOKEN", " "), null);
        assertThatThrownBy(() -> reader.read(Sample.class))
                .hasMessageContaining("SIGMA_ADMIN_TOKEN: [redacted] (expected:");
    }

    @Test
    void unknownKeysAndVariablesAreRefusedWithTheClosestKnownOne() throws Exception {
        Path file = Files.writeString(folder.resolve("sigma.yaml"), "adminPrt: 1\n");
        SettingsReader reader = SettingsReader.of(Map.of("SIGMA_DATA_DR", "x", "OTHER", "y"), file);
        assertThatThrownBy(() -> reader.refuseUnknown(List.of(Sample.class)))
                .isInstanceOf(InvalidSettings.class)
                .hasMessageContaining("unknown key \"adminPrt\" (did you mean adminPort?)")
                .hasMessageContaining("unknown variable SIGMA_DATA_DR (did you mean SIGMA_DATA_DIR?)")
                .hasMessageNotContaining("OTHER");
    }

    @Test
    void aFileThatIsNoMappingIsRefused() throws Exception {
        Path file = Files.writeString(folder.resolve("sigma.yaml"), "- 1\n");
        assertThatThrownBy(() -> SettingsReader.of(Map.of(), file)).isInstanceOf(InvalidSettings.class);
    }
}
