package io.sigma.dataplane.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sigma.dataplane.settings.GatewaySettings;
import io.sigma.dataplane.snapshot.SnapshotRefused;
import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.TestSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A gateway that serves a file. */
final class FileModeTest {

    @TempDir
    Path folder;

    private Path file;
    private int port;

    @BeforeEach
    void prepare() {
        file = folder.resolve("sigma.json");
        port = Config.freePort();
    }

    private GatewaySettings settings() {
        return TestSettings.of(folder.resolve("data")).configFile(file).build();
    }

    private void write(String path, String node) throws IOException {
        Files.writeString(file, json(path, node));
    }

    private String json(String path, String node) {
        return """
                { "proxy-server": { "http": { "id": "web", "port": %d } },
                  "router": [ { "id": "r", "enable": true, "proxy-server-id": "web", "route": [
                      { "id": "x", "enable": true, "path": "%s", "proxy-pass-id": "p" } ] } ],
                  "proxy-pass": [ { "id": "p", "upstream-id": "u", "plugin": { "rewrite-path": {
                      "enable": true, "regexp": "/test/(?<segment>.*)", "replacement": "/${segment}" } } } ],
                  "upstream": [ { "id": "u", "nodes": ["%s"] } ] }
                """.formatted(port, path, node);
    }

    @Test
    void fileIsServedAndTheQueryOfARewrittenPathKept() throws Exception {
        try (TestNode node = TestNode.named("one")) {
            write("/test/*", node.url());
            try (GatewayHarness gateway = GatewayHarness.start(settings())) {
                assertThat(RawClient.get(port, "any", "/test/x?a=1").text()).isEqualTo("one");
                assertThat(node.last().target()).isEqualTo("/x?a=1");
                assertThat(gateway.gateway().snapshotTarget().current().revision())
                        .isEqualTo(1);
            }
        }
    }

    @Test
    void changedFileIsFollowedAndABadOneIsNot() throws Exception {
        try (TestNode one = TestNode.named("one");
                TestNode two = TestNode.named("two")) {
            write("/test/*", one.url());
            try (GatewayHarness gateway = GatewayHarness.start(settings())) {
                Path fresh = folder.resolve("fresh");
                Files.writeString(fresh, json("/test/*", two.url()));
                Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
                GatewayHarness.eventually(() -> text().equals("two"));

                write("no slash", one.url());
                assertThat(text()).isEqualTo("two");
                write("/other", one.url());
                GatewayHarness.eventually(() -> status("/other") == 200);
                assertThat(status("/test/x")).isEqualTo(404);
                assertThat(gateway.gateway().snapshotTarget().current().revision())
                        .isEqualTo(3);
            }
        }
    }

    @Test
    void changeThatKeepsLengthAndTimeIsFollowed() throws Exception {
        try (TestNode node = TestNode.named("one");
                GatewayHarness gateway = started("/one", node)) {
            FileTime time = Files.getLastModifiedTime(file);
            // From then on the content is only read when the file system says that it changed.
            GatewayHarness.eventually(() -> System.currentTimeMillis() - time.toMillis() > 3000);

            write("/two", node.url());
            Files.setLastModifiedTime(file, time);
            GatewayHarness.eventually(() -> status("/two") == 200);
            assertThat(gateway.gateway().snapshotTarget().current().revision()).isEqualTo(2);
        }
    }

    private GatewayHarness started(String path, TestNode node) throws Exception {
        write(path, node.url());
        return GatewayHarness.start(settings());
    }

    @Test
    void badFileKeepsAGatewayFromStartingAndNamesThePlace() throws Exception {
        Files.writeString(file, json("/test/*", "http://127.0.0.1:1").replace("\"u\", \"nodes\"", "\"v\", \"nodes\""));
        assertThatThrownBy(() -> GatewayHarness.start(settings()))
                .isInstanceOf(SnapshotRefused.class)
                .satisfies(e -> assertThat(((SnapshotRefused) e).pointer()).startsWith("/proxy-pass/0/upstream-id"));
    }

    private String text() {
        try {
            return RawClient.get(port, "any", "/test/x").text();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private int status(String target) {
        try {
            return RawClient.get(port, "any", target).status();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
