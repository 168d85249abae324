package io.sigma.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ControlPlaneCommandTest {

    @TempDir
    Path folder;

    @Test
    void needsADatabase() throws IOException {
        Cli cli = run("dataDir: " + folder);
        assertThat(cli.exitCode()).isEqualTo(2);
        assertThat(cli.err()).contains("sigma: databaseUrl: absent (expected: SIGMA_DATABASE_URL");
    }

    @Test
    void aMisspeltSettingIsAnsweredWithTheLikelyOne() throws IOException {
        Cli cli = run("adminPrt: 1");
        assertThat(cli.exitCode()).isEqualTo(2);
        assertThat(cli.err()).contains("unknown key \"adminPrt\" (did you mean adminPort?)");
    }

    @Test
    void aSettingThatIsOutOfRangeIsInvalid() throws IOException {
        Cli cli = run("adminPort: 70000\ndatabaseUrl: postgresql://a:b@127.0.0.1:1/c");
        assertThat(cli.exitCode()).isEqualTo(2);
        assertThat(cli.err()).isEqualToIgnoringNewLines("sigma: adminPort: \"70000\" (expected: a number 0..65535)");
    }

    @Test
    void aDatabaseThatDoesNotAnswerIsAFailureInOneLine() throws IOException {
        Cli cli =
                run("databaseUrl: postgresql://a:secret@127.0.0.1:1/c\ndatabaseStartMillis: 0\nadminPort: 0\ndataDir: "
                        + folder);
        assertThat(cli.exitCode()).isEqualTo(1);
        assertThat(cli.err().lines())
                .singleElement()
                .asString()
                .startsWith("sigma: The database postgresql://a:[redacted]@");
    }

    private Cli run(String settings) throws IOException {
        Path file = Files.writeString(folder.resolve("settings.yaml"), settings + "\n");
        return Cli.run("control-plane", "--settings", file.toString());
    }
}
