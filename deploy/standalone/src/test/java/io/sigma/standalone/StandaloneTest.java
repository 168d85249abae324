package io.sigma.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StandaloneTest {

    @TempDir
    Path dataDir;

    @Test
    void theDemoAnswersAtOnceAndAgainAfterARestart() throws Exception {
        int adminPort = StandaloneSettings.freePort();
        int gatewayPort = StandaloneSettings.freePort();
        for (int run = 1; run <= 2; run++) {
            try (Standalone standalone = Standalone.start(StandaloneSettings.of(dataDir, adminPort), gatewayPort)) {
                String token = Files.readString(dataDir.resolve("admin-token")).strip();
                String link = run == 1 ? "#token=" + token : "";
                assertThat(standalone.readyLine())
                        .isEqualTo(
                                "Sigma is ready: dashboard http://127.0.0.1:%d/%s  gateway http://localhost:%d/  (log in as a"
                                                .formatted(adminPort, link, gatewayPort)
                                        + " user, or with the admin token in " + dataDir.resolve("admin-token") + ")");
                JsonObject seen = new JsonObject(get("http://127.0.0.1:%d/run/%d".formatted(gatewayPort, run)));
                assertThat(seen.getString("path")).isEqualTo("/run/" + run);
                assertThat(get("http://127.0.0.1:%d/api/v1/health".formatted(adminPort)))
                        .isNotEmpty();
            }
        }
        assertThat(Files.readString(dataDir.resolve("access.log")))
                .contains("\"path\":\"/run/1\"", "\"path\":\"/run/2\"");
    }

    @Test
    void aTokenOfTheSettingsIsNotSaid() throws Exception {
        String token = "token-of-the-settings";
        ProcessSettings settings =
                StandaloneSettings.of(dataDir, StandaloneSettings.freePort()).with("adminToken", token);
        try (Standalone standalone = Standalone.start(settings, null)) {
            assertThat(standalone.readyLine())
                    .doesNotContain(token, "admin-token")
                    .endsWith("(log in as a user, or with the admin token of the settings)");
        }
        assertThat(dataDir.resolve("admin-token")).doesNotExist();
    }

    @Test
    void whatWasStartedIsStoppedWhenTheRestCannotStart() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> Standalone.start(StandaloneSettings.of(dataDir, taken.getLocalPort()), null))
                    .hasMessageContaining("" + taken.getLocalPort());
        }
        assertThat(dataDir.resolve("postgres/data/PG_VERSION")).exists();
        assertThat(dataDir.resolve("postgres/data/postmaster.pid")).doesNotExist();
    }

    private static String get(String url) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                    .timeout(Duration.ofSeconds(20))
                    .build();
            return client.send(request, BodyHandlers.ofString()).body();
        }
    }
}
