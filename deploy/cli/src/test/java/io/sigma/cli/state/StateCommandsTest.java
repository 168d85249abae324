package io.sigma.cli.state;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.cli.Cli;
import io.sigma.json.Json;
import io.sigma.standalone.ProcessSettings;
import io.sigma.standalone.Standalone;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** export, diff and apply against a running Sigma. */
@Timeout(120)
final class StateCommandsTest {

    private static final String TOKEN = "state-commands-token-01";
    private static final String SHOP = """
            proxyServers:
              - id: web
                port: 18080
                enabled: false
                plugins: {jwt: {secret: 0123456789abcdef0123456789abcdef}}
            routers: [{id: shop, proxyServerId: web}]
            routes: [{id: api, routerId: shop, path: /api/*, proxyPassId: to-shop}]
            proxyPasses: [{id: to-shop, upstreamId: nodes}]
            upstreams: [{id: nodes, nodes: [{url: "http://10.0.0.1"}]}]
            """;

    @TempDir
    static Path data;

    @TempDir
    Path folder;

    private static Standalone sigma;
    private static String url;

    @BeforeAll
    static void start() throws Exception {
        int port = freePort();
        url = "http://127.0.0.1:" + port;
        sigma = Standalone.start(
                ProcessSettings.of(
                        Map.of(
                                "SIGMA_DATA_DIR",
                                data.toString(),
                                "SIGMA_ADMIN_PORT",
                                String.valueOf(port),
                                "SIGMA_CLUSTER_PORT",
                                "0",
                                "SIGMA_TELEMETRY_PORT",
                                "0",
                                "SIGMA_STOP_DELAY_MILLIS",
                                "0",
                                "SIGMA_WARM_UP_MILLIS",
                                "0",
                                "SIGMA_ADMIN_TOKEN",
                                TOKEN),
                        null),
                null);
    }

    @AfterAll
    static void stop() {
        sigma.close();
    }

