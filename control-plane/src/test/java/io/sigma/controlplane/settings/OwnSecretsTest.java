package io.sigma.controlplane.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sigma.settings.SettingsReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class OwnSecretsTest {

    @TempDir
    Path dir;

    private ControlPlaneSettings settings(Map<String, String> more) {
        Map<String, String> variables = new HashMap<>(more);
        variables.put("SIGMA_DATA_DIR", dir.resolve("data").toString());
        return SettingsReader.of(variables, null).read(ControlPlaneSettings.class);
    }

    @Test
    void whatIsAbsentIsGeneratedOnceAndKeptForTheOwnerAlone() throws IOException {
        ControlPlaneSettings first = OwnSecrets.complete(settings(Map.of()));
        ControlPlaneSettings second = OwnSecrets.complete(settings(Map.of()));
        assertThat(first.adminToken())
                .hasSize(43)
                .isEqualTo(second.adminToken())
                .isNotEqualTo(first.joinToken());
        assertThat(first.joinToken()).hasSize(43).isEqualTo(second.joinToken());
        assertThat(first.secretKey()).hasSize(43).isEqualTo(second.secretKey()).isNotEqualTo(first.adminToken());
        assertThat(first.controlPlaneId()).matches("[A-Za-z0-9._-]{1,64}").isEqualTo(second.controlPlaneId());
        for (String name : new String[] {"admin-token", "secret-key", "join-token"}) {
            Path file = dir.resolve("data").resolve(name);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
        }
        try (var files = Files.list(dir.resolve("data"))) {
            assertThat(files).hasSize(4);
        }
    }

    @Test
    void whatIsSetCounts() {
        ControlPlaneSettings set = OwnSecrets.complete(settings(Map.of(
                "SIGMA_ADMIN_TOKEN", "a".repeat(16),
                "SIGMA_JOIN_TOKEN", "b".repeat(16),
                "SIGMA_SECRET_KEY", "c".repeat(16),
                "SIGMA_CONTROL_PLANE_ID", "cp-1")));
        assertThat(set.adminToken()).isEqualTo("a".repeat(16));
        assertThat(set.joinToken()).isEqualTo("b".repeat(16));
        assertThat(set.secretKey()).isEqualTo("c".repeat(16));
        assertThat(set.controlPlaneId()).isEqualTo("cp-1");
        assertThat(dir.resolve("data")).doesNotExist();
        assertThat(set.toString()).doesNotContain("aaaa", "bbbb", "cccc");
    }

    @Test
    void weakTokensAndBadIdsAreRefused() {
        assertThatThrownBy(() -> OwnSecrets.complete(settings(Map.of("SIGMA_ADMIN_TOKEN", "geheim"))))
                .hasMessageContaining("adminToken: [redacted] (expected: ")
                .hasMessageNotContaining("geheim");
        assertThatThrownBy(() -> OwnSecrets.complete(settings(Map.of("SIGMA_JOIN_TOKEN", "with space 0123456789"))))
                .hasMessageContaining("joinToken");
        assertThatThrownBy(() -> OwnSecrets.complete(settings(Map.of("SIGMA_SECRET_KEY", "short"))))
                .hasMessageContaining("secretKey: [redacted] (expected: ");
        assertThatThrownBy(() -> OwnSecrets.complete(settings(Map.of("SIGMA_CONTROL_PLANE_ID", "a/b"))))
                .hasMessageContaining("controlPlaneId: \"a/b\" (expected: ");
    }
}
