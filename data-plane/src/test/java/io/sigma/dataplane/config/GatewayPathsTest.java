package io.sigma.dataplane.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.snapshot.SnapshotRefused;
import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestSettings;
import io.sigma.model.AccessLogPlugin;
import io.sigma.model.ClientTls;
import io.sigma.model.FixedResponse;
import io.sigma.model.JwtPlugin;
import io.sigma.model.Plugins;
import io.sigma.model.Protocol;
import io.sigma.model.ProxyPass;
import io.sigma.model.ProxyServer;
import io.sigma.model.ServerTls;
import io.sigma.model.StaticFiles;
import io.sigma.model.StaticResourcesPlugin;
import io.sigma.snapshot.ResourceType;
import io.sigma.snapshot.Snapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The paths of a gateway's disk that the configuration may name, from the vote to the request. */
final class GatewayPathsTest {

    private static final String OUTSIDE = "/etc";

    @TempDir
    Path folder;

    private Path data;
    private int port;

    @BeforeEach
    void prepare() {
        data = folder.resolve("data");
        port = Config.freePort();
    }

    private GatewayHarness start() {
        return GatewayHarness.start(TestSettings.of(data).folders().build());
    }

    private Config files(String root) {
        return new Config()
                .server("web", port)
                .router("all", "web")
                .route("any", "all", "/*", "pass")
                .put(
                        ResourceType.PROXY_PASS,
                        ProxyPass.builder()
                                .id("pass")
                                .staticFiles(
                                        StaticFiles.builder().rootPath(root).build())
                                .build());
    }

    private static Plugins log(String path) {
        return Plugins.builder()
                .accessLog(AccessLogPlugin.builder().path(path).build())
                .build();
    }

    /** Every place where a resource names a path, with one that is not open. */
    private Map<String, Config> outside() {
        Map<String, Config> all = new LinkedHashMap<>();
        Config good = files("www");
        all.put("/proxyPasses/pass/staticFiles/rootPath", files(OUTSIDE));
        all.put(
                "/proxyPasses/pass/plugins/accessLog/path",
                good.copy()
                        .with(
                                ResourceType.PROXY_PASS,
                                "pass",
                                pass -> pass.toBuilder()
                                        .plugins(log("/etc/cron.d/x"))
                                        .build()));
        all.put(
                "/routes/any/plugins/accessLog/path",
                good.copy()
                        .with(
                                ResourceType.ROUTE,
                                "any",
                                route -> route.toBuilder()
                                        .enabled(false)
                                        .plugins(log(data + "/snapshot.bin"))
                                        .build()));
        all.put(
                "/routers/all/plugins/staticResources/rootPath",
                good.copy()
                        .with(
                                ResourceType.ROUTER,
                                "all",
                                router -> router.toBuilder()
                                        .plugins(Plugins.builder()
                                                .staticResources(StaticResourcesPlugin.builder()
                                                        .enabled(false)
                                                        .rootPath("/")
                                                        .build())
                                                .build())
                                        .build()));
        all.put(
                "/routers/all/plugins/jwt/secretPath",
                good.copy()
                        .with(
                                ResourceType.ROUTER,
                                "all",
                                router -> router.toBuilder()
                                        .plugins(Plugins.builder()
                                                .jwt(JwtPlugin.builder()
                                                        .secretPath("/etc/passwd")
                                                        .build())
                                                .build())
                                        .build()));
        all.put(
                "/upstreams/unused/tls/caPath",
                good.copy()
                        .upstream("unused", "https://127.0.0.1:1")
                        .nodeTls(
                                "unused",
                                ClientTls.builder().caPath("/etc/none").build()));
        all.put("/proxyServers/tls/tls/certPath", good.copy().server(encrypted(data + "/gateway-cert.pem", "key.pem")));
        all.put("/proxyServers/tls/tls/keyPath", good.copy().server(encrypted("cert.pem", "../gateway-key.pem")));
        return all;
    }

    private static ProxyServer encrypted(String cert, String key) {
        return ProxyServer.builder()
                .id("tls")
                .host("127.0.0.1")
                .port(Config.freePort())
                .enabled(false)
                .protocol(Protocol.HTTPS)
                .tls(ServerTls.builder().certPath(cert).keyPath(key).build())
                .build();
    }

    @Test
    void everyPathOutsideIsVotedAgainstWithItsPointer() {
        try (GatewayHarness gateway = start()) {
            gateway.apply(files("www"));
            outside().forEach((pointer, config) -> {
                SnapshotRefused refused = vote(gateway, config);
                assertThat(refused).as(pointer).isNotNull();
                assertThat(refused.pointer()).isEqualTo(pointer);
                assertThat(refused.detail()).contains("of the gateway names");
            });
        }
    }

