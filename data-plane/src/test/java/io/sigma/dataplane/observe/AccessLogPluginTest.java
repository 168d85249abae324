package io.sigma.dataplane.observe;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.PluginContract;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.json.Json;
import io.sigma.model.AccessLogFormat;
import io.sigma.model.AccessLogPlugin;
import io.sigma.model.Plugins;
import io.sigma.model.RequestIdPlugin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

final class AccessLogPluginTest extends PluginContract {

    private Config logging(TestNode node, AccessLogPlugin.Builder plugin) {
        return withPlugins(
                node.url(),
                Plugins.builder()
                        .accessLog(plugin.build())
                        .requestId(RequestIdPlugin.builder().trustIncoming(true).build()));
    }

    private static List<String> lines(Path file, int count) {
        GatewayHarness.eventually(() -> read(file).size() >= count);
        return read(file);
    }

    private static List<String> read(Path file) {
        try {
            return Files.exists(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void combinedLinesCannotBeBroken() throws Exception {
        Path file = folder.resolve("logs/shop.log");
        try (TestNode node = TestNode.named("ok")) {
            gateway()
                    .apply(logging(
                            node,
                            AccessLogPlugin.builder()
                                    .format(AccessLogFormat.COMBINED)
                                    .path(file.toString())));
            send("GET", "/a?b=c", "User-Agent: x\" \\\u00e9\r\nReferer: https://a/\r\n");
            assertThat(lines(file, 1).getFirst())
                    .startsWith("127.0.0.1 - - [")
                    .endsWith(" +0000] \"GET /a?b=c HTTP/1.1\" 200 2 \"https://a/\" \"x\\x22 \\x5C\\xE9\"");
        }
    }

    @Test
    void linesFollowTheTemplate() throws Exception {
        Path file = folder.resolve("template.log");
        try (TestNode node = TestNode.named("ok")) {
            gateway()
                    .apply(logging(
                            node,
                            AccessLogPlugin.builder()
                                    .format(AccessLogFormat.TEMPLATE)
                                    .template(
                                            "$status $$ $request_method $uri $route/$upstream id=$request_id $consumer $error")
                                    .path(file.toString())));
            send("GET", "/x", "X-Request-Id: abc\r\n");
            assertThat(lines(file, 1)).containsExactly("200 $ GET /x any/nodes id=abc - -");
        }
    }

    @Test
    void jsonHasTheRequestId() throws Exception {
        Path file = folder.resolve("json.log");
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(logging(node, AccessLogPlugin.builder().path(file.toString())));
            send("GET", "/x", "X-Request-Id: abc\r\n");
            assertThat(Json.read(lines(file, 1).getFirst(), JsonNode.class)
                            .path("requestId")
                            .asText())
                    .isEqualTo("abc");
        }
    }

    @Test
    void fullFilesArePutAsideAndTheOldestIsForgotten() throws Exception {
        Path file = folder.resolve("small.log");
        try (TestNode node = TestNode.named("ok")) {
            gateway()
                    .apply(logging(
                            node,
                            AccessLogPlugin.builder()
                                    .format(AccessLogFormat.TEMPLATE)
                                    .template("$uri")
                                    .fileBytesMax(1024L)
                                    .filesMax(2)
                                    .path(file.toString())));
            String path = "/" + "x".repeat(500);
            for (int i = 0; i < 7; i++) {
                int number = i;
                send("GET", path + i, "");
                GatewayHarness.eventually(() -> read(file).stream().anyMatch(line -> line.endsWith("x" + number)));
            }
            assertThat(Files.size(file)).isLessThanOrEqualTo(1024);
            assertThat(folder.resolve("small.log.1")).exists();
            assertThat(folder.resolve("small.log.2")).doesNotExist();
        }
    }
}