    @BeforeEach
    void empty() throws IOException {
        assertThat(run("apply", file("{}")).exitCode()).isZero();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private String file(String text) throws IOException {
        return Files.writeString(folder.resolve("state.yaml"), text).toString();
    }

    private static Cli run(String... args) {
        return Cli.run(withApi(args));
    }

    private static String[] withApi(String... args) {
        String[] all = new String[args.length + 4];
        System.arraycopy(args, 0, all, 0, args.length);
        all[args.length] = "--url";
        all[args.length + 1] = url;
        all[args.length + 2] = "--token";
        all[args.length + 3] = TOKEN;
        return all;
    }

    @Test
    void whatIsAppliedIsWhatIsExportedAndDiffersInNothing() throws IOException {
        Cli diff = run("diff", file(SHOP));
        assertThat(diff.exitCode()).as(diff.err()).isEqualTo(1);
        assertThat(diff.out())
                .contains("+ route \"api\"", "    path: \"/api/*\"", "5 to create, 0 to update, 0 to delete")
                .doesNotContain("0123456789abcdef0123456789abcdef");
        Cli applied = run("apply", file(SHOP), "--message", "the shop", "--wait", "all");
        assertThat(applied.exitCode()).as(applied.err()).isZero();
        assertThat(applied.out()).contains("5 created, 0 updated, 0 deleted");
        assertThat(run("diff", file(SHOP)).exitCode()).isZero();
        for (String format : new String[] {"yaml", "json"}) {
            Path exported = folder.resolve("exported." + format);
            assertThat(run("export", "--format", format, "-o", exported.toString())
                            .exitCode())
                    .isZero();
            assertThat(exported).content().doesNotContain("stateHash", "0123456789abcdef0123456789abcdef");
            Cli again = run("apply", exported.toString());
            assertThat(again.exitCode()).as(again.err()).isZero();
            assertThat(again.out()).contains("nothing to change");
        }
        assertThat(run("export").out()).isEqualTo(run("export").out()).contains("id: api");
    }

    @Test
    void anExportReplacesItsFileAsAWhole() throws IOException {
        run("apply", file(SHOP));
        Path kept = Files.writeString(folder.resolve("kept.yaml"), "# longer\n".repeat(10_000));
        Files.setPosixFilePermissions(kept, PosixFilePermissions.fromString("rw-r-----"));
        Path link = Files.createSymbolicLink(folder.resolve("link.yaml"), kept);
        Cli exported = run("export", "-o", link.toString());
        assertThat(exported.exitCode()).as(exported.err()).isZero();
        assertThat(link).isSymbolicLink();
        assertThat(kept).content().isEqualTo(run("export").out());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(kept)))
                .isEqualTo("rw-r-----");
        // What is written beside it first cannot be: the file stays as it was.
        Path half = Files.createDirectory(
                folder.resolve(".kept.yaml." + ProcessHandle.current().pid() + ".new"));
        run("apply", file("upstreams: []"));
        assertThat(run("export", "-o", kept.toString()).exitCode()).isEqualTo(1);
        assertThat(kept).content().contains("id: api");
        assertThat(half).doesNotExist();
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.filter(each -> each.toString().endsWith(".new"))).isEmpty();
        }
    }

    @Test
    void aDifferenceIsToldFieldByField() throws IOException {
        run("apply", file(SHOP));
        String other = SHOP.replace("/api/*", "/v2/*").replace("http://10.0.0.1\"", "http://10.0.0.2\", weight: 5");
        Cli diff = run("diff", file(other));
        assertThat(diff.exitCode()).isEqualTo(1);
        assertThat(diff.out())
                .contains("~ route \"api\"", "    path: \"/api/*\" -> \"/v2/*\"", "    nodes[0].weight: 1 -> 5");
        Cli json = run("diff", "--json", file(other));
        assertThat(json.exitCode()).isEqualTo(1);
        JsonNode fields = Json.read(json.out(), JsonNode.class).path("changes");
        assertThat(fields.findValuesAsText("path")).contains("path", "nodes[0].url");
        Cli secret = run("diff", file(SHOP.replace("secret: 0", "secret: 9")));
        assertThat(secret.out()).contains("~ proxy server \"web\"", "a secret: [redacted] -> [redacted]");
        Cli dry = run("apply", "--dry-run", file(other));
        assertThat(dry.exitCode()).isZero();
        assertThat(dry.out()).contains("0 to create, 2 to update, 0 to delete");
        assertThat(run("diff", file(SHOP)).exitCode()).isZero();
    }

    @Test
    void whatWouldBeOddIsToldBeforeItIsThere() throws IOException {
        run("apply", file(SHOP));
        String wide = SHOP.replace(
                "proxyPassId: to-shop}]",
                "proxyPassId: to-shop}, {id: all, routerId: shop, path: /*, priority: 5, proxyPassId: to-shop}]");
        Cli diff = run("diff", file(wide));
        assertThat(diff.exitCode()).as(diff.err()).isEqualTo(1);
        assertThat(diff.out()).contains("warning: route-shadowed: route \"api\" /path: ");
        assertThat(run("diff", "--fail-on", "error", file(wide)).exitCode()).isEqualTo(1);
        assertThat(run("diff", "--fail-on", "warning", file(wide)).exitCode()).isEqualTo(7);
        assertThat(run("diff", "--fail-on", "info", file(SHOP)).exitCode())
                .as("what is odd already is not new")
                .isZero();
        Cli json = run("diff", "--json", file(wide));
        assertThat(Json.read(json.out(), JsonNode.class)
                        .at("/revision/findings/0/rule")
                        .asText())
                .isEqualTo("route-shadowed");
        Cli dry = run("apply", "--dry-run", "--fail-on", "WARNING", file(wide));
        assertThat(dry.exitCode()).as(dry.err()).isEqualTo(7);
        assertThat(dry.out()).contains("1 to create", "warning: route-shadowed: ");
        Cli late = run("apply", "--fail-on", "warning", file(wide));
        assertThat(late.exitCode()).isEqualTo(2);
        assertThat(late.err()).contains("--fail-on: without --dry-run (expected: ");
        assertThat(run("apply", file(wide)).out()).contains("1 created", "warning: route-shadowed: ");
    }

    @Test
    void aPartWithALabelIsManagedByItself() throws IOException {
        run("apply", file(SHOP));
        String part = "upstreams: [{id: blog, nodes: [{url: 'http://10.0.0.3'}]}]";
        assertThat(run("apply", "--label", "team=blog", file(part)).out()).contains("1 created, 0 updated, 0 deleted");
        assertThat(run("diff", "--label", "team=blog", file(part)).exitCode()).isZero();
        assertThat(run("export", "--label", "team=blog").out())
                .contains("team: blog")
                .doesNotContain("id: api");
        assertThat(run("apply", "--label", "team=blog", file("{}")).out()).contains("0 created, 0 updated, 1 deleted");
        assertThat(run("export").out()).contains("id: api");
        Cli foreign = run("apply", "--label", "team=blog", file(SHOP));
        assertThat(foreign.exitCode()).isEqualTo(5);
        assertThat(foreign.err()).contains("/routes/0/id: \"api\"");
    }

    @Test
    void anExportedPartIsAppliedAsAPart() throws IOException {
        run("apply", file(SHOP));
        String part = "upstreams: [{id: blog, nodes: [{url: 'http://10.0.0.3'}]}]";
        run("apply", "--label", "team=blog", file(part));
        for (String format : new String[] {"yaml", "json"}) {
            Path exported = folder.resolve("part." + format);
            assertThat(run("export", "--label", "team=blog", "--format", format, "-o", exported.toString())
                            .exitCode())
                    .isZero();
            assertThat(exported).content().containsPattern("^\\W*label\\W+team=blog");
            assertThat(run("diff", exported.toString()).exitCode()).isZero();
            Cli applied = run("apply", exported.toString());
            assertThat(applied.out()).as(applied.err()).contains("nothing to change");
            assertThat(run("apply", "--label", "team=blog", exported.toString()).exitCode())
                    .isZero();
            Cli other = run("apply", "--label", "team=shop", exported.toString());
            assertThat(other.exitCode()).isEqualTo(2);
            assertThat(other.err()).contains("--label: \"team=shop\" (expected: \"team=blog\"");
        }
        assertThat(run("export").out()).contains("id: api").doesNotContain("label:");
        Cli list = run("diff", file("label: [team, blog]"));
        assertThat(list.exitCode()).isEqualTo(2);
        assertThat(list.err()).contains("label: [\"team\",\"blog\"] (expected: key=value)");
        assertThat(run("diff", file("label: blog")).exitCode()).isEqualTo(2);
    }

    @Test
    void whatWasShownIsWhatIsApplied() throws IOException {
        run("apply", file(SHOP));
        String other = SHOP.replace("/api/*", "/v2/*");
        Cli diff = run("diff", file(other));
        assertThat(diff.out()).contains("votes: 1 accepted");
        String tag = diff.out()
                .lines()
                .filter(line -> line.startsWith("tag: "))
                .findFirst()
                .orElseThrow()
                .substring("tag: ".length());
        JsonNode json = Json.read(run("diff", "--json", file(other)).out(), JsonNode.class);
        assertThat(json.path("etag").asText()).isEqualTo(tag);
        assertThat(json.at("/revision/votes/0/vote").asText()).isEqualTo("ACCEPT");
        assertThat(run("diff", file(SHOP)).out()).doesNotContain("votes: ");
        Cli applied = run("apply", "--if-match", tag, "--wait", "quorum", file(other));
        assertThat(applied.exitCode()).as(applied.err()).isZero();
        assertThat(applied.out()).contains("1 updated", "votes: 1 accepted");
        assertThat(run("apply", "--if-match", tag, file(SHOP)).exitCode()).isEqualTo(5);
    }

    @Test
    void aFullDiskIsAFailure() throws IOException {
        run("apply", file(SHOP));
        for (String[] command : new String[][] {{"export"}, {"diff", "--json", file(SHOP)}}) {
            try (PrintWriter full = new PrintWriter(new PrintStream("/dev/full", UTF_8), true, UTF_8)) {
                Cli ran = Cli.printing(full, withApi(command));
                assertThat(ran.exitCode()).isEqualTo(1);
                assertThat(ran.err()).startsWith("sigma: standard output: ");
            }
        }
    }

    @Test
    void exitCodesTellWhatIsWrong() throws IOException {
        Cli invalid = run("apply", file("proxyServers: [{id: web, port: 70000}]"));
        assertThat(invalid.exitCode()).isEqualTo(2);
        assertThat(invalid.err()).contains("sigma: /proxyServers/0/port: 70000 (expected: ");
        Cli malformed = run("apply", file("a: ["));
        assertThat(malformed.exitCode()).isEqualTo(2);
        assertThat(malformed.err()).contains("state.yaml:");
        assertThat(run("apply", folder.resolve("none").toString()).exitCode()).isEqualTo(2);
        assertThat(run("apply", "--label", "blog", file("{}")).exitCode()).isEqualTo(2);
        assertThat(run("apply", "--if-match", "\"0-0\"", file("{}")).exitCode()).isEqualTo(5);
        assertThat(Cli.run("export", "--url", url, "--token", "not-the-token").exitCode())
                .isEqualTo(4);
        assertThat(Cli.run("export", "--url", "ftp://a", "--token", TOKEN).exitCode())
                .isEqualTo(2);
        Path token = Files.writeString(folder.resolve("token"), TOKEN + "\n");
        assertThat(Cli.run("export", "--url", url, "--token-file", token.toString())
                        .exitCode())
                .isZero();
    }

    @Test
    void aControlPlaneThatDoesNotAnswerIsAFailureOfItsOwn() throws IOException {
        Cli cli = Cli.run("export", "--url", "http://127.0.0.1:" + freePort(), "--token", TOKEN);
        assertThat(cli.exitCode()).isEqualTo(3);
        assertThat(cli.err()).contains("does not answer");
    }
}
