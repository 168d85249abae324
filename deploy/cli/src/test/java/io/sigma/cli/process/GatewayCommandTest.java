package io.sigma.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class GatewayCommandTest {

    @TempDir
    Path folder;

    private Path settings;

    @BeforeEach
    void writeSettings() throws IOException {
        settings = write("settings.yaml", "dataDir: " + folder + "\ntelemetryPort: 0\n");
    }

    @Test
    void needsToBeToldWhatToDo() {
        Cli cli = Cli.run("gateway", "--settings", settings.toString());
        assertThat(cli.exitCode()).isEqualTo(2);
        assertThat(cli.err()).contains("expected: --config FILE, or SIGMA_CONTROL_PLANES");
    }

    @Test
    void aFileThatCannotBeServedIsRefusedWithItsPointer() throws IOException {
        Path config = write("sigma.json", "{ \"proxy-server\": { \"http\": { \"id\": \"web\", \"port\": 0 } } }");
        Cli cli = Cli.run("gateway", "--settings", settings.toString(), "--config", config.toString());
        assertThat(cli.exitCode()).isEqualTo(2);
        assertThat(cli.err()).contains("/proxy-server/http/port");
    }

    @Test
    void theFormThatUsersOfTheFormatKnowIsUnderstood() throws IOException {
        Path config = write("sigma.json", "{ \"nonsense\": 1 }");
        Path options = write("options.json", "{ \"eventLoopPoolSize\": 2, \"preferNativeTransport\": true }");
        String[] command = {"run", "-conf", config.toString(), "-options", options.toString(), "-instance", "1"};
        Cli cli = Cli.run(withSettings(command));
        assertThat(cli.exitCode()).isEqualTo(2);
        assertThat(cli.err()).contains("/nonsense");
    }

    @Test
    void theClassThatUsersOfTheFormatNameIsTakenAndIgnored() throws IOException {
        Path config = write("sigma.json", "{ \"nonsense\": 1 }");
        for (String name : new String[] {"net.oooops.sigma.Sigma", "java:net.oooops.sigma.Sigma", "Sigma"}) {
            Cli cli = Cli.run(withSettings("run", name, "-conf", config.toString(), "-instance", "1"));
            assertThat(cli.exitCode()).isEqualTo(2);
            assertThat(cli.err()).contains("/nonsense");
        }
        Cli file = Cli.run(withSettings("run", config.toString()));
        assertThat(file.exitCode()).isEqualTo(2);
        assertThat(file.err())
                .contains("\"" + config + "\" (expected: a class such as net.oooops.sigma.Sigma, or -conf FILE)");
    }

    @Test
    void optionsOfTheWrongTypeAreRefused() throws IOException {
        Path config = write("sigma.json", "{}");
        Path options = write("options.json", "{ \"eventLoopPoolSize\": -1 }");
        Cli cli = Cli.run(withSettings("run", "-conf", config.toString(), "-options", options.toString()));
        assertThat(cli.exitCode()).isEqualTo(2);
        assertThat(cli.err()).contains(options + ": ").contains("eventLoopPoolSize");
    }

    @Test
    void instancesOutOfRangeAreRefused() throws IOException {
        Path config = write("sigma.json", "{}");
        Cli cli = Cli.run(withSettings("run", "-conf", config.toString(), "-instance", "0"));
        assertThat(cli.exitCode()).isEqualTo(2);
        assertThat(cli.err()).isEqualToIgnoringNewLines("sigma: -instance: 0 (expected: 1..1024)");
    }

    private String[] withSettings(String... command) {
        String[] all = new String[command.length + 2];
        System.arraycopy(command, 0, all, 0, command.length);
        all[command.length] = "--settings";
        all[command.length + 1] = settings.toString();
        return all;
    }

    private Path write(String name, String content) throws IOException {
        return Files.writeString(folder.resolve(name), content);
    }
}
