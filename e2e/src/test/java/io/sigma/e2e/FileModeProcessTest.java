package io.sigma.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sigma.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A gateway that runs from one file, without a control plane. */
class FileModeProcessTest {

    @TempDir
    Path folder;

    /** The example as it is shipped, but for ports that this machine may have in use. */
    static ObjectNode example(String name, int listenPort, int nodePort) throws IOException {
        try (InputStream in = FileModeProcessTest.class.getResourceAsStream("/sigma-json/" + name)) {
            ObjectNode root = (ObjectNode) Json.mapper().readTree(Objects.requireNonNull(in, name));
            ((ObjectNode) root.at("/proxy-server/http")).put("port", listenPort);
            for (JsonNode upstream : root.path("upstream")) {
                ArrayNode nodes = (ArrayNode) upstream.path("nodes");
                for (int i = 0; i < nodes.size(); i++) {
                    nodes.set(i, Json.tree("http://localhost:" + nodePort));
                }
            }
            return root;
        }
    }

    private Path write(JsonNode root) throws IOException {
        Path temporary = Files.write(folder.resolve("sigma.json.new"), Json.bytes(root));
        return Files.move(temporary, folder.resolve("sigma.json"), StandardCopyOption.REPLACE_EXISTING);
    }

    private SigmaProcess gateway(int telemetryPort, String... arguments) {
        return SigmaProcess.command("file-gateway", arguments)
                .with("SIGMA_TELEMETRY_PORT", telemetryPort)
                .with("SIGMA_ACCESS_LOG", "off")
                .with("SIGMA_STOP_DELAY_MILLIS", 0)
                .with("SIGMA_DATA_DIR", folder.resolve("data"))
                .start();
    }

    private static void awaitReady(SigmaProcess process, int telemetryPort) {
        Await.until(
                process + " is ready",
                () -> Http.isOk("http://127.0.0.1:" + telemetryPort + "/health/ready") || !process.isAlive());
        assertThat(process.isAlive()).as(process.output()).isTrue();
    }

    @Test
    void trafficFollowsTheMinimalExample() throws Exception {
        int[] ports = Ports.free(2);
        try (Nodes node = Nodes.start("node", folder)) {
            Path file = write(example("minimal.json", ports[0], node.port()));
            try (SigmaProcess gateway = gateway(ports[1], "gateway", "--config", file.toString())) {
                awaitReady(gateway, ports[1]);
                String base = "http://127.0.0.1:" + ports[0];
                assertThat(Http.get(base + "/test/x?a=1").body()).startsWith("node /test/x?a=1 ");
                assertThat(Http.get(base + "/other").status()).isEqualTo(404);
            }
        }
    }

    @Test
    void theFullExampleRewritesThePathAndKeepsTheQuery() throws Exception {
        int[] ports = Ports.free(2);
        try (Nodes node = Nodes.start("node", folder)) {
            Path file = write(example("full.json", ports[0], node.port()));
            try (SigmaProcess gateway = gateway(ports[1], "gateway", "--config", file.toString())) {
                awaitReady(gateway, ports[1]);
                assertThat(Http.get("http://127.0.0.1:" + ports[0] + "/test/x?a=1")
                                .body())
                        .startsWith("node /x?a=1 ");
            }
        }
    }

    @Test
    void aChangedFileIsTakenAndABadOneIsRefusedWithItsPointer() throws Exception {
        int[] ports = Ports.free(2);
        try (Nodes node = Nodes.start("node", folder)) {
            ObjectNode root = example("full.json", ports[0], node.port());
            Path file = write(root);
            try (SigmaProcess gateway = gateway(ports[1], "gateway", "--config", file.toString())) {
                awaitReady(gateway, ports[1]);
                String base = "http://127.0.0.1:" + ports[0];
                ((ObjectNode) root.at("/router/1/route/0")).put("path", "/renamed/*");
                write(root);
                Await.until(
                        "the changed route is served",
                        () -> Http.get(base + "/renamed/x").status() == 200);
                assertThat(Http.get(base + "/test/x").status()).isEqualTo(404);

                ((ObjectNode) root.at("/router/1/route/0")).put("proxy-pass-id", "gone");
                write(root);
                Await.until(
                        "the bad file is refused by name",
                        () -> gateway.output().contains("/router/1/route/0/proxy-pass-id"));
                assertThat(Http.get(base + "/renamed/x").status()).isEqualTo(200);
            }
        }
    }

    @Test
    void theCommandLineOfTheFormatWorks() throws Exception {
        int[] ports = Ports.free(2);
        try (Nodes node = Nodes.start("node", folder)) {
            Path file = write(example("minimal.json", ports[0], node.port()));
            Path options = Files.writeString(
                    folder.resolve("options.json"),
                    "{\"eventLoopPoolSize\":2,\"preferNativeTransport\":true,\"blockedThreadCheckInterval\":1000,"
                            + "\"addressResolverOptions\":{\"cacheMaxTimeToLive\":10},\"fileSystemOptions\":{\"fileCachingEnabled\":false}}");
            try (SigmaProcess gateway = gateway(
                    ports[1], "run", "-conf", file.toString(), "-options", options.toString(), "-instance", "1")) {
                awaitReady(gateway, ports[1]);
                assertThat(Http.get("http://127.0.0.1:" + ports[0] + "/test/y").body())
                        .startsWith("node /test/y ");
            }
        }
    }

    @Test
    void aBadFileStopsTheStartWithItsPointer() throws Exception {
        int[] ports = Ports.free(2);
        ObjectNode root = example("minimal.json", ports[0], 1);
        ((ObjectNode) root.at("/upstream/0")).putArray("nodes");
        Path file = write(root);
        try (SigmaProcess gateway = gateway(ports[1], "gateway", "--config", file.toString())) {
            assertThat(gateway.exitCode()).isEqualTo(2);
            assertThat(gateway.output()).contains("/upstream/0/nodes").doesNotContain("Exception");
        }
    }
}
