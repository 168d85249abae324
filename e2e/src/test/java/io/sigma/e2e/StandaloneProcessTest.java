package io.sigma.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.json.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Everything in one process, as {@code make run} starts it. */
class StandaloneProcessTest {

    @TempDir
    Path folder;

    private final int adminPort = Ports.free();
    private final int telemetryPort = Ports.free();

    private SigmaProcess start() {
        SigmaProcess sigma = SigmaProcess.command("standalone", "standalone")
                .with("SIGMA_ADMIN_PORT", adminPort)
                .with("SIGMA_TELEMETRY_PORT", telemetryPort)
                .with("SIGMA_STOP_DELAY_MILLIS", 0)
                .with("SIGMA_DATA_DIR", folder.resolve("data"))
                // What the full example serves.
                .with("SIGMA_SERVED_FOLDERS", "/srv/static")
                .start();
        Await.until(sigma + " says that it is ready", () -> sigma.output().contains("ready") || !sigma.isAlive());
        assertThat(sigma.isAlive()).as(sigma.output()).isTrue();
        return sigma;
    }

    private Admin admin() throws Exception {
        Path file = folder.resolve("data").resolve("admin-token");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        return new Admin(adminPort, Files.readString(file).strip());
    }

    @Test
    void aConfigurationSurvivesKillAndTheDatabaseItLeftBehindIsTakenOver() throws Exception {
        int[] ports = Ports.free(2);
        try (Nodes node = Nodes.start("node", folder)) {
            SigmaProcess first = start();
            Admin admin = admin();
            JsonNode result = admin.send(
                            "POST",
                            "/import/sigma-json?wait=all",
                            Json.text(FileModeProcessTest.example("full.json", ports[0], node.port())))
                    .json();
            assertThat(result.at("/revision/complete").asBoolean())
                    .as(result.toString())
                    .isTrue();
            assertThat(result.path("warnings").findValuesAsText("pointer")).contains("/router/0/plugin/metadata");
            String url = "http://127.0.0.1:" + ports[0] + "/test/x?a=1";
            assertThat(Http.get(url).body()).startsWith("node /x?a=1 ");
            first.kill();

            try (SigmaProcess second = start()) {
                assertThat(admin.revision())
                        .isEqualTo(result.at("/revision/number").asLong());
                Await.until(second + " serves what was configured", () -> Http.isOk(url));
            }
        }
    }

    @Test
    void bothExamplesAreImportedAndTrafficFollowsThem() throws Exception {
        int[] ports = Ports.free(2);
        try (Nodes node = Nodes.start("node", folder);
                SigmaProcess sigma = start()) {
            Admin admin = admin();
            for (String name : new String[] {"minimal.json", "full.json"}) {
                int port = ports[name.startsWith("m") ? 0 : 1];
                Http.Answer answer = admin.send(
                        "POST",
                        "/import/sigma-json?wait=all",
                        Json.text(FileModeProcessTest.example(name, port, node.port())));
                assertThat(answer.status()).as("%s: %s", sigma, answer.body()).isEqualTo(200);
            }
            assertThat(Http.get("http://127.0.0.1:" + ports[0] + "/test/x?a=1").body())
                    .startsWith("node /test/x?a=1 ");
            assertThat(Http.get("http://127.0.0.1:" + ports[1] + "/test/x?a=1").body())
                    .startsWith("node /x?a=1 ");
        }
    }

    @Test
    void theDashboardAndTheHealthCheckNeedNoTokenAndEverythingElseDoes() throws Exception {
        try (SigmaProcess sigma = start()) {
            String base = "http://127.0.0.1:" + adminPort;
            assertThat(Http.get(base + "/").body()).as(sigma.toString()).contains("<html");
            assertThat(Http.get(base + "/routes").status()).isEqualTo(200);
            assertThat(Http.get(base + "/api/v1/health").status()).isEqualTo(200);
            assertThat(Http.get(base + "/api/v1/routes").status()).isEqualTo(401);
            assertThat(Http.get("http://127.0.0.1:" + telemetryPort + "/metrics")
                            .body())
                    .contains("sigma_");
        }
    }
}