    private static SnapshotRefused vote(GatewayHarness gateway, Config config) {
        return Assertions.catchThrowableOfType(
                SnapshotRefused.class,
                () -> GatewayHarness.await(
                        gateway.gateway().snapshotTarget().prepare(Snapshot.of(99, config.state()))));
    }

    @Test
    void fileInTheDataFolderIsServedByDefault() throws Exception {
        try (GatewayHarness gateway = start()) {
            Files.createDirectory(data.resolve("files/www"));
            Files.writeString(data.resolve("files/www/a.txt"), "hello");
            Files.createSymbolicLink(data.resolve("files/www/out.txt"), Path.of("/etc/passwd"));
            assertThat(vote(gateway, files("www"))).isNull();
            gateway.apply(files("www"));
            assertThat(RawClient.get(port, "any", "/a.txt").text()).isEqualTo("hello");
            assertThat(RawClient.get(port, "any", "/out.txt").status()).isEqualTo(404);
            Files.delete(data.resolve("files/www/a.txt"));
            Files.createSymbolicLink(data.resolve("files/www/a.txt"), Path.of("/etc/passwd"));
            assertThat(RawClient.get(port, "any", "/a.txt").status()).isEqualTo(404);
        }
    }

    @Test
    void noSpellingOfARequestLeavesTheFolder() throws Exception {
        try (GatewayHarness gateway = start()) {
            Files.createDirectory(data.resolve("files/www"));
            Files.writeString(data.resolve("files/www/a.txt"), "hello");
            Files.writeString(data.resolve("files/beside.txt"), "beside");
            gateway.apply(files("www"));
            for (String target : new String[] {
                "/../beside.txt",
                "/%2e%2e/beside.txt",
                "/%2E%2e%2fbeside.txt",
                "/..%2fbeside.txt",
                "/x/%2e%2e/%2e%2e/beside.txt",
                "/..;/beside.txt",
                "/..%5cbeside.txt",
                "/%252e%252e/beside.txt",
                "/%c0%ae%c0%ae/beside.txt",
                "/" + data + "/files/beside.txt",
                "//" + data + "/files/beside.txt",
                "/%2f" + data.toString().substring(1) + "/files/beside.txt",
                "/a.txt%00.html",
                "/a.txt/",
                "/a.txt/.",
                "/a.txt/../../beside.txt"
            }) {
                RawClient.Answer answer = RawClient.get(port, "any", target);
                assertThat(answer.status()).as(target).isIn(400, 404);
                assertThat(answer.text()).as(target).doesNotContain("beside");
            }
        }
    }

    private Config twoLogs(AccessLogPlugin.Builder first, AccessLogPlugin.Builder second) {
        Config config = files("www");
        for (Map.Entry<String, AccessLogPlugin.Builder> log :
                Map.of("a", first, "b", second).entrySet()) {
            config.put(
                    ResourceType.PROXY_PASS,
                    ProxyPass.builder()
                            .id(log.getKey())
                            .fixedResponse(FixedResponse.builder().build())
                            .plugins(Plugins.builder()
                                    .accessLog(log.getValue().build())
                                    .build())
                            .build());
        }
        return config;
    }

    private static AccessLogPlugin.Builder logging(String path, long bytesMax, int filesMax) {
        return AccessLogPlugin.builder().path(path).fileBytesMax(bytesMax).filesMax(filesMax);
    }

    /** Else who may write one resource deletes the log of another one, or ends it. */
    @Test
    void logOfAnotherResourceIsNeitherRotatedSoonerNorInItsWay() {
        AccessLogPlugin.Builder theirs = logging("shop.log", 1_000_000, 10);
        try (GatewayHarness gateway = start()) {
            gateway.apply(twoLogs(theirs, AccessLogPlugin.builder()));
            for (AccessLogPlugin.Builder mine : List.of(
                    logging("shop.log", 1024, 10),
                    logging("x/../shop.log", 1_000_000, 1),
                    logging(data + "/logs/shop.log", 1_000_000, 11),
                    logging("shop.log.1", 1_000_000, 10),
                    logging("shop.log.9", 1_000_000, 10))) {
                SnapshotRefused refused = vote(gateway, twoLogs(theirs, mine));
                assertThat(refused).as(mine.build().toString()).isNotNull();
                assertThat(refused.pointer()).isEqualTo("/proxyPasses/b/plugins/accessLog/path");
                assertThat(refused.detail()).contains("the access log of /proxyPasses/a");
            }
            for (AccessLogPlugin.Builder mine : List.of(
                    logging("shop.log", 1_000_000, 10),
                    logging("shop.log.10", 1_000_000, 10),
                    logging("shop.log.1x", 1_000_000, 10),
                    logging("other.log", 1024, 1))) {
                assertThat(vote(gateway, twoLogs(theirs, mine)))
                        .as(mine.build().toString())
                        .isNull();
            }
            gateway.apply(twoLogs(logging("shop.log.1", 1024, 1), AccessLogPlugin.builder()));
            assertThat(vote(gateway, twoLogs(logging("shop.log.1", 1024, 1), theirs))
                            .pointer())
                    .isEqualTo("/proxyPasses/b/plugins/accessLog/path");
        }
    }

