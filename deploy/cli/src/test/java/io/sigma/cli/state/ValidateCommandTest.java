package io.sigma.cli.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ValidateCommandTest {

    private static final String VALID = """
            {
              "proxy-server": { "http": { "id": "web", "server-id": "kept", "port": 8080 } },
              "router": [{ "id": "all", "enable": true, "proxy-server-id": "web",
                "route": [{ "id": "any", "enable": true, "path": "/*", "proxy-pass-id": "pass" }] }],
              "proxy-pass": [{ "id": "pass", "upstream-id": "nodes" }],
              "upstream": [{ "id": "nodes", "nodes": ["http://localhost:8888"] }]
            }
            """;

    @TempDir
    Path folder;

    @Test
    void aValidFileIsCounted() throws IOException {
        Path file = write(VALID);
        Cli cli = Cli.run("validate", file.toString());
        assertThat(cli.exitCode()).isZero();
        assertThat(cli.out())
                .isEqualToIgnoringNewLines(
                        file + ": valid, 1 proxy server, 1 router, 1 route, 1 proxy pass, 1 upstream");
        assertThat(cli.err()).contains("warning: /proxy-server/http/server-id: ");
    }

    @Test
    void aFileWithNothingInItIsSaidToBeSo() throws IOException {
        Path file = write("{}");
        Cli cli = Cli.run("validate", file.toString());
        assertThat(cli.exitCode()).isZero();
        assertThat(cli.out()).isEqualToIgnoringNewLines(file + ": valid, nothing in it");
    }

    @Test
    void whatIsWrongIsNamedByItsPointer() throws IOException {
        Path file = write(VALID.replace("\"nodes\" }", "\"nobody\" }").replace("8080", "0"));
        Cli cli = Cli.run("validate", file.toString());
        assertThat(cli.exitCode()).isEqualTo(2);
        assertThat(cli.out()).isEmpty();
        assertThat(cli.err().lines())
                .anySatisfy(line -> assertThat(line).startsWith(file + ": /proxy-server/http/port: "))
                .anySatisfy(line -> assertThat(line).startsWith(file + ": /proxy-pass/0/upstream-id: "));
    }

    @Test
    void aDeclaredStateIsToldFromASigmaJsonFile() throws IOException {
        Path yaml = Files.writeString(folder.resolve("sigma.yaml"), "label: team=blog\nroutes: []\n");
        for (Path file : List.of(write("{\"upstreams\": []}"), yaml)) {
            Cli cli = Cli.run("validate", file.toString());
            assertThat(cli.exitCode()).isEqualTo(2);
            assertThat(cli.err()).contains(file + ": a declared state, not a sigma.json file (expected: sigma diff ");
        }
    }

    @Test
    void aFolderThatNoGatewayServesIsNamedByItsPointer() throws IOException {
        String listener = "\"port\": 8080";
        String plugin = ", \"plugin\": { \"static-resources\": { \"enable\": true, \"root-path\": \"%s\" } }";
        Path fine = write(VALID.replace(listener, listener + plugin.formatted("/srv/static")));
        assertThat(Cli.run("validate", fine.toString()).exitCode()).isZero();
        for (String root : List.of("/", "/proc/self", "/sys")) {
            Path file = write(VALID.replace(listener, listener + plugin.formatted(root)));
            Cli cli = Cli.run("validate", file.toString());
            assertThat(cli.exitCode()).isEqualTo(2);
            assertThat(cli.err()).contains(file + ": /proxy-server/http/plugin/static-resources/root-path: \"" + root);
        }
    }

    @Test
    void aFileThatIsNotThereIsInvalid() {
        Cli cli = Cli.run("validate", folder.resolve("absent.json").toString());
        assertThat(cli.exitCode()).isEqualTo(2);
        assertThat(cli.err()).contains("absent.json: cannot be read");
    }

    @Test
    void brokenJsonIsNamedByItsLine() throws IOException {
        Cli cli = Cli.run("validate", write("{\n  nonsense\n}").toString());
        assertThat(cli.exitCode()).isEqualTo(2);
        assertThat(cli.err()).contains("malformed JSON at line 2");
    }

    private Path write(String content) throws IOException {
        return Files.writeString(folder.resolve("sigma.json"), content);
    }
}
