package io.sigma.dataplane.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.Http2Client;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.model.Plugins;
import io.sigma.model.StaticResourcesPlugin;
import io.sigma.snapshot.ResourceType;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A folder that a route serves: which paths lead to files, and what their responses say. */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class ServedFolderTest extends EngineContract {

    private static String request(String method, String target, String fields) {
        return method + " " + target + " HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n";
    }

    private Config files(Path root) {
        return new Config()
                .server("web", port())
                .with(
                        ResourceType.PROXY_SERVER,
                        "web",
                        server -> server.toBuilder()
                                .plugins(Plugins.builder()
                                        .staticResources(StaticResourcesPlugin.builder()
                                                .rootPath(root.toString())
                                                .build())
                                        .build())
                                .build());
    }

    private Path root() throws Exception {
        Path root = Files.createDirectories(folder.resolve("www"));
        Files.writeString(root.resolve("a b.txt"), "text");
        Files.writeString(root.resolve("index.html"), "<p>top</p>");
        Files.writeString(Files.createDirectories(root.resolve("sub")).resolve("index.html"), "<p>sub</p>");
        Files.writeString(folder.resolve("secret.txt"), "secret");
        Files.createSymbolicLink(root.resolve("link.txt"), folder.resolve("secret.txt"));
        Files.createSymbolicLink(root.resolve("up"), folder);
        return root;
    }

    @Test
    void parametersOfSegmentsTakeNoPartInThePatternForFiles() throws Exception {
        Path root = root();
        Files.writeString(root.resolve("a;b.txt"), "semicolon");
        gateway().apply(files(root));
        assertThat(get("/static;v=1/a%20b.txt").text()).isEqualTo("text");
        assertThat(get("/;x/static/a%20b.txt").text()).isEqualTo("text");
        assertThat(get("/static/a;b.txt").text()).isEqualTo("semicolon");
        assertThat(get("/static;v=1/a;b.txt").text()).isEqualTo("semicolon");
        assertThat(get("/static;v=1/../secret.txt").text()).doesNotContain("secret");
    }

    @Test
    void filesAreServedWithTypeAndTag() throws Exception {
        gateway().apply(files(root()));
        RawClient.Answer answer = get("/static/a%20b.txt");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text()).isEqualTo("text");
        assertThat(answer.field("content-type")).isEqualTo("text/plain; charset=utf-8");
        String tag = answer.field("etag");
        String modified = answer.field("last-modified");
        assertThat(exchange(request("GET", "/static/a%20b.txt", "If-None-Match: " + tag + "\r\n"))
                        .status())
                .isEqualTo(304);
        assertThat(exchange(request("GET", "/static/a%20b.txt", "If-Modified-Since: " + modified + "\r\n"))
                        .status())
                .isEqualTo(304);
        assertThat(exchange(request("HEAD", "/static/a%20b.txt", "")).field("content-length"))
                .isEqualTo("4");
        assertThat(get("/static/").text()).isEqualTo("<p>top</p>");
        assertThat(get("/static/sub/").text()).isEqualTo("<p>sub</p>");
        assertThat(get("/static/sub").field("location")).isEqualTo("/static/sub/");
        assertThat(exchange(request("POST", "/static/", "Content-Length: 0\r\n"))
                        .status())
                .isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/static/../secret.txt",
                "/static/%2e%2e/secret.txt",
                "/static/..%2fsecret.txt",
                "/static/sub/..%2f..%2f..%2fsecret.txt",
                "/static/..;x=y/secret.txt",
                "/static/link.txt",
                "/static/up/secret.txt",
                "/static//etc/passwd",
                "/static/nothing",
                "/static/index.html/",
                "/staticx/index.html"
            })
    void nothingOutsideTheFolderIsServed(String target) throws Exception {
        gateway().apply(files(root()));
        RawClient.Answer answer = get(target);
        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.text()).doesNotContain("secret");
    }

    @Test
    void largeFileIsServedOverHttp2() throws Exception {
        Path root = root();
        Files.write(root.resolve("big.bin"), new byte[3_000_000]);
        gateway().apply(files(root));
        assertThat(Http2Client.exchange(port(), "GET", "/static/big.bin", null).body())
                .hasSize(3_000_000);
        assertThat(get("/static/big.bin").body()).hasSize(3_000_000);
    }
}
