package io.sigma.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sigma.json.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands that answer and end. */
class CommandLineTest {

    @TempDir
    Path folder;

    private static SigmaProcess run(String... arguments) {
        return SigmaProcess.command("command", arguments).start();
    }

    @Test
    void versionIsOneLine() {
        try (SigmaProcess sigma = run("version")) {
            assertThat(sigma.exitCode()).isZero();
            assertThat(sigma.output()).matches("(?i)sigma \\d+\\.\\d+\\.\\d+.*\\R");
        }
    }

    @Test
    void validateAcceptsBothExamplesAndReportsWhatChangesNothing() throws Exception {
        for (String name : new String[] {"minimal.json", "full.json"}) {
            Path file = Files.write(folder.resolve(name), Json.bytes(FileModeProcessTest.example(name, 8080, 8888)));
            try (SigmaProcess sigma = run("validate", file.toString())) {
                assertThat(sigma.exitCode()).as(sigma.output()).isZero();
                assertThat(sigma.output()).contains("/proxy-server/http/server-id");
            }
        }
    }

    @Test
    void validateNamesWhatIsWrong() throws Exception {
        ObjectNode root = FileModeProcessTest.example("full.json", 8080, 8888);
        ((ObjectNode) root.at("/router/0/route/0")).putArray("allow-method").add("GTE");
        Path file = Files.write(folder.resolve("sigma.json"), Json.bytes(root));
        try (SigmaProcess sigma = run("validate", file.toString())) {
            assertThat(sigma.exitCode()).isEqualTo(2);
            assertThat(sigma.output())
                    .contains("/router/0/route/0/allow-method/0")
                    .contains("GET");
        }
    }

    @Test
    void anUnknownSettingStopsTheStart() {
        try (SigmaProcess sigma = SigmaProcess.command("command", "gateway")
                .with("SIGMA_TELEMETRY_PRT", 1)
                .with("SIGMA_DATA_DIR", folder)
                .start()) {
            assertThat(sigma.exitCode()).isEqualTo(2);
            assertThat(sigma.output()).contains("SIGMA_TELEMETRY_PRT").contains("SIGMA_TELEMETRY_PORT");
        }
    }
}