    /** What a gateway of an older version stored, or control planes committed while it was away. */
    @Test
    void snapshotThatNamesPathsOutsideIsServedWithoutThem() throws Exception {
        Files.writeString(folder.resolve("secret.txt"), "secret");
        int tls = Config.freePort();
        Path log = folder.resolve("other.log");
        Config config = files(folder.toString())
                .route("logged", "all", "/logged", "fine")
                .put(
                        ResourceType.PROXY_PASS,
                        ProxyPass.builder()
                                .id("fine")
                                .fixedResponse(FixedResponse.builder().build())
                                .plugins(log(log.toString()))
                                .build())
                .server(encrypted(folder + "/cert.pem", folder + "/key.pem").toBuilder()
                        .enabled(true)
                        .port(tls)
                        .build());
        for (int start = 0; start < 2; start++) {
            try (GatewayHarness gateway = start()) {
                if (start == 0) {
                    gateway.apply(config);
                }
                assertThat(RawClient.get(port, "any", "/secret.txt").status()).isEqualTo(404);
                assertThat(RawClient.get(port, "any", "/logged").status()).isEqualTo(200);
                assertThat(vote(gateway, config.copy().route("more", "all", "/more", "fine")))
                        .isNull();
                gateway.apply(config.copy().route("more", "all", "/more", "fine"));
                assertThat(RawClient.get(port, "any", "/more").status()).isEqualTo(200);
                gateway.apply(config);
            }
            assertThat(log).doesNotExist();
        }
    }

    private void write(Path file, String root) throws IOException {
        Files.writeString(file, """
                { "proxy-server": { "http": { "id": "web", "port": %d, "plugin": {
                      "static-resources": { "enable": true, "root-path": "%s", "url-pattern": "/*" } } } } }
                """.formatted(port, root));
    }

    @Test
    void fileOfAnOperatorMayNameAnyFolderThatIsNotForbidden() throws Exception {
        Path file = folder.resolve("sigma.json");
        Path root = Files.createDirectory(folder.resolve("www"));
        Files.writeString(root.resolve("a"), "a");
        write(file, root.toString());
        try (GatewayHarness gateway = GatewayHarness.start(
                TestSettings.of(data).folders().configFile(file).build())) {
            assertThat(RawClient.get(port, "any", "/a").text()).isEqualTo("a");
            assertThat(gateway.gateway().isReady()).isTrue();
        }
        // The file itself has secrets.
        write(file, ".");
        try (GatewayHarness gateway = GatewayHarness.start(
                TestSettings.of(data).folders().configFile(file).build())) {
            assertThat(RawClient.get(port, "any", "/www/a").text()).isEqualTo("a");
            assertThat(RawClient.get(port, "any", "/sigma.json").status()).isEqualTo(404);
            assertThat(RawClient.get(port, "any", "/data/gateway-id").status()).isEqualTo(404);
            assertThat(gateway.gateway().isReady()).isTrue();
        }
        for (String forbidden : new String[] {"/", "/proc/self", data.toString()}) {
            write(file, forbidden);
            SnapshotRefused refused = Assertions.catchThrowableOfType(
                    SnapshotRefused.class,
                    () -> GatewayHarness.start(TestSettings.of(data)
                                    .folders()
                                    .configFile(file)
                                    .build())
                            .close());
            assertThat(Objects.requireNonNull(refused).pointer())
                    .isEqualTo("/proxy-server/http/plugin/static-resources/root-path");
        }
    }

    @Test
    void settingNarrowsWhatAFileMayName() throws Exception {
        Path file = folder.resolve("sigma.json");
        Path open = Files.createDirectory(folder.resolve("open"));
        write(file, "/srv");
        SnapshotRefused refused = Assertions.catchThrowableOfType(
                SnapshotRefused.class,
                () -> GatewayHarness.start(TestSettings.of(data)
                                .folders(open)
                                .configFile(file)
                                .build())
                        .close());
        assertThat(Objects.requireNonNull(refused).pointer())
                .isEqualTo("/proxy-server/http/plugin/static-resources/root-path");
        write(file, "beside");
        GatewayHarness.start(
                        TestSettings.of(data).folders(open).configFile(file).build())
                .close();
    }
}
