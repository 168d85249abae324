package io.sigma.dataplane.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.netty.util.concurrent.DefaultPromise;
import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestTls;
import io.sigma.dataplane.testkit.Wire;
import io.sigma.model.CorsPlugin;
import io.sigma.model.GzipPlugin;
import io.sigma.model.HeaderEdits;
import io.sigma.model.Plugins;
import io.sigma.model.ProxyPass;
import io.sigma.model.ServerTls;
import io.sigma.model.StaticFiles;
import io.sigma.snapshot.ResourceType;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Files as what a proxy pass does. */
final class StaticFilesTest extends EngineContract {

    private static final String DIGITS = "0123456789";
    private static final int LARGE_BYTES = 20_000_000;

    private Path root = Path.of("");

    @BeforeEach
    void files() throws Exception {
        root = Files.createDirectories(folder.resolve("www"));
        Path digits = Files.writeString(root.resolve("digits.txt"), DIGITS);
        Files.setLastModifiedTime(digits, FileTime.from(Instant.now().minusSeconds(60)));
        Files.writeString(root.resolve("home.html"), "<p>home</p>");
        Files.writeString(folder.resolve("secret.txt"), "secret");
        Files.createSymbolicLink(root.resolve("link.txt"), folder.resolve("secret.txt"));
    }

    private void serve(StaticFiles.Builder files) throws Exception {
        gateway().apply(serving(files));
    }

    private Config serving(StaticFiles.Builder files) {
        return new Config()
                .server("web", port())
                .router("all", "web")
                .route("site", "all", "/site/*", "pass")
                .pass(ProxyPass.builder()
                        .id("pass")
                        .stripPrefix("/site")
                        .staticFiles(files.rootPath(root.toString()).build())
                        .responseHeaders(
                                HeaderEdits.builder().set(Map.of("x-site", "1")).build())
                        .build());
    }

    private byte[] writeLarge() throws IOException {
        byte[] content = new byte[LARGE_BYTES];
        for (int i = 0; i < content.length; i++) {
            content[i] = (byte) ((i * 31) >> 8);
        }
        Files.write(root.resolve("large.bin"), content);
        return content;
    }

    private RawClient.Answer get(String target, String fields) throws Exception {
        return exchange("GET " + target + " HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n");
    }

    @Test
    void aFileIsServedBelowThePrefixWithTheFieldsOfThePass() throws Exception {
        serve(StaticFiles.builder().index("home.html").cacheControl("public, max-age=60"));
        RawClient.Answer answer = get("/site/digits.txt", "");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text()).isEqualTo(DIGITS);
        assertThat(answer.field("accept-ranges")).isEqualTo("bytes");
        assertThat(answer.field("cache-control")).isEqualTo("public, max-age=60");
        assertThat(answer.field("x-site")).isEqualTo("1");
        assertThat(get("/site/", "").text()).isEqualTo("<p>home</p>");
        assertThat(get("/site/digits.txt", "If-None-Match: " + answer.field("etag") + "\r\n")
                        .status())
                .isEqualTo(304);
    }

    @Test
    void folderThatItsPrefixNamesHasASlash() throws Exception {
        serve(StaticFiles.builder().index("home.html"));
        RawClient.Answer answer = get("/site?a=b", "");
        assertThat(answer.status()).isEqualTo(308);
        assertThat(answer.field("location")).isEqualTo("/site/?a=b");
        assertThat(get("/site/", "").text()).isEqualTo("<p>home</p>");
    }

    @Test
    void onlyGetAndHeadAreAllowed() throws Exception {
        serve(StaticFiles.builder());
        RawClient.Answer answer = exchange("POST /site/digits.txt HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx");
        assertThat(answer.status()).isEqualTo(405);
        assertThat(answer.field("allow")).isEqualTo("GET, HEAD");
        RawClient.Answer head = exchange("HEAD /site/digits.txt HTTP/1.1\r\nHost: a\r\n\r\n");
        assertThat(head.field("content-length")).isEqualTo("10");
    }

    @ParameterizedTest
    @CsvSource({
        "bytes=0-3, 0123, bytes 0-3/10",
        "bytes=7-, 789, bytes 7-9/10",
        "bytes=-2, 89, bytes 8-9/10",
        "bytes=-99, 0123456789, bytes 0-9/10",
        "bytes=8-99, 89, bytes 8-9/10",
        "Bytes=9-9, 9, bytes 9-9/10",
        // Empty elements of a list count for nothing (RFC 9110 §5.6.1.2).
        "'bytes=,0-3 ,, ', 0123, bytes 0-3/10",
    })
    void oneRangeIsAnsweredWithItsPart(String range, String body, String contentRange) throws Exception {
        serve(StaticFiles.builder());
        RawClient.Answer answer = get("/site/digits.txt", "Range: " + range + "\r\n");
        assertThat(answer.status()).isEqualTo(206);
        assertThat(answer.text()).isEqualTo(body);
        assertThat(answer.field("content-range")).isEqualTo(contentRange);
    }

    @ParameterizedTest
    @ValueSource(strings = {"bytes=3-1", "bytes=a-b", "lines=1-2", "bytes=1", "bytes=0-1, 4-5", "bytes=--1", "bytes=-"})
    void aRangeThatIsNoneOrManyIsAnsweredWithTheWhole(String range) throws Exception {
        serve(StaticFiles.builder());
        RawClient.Answer answer = get("/site/digits.txt", "Range: " + range + "\r\n");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text()).isEqualTo(DIGITS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"bytes=10-", "bytes=99-100", "bytes=-0"})
    void aRangeBeyondTheEndCannotBeSatisfied(String range) throws Exception {
        serve(StaticFiles.builder());
        RawClient.Answer answer = get("/site/digits.txt", "Range: " + range + "\r\n");
        assertThat(answer.status()).isEqualTo(416);
        assertThat(answer.field("content-range")).isEqualTo("bytes */10");
    }

    /** RFC 9110 §14.1.2: the last bytes of a file that has fewer are all of it. */
    @ParameterizedTest
    @CsvSource({"bytes=-5, 200", "bytes=-0, 416", "bytes=0-, 416"})
    void emptyFileHasLastBytesAlone(String range, int status) throws Exception {
        Files.createFile(root.resolve("empty.txt"));
        serve(StaticFiles.builder());
        RawClient.Answer answer = get("/site/empty.txt", "Range: " + range + "\r\n");
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.field("content-length")).isEqualTo("0");
    }

    /** RFC 9110 §14.1.2. */
    @ParameterizedTest
    @CsvSource({
        "bytes=0-9223372036854775807, 206, 0123456789",
        "bytes=2-99999999999999999999999999999999, 206, 23456789",
        "bytes=-99999999999999999999999999999999, 206, 0123456789",
        "bytes=00000000000000000000000000000008-00000000000000000000000000000009, 206, 89",
        "bytes=99999999999999999999999999999999-, 416, ''",
        "bytes=9223372036854775808-18446744073709551616, 416, ''",
    })
    void numberOfARangeMayBeLargerThanAnyFile(String range, int status, String body) throws Exception {
        serve(StaticFiles.builder());
        RawClient.Answer answer = get("/site/digits.txt", "Range: " + range + "\r\n");
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.text()).isEqualTo(body);
    }

    @Test
    void rangeOfHeadIsIgnored() throws Exception {
        serve(StaticFiles.builder());
        RawClient.Answer answer = exchange("HEAD /site/digits.txt HTTP/1.1\r\nHost: a\r\nRange: bytes=2-3\r\n\r\n");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.field("content-length")).isEqualTo("10");
        assertThat(answer.field("content-range")).isNull();
    }

    @Test
    void ifRangeWithoutARangeMeansNothing() throws Exception {
        serve(StaticFiles.builder());
        assertThat(get("/site/digits.txt", "If-Range: \"other\"\r\n").text()).isEqualTo(DIGITS);
        RawClient.Answer posted = exchange("POST /site/digits.txt HTTP/1.1\r\nHost: a\r\nIf-Range: \"other\"\r\n\r\n");
        assertThat(posted.status()).isEqualTo(405);
    }

    /** RFC 9110 §15.3.7, §15.4.5. */
    @Test
    void partHasTheFieldsOfTheWhole() throws Exception {
        gateway()
                .apply(serving(StaticFiles.builder().cacheControl("public, max-age=60"))
                        .with(
                                ResourceType.ROUTE,
                                "site",
                                route -> route.toBuilder()
                                        .plugins(Plugins.builder()
                                                .cors(CorsPlugin.builder()
                                                        .allowOrigins(List.of("https://a.example"))
                                                        .build())
                                                .gzip(GzipPlugin.builder()
                                                        .minBytes(0)
                                                        .build())
                                                .build())
                                        .build()));
        RawClient.Answer whole = get("/site/digits.txt", "Accept-Encoding: gzip\r\n");
        RawClient.Answer part = get("/site/digits.txt", "Accept-Encoding: gzip\r\nRange: bytes=2-3\r\n");
        RawClient.Answer unchanged = get("/site/digits.txt", "If-None-Match: " + whole.field("etag") + "\r\n");
        assertThat(part.status()).isEqualTo(206);
        assertThat(part.text()).isEqualTo("23");
        assertThat(unchanged.status()).isEqualTo(304);
        for (String name : List.of("etag", "cache-control", "last-modified", "accept-ranges", "x-site")) {
            assertThat(whole.all(name)).as(name).hasSize(1);
            assertThat(part.all(name)).as(name).isEqualTo(whole.all(name));
            assertThat(unchanged.all(name)).as(name).isEqualTo(whole.all(name));
        }
        assertThat(part.all("content-type")).isEqualTo(whole.all("content-type"));
        assertThat(part.field("date")).isNotNull();
        assertThat(unchanged.field("date")).isNotNull();
        assertThat(whole.all("vary")).contains("Origin");
        assertThat(part.all("vary")).containsAll(whole.all("vary"));
        assertThat(unchanged.all("vary")).containsAll(whole.all("vary"));
    }

    @Test
    void aRangeOfAnotherVersionIsAnsweredWithTheWhole() throws Exception {
        serve(StaticFiles.builder());
        RawClient.Answer whole = get("/site/digits.txt", "");
        String tag = Objects.requireNonNull(whole.field("etag"));
        String date = whole.field("last-modified");
        String range = "Range: bytes=0-3\r\nIf-Range: ";
        assertThat(get("/site/digits.txt", range + tag + "\r\n").status()).isEqualTo(206);
        assertThat(get("/site/digits.txt", range + date + "\r\n").status()).isEqualTo(206);
        assertThat(get("/site/digits.txt", range + "\"other\"\r\n").text()).isEqualTo(DIGITS);
        assertThat(get("/site/digits.txt", range + "W/" + tag + "\r\n").text()).isEqualTo(DIGITS);
    }

    /** What changes within a second may change once more without another time of change (RFC 9110 §8.8.3). */
    @Test
    void tagOfAFileThatHasJustChangedIsWeak() throws Exception {
        serve(StaticFiles.builder());
        Path file = root.resolve("digits.txt");
        Files.setLastModifiedTime(file, FileTime.from(Instant.now()));
        String weak = Objects.requireNonNull(get("/site/digits.txt", "").field("etag"));
        assertThat(weak).startsWith("W/\"");
        GatewayHarness.eventually(() -> !weak.equals(tagOf("/site/digits.txt")));
        assertThat(tagOf("/site/digits.txt")).startsWith("\"");
        // It says nothing of what the file is by now.
        assertThat(get("/site/digits.txt", "If-None-Match: " + weak + "\r\n").status())
                .isEqualTo(200);
    }

    private String tagOf(String target) {
        try {
            return String.valueOf(get(target, "").field("etag"));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** Of a clock that is ahead, or of a restored archive (RFC 9110 §8.8.2.1). */
    @Test
    void changeIsNeverLaterThanTheAnswer() throws Exception {
        serve(StaticFiles.builder());
        Files.setLastModifiedTime(
                root.resolve("digits.txt"), FileTime.from(Instant.now().plusSeconds(86_400)));
        RawClient.Answer answer = get("/site/digits.txt", "");
        assertThat(answer.field("etag")).startsWith("W/\"");
        assertThat(time(answer.field("last-modified"))).isBeforeOrEqualTo(time(answer.field("date")));
        assertThat(get("/site/digits.txt", "If-Modified-Since: " + answer.field("last-modified") + "\r\n")
                        .status())
                .isEqualTo(200);
    }

    private static Instant time(@Nullable String date) {
        return DateTimeFormatter.RFC_1123_DATE_TIME.parse(Objects.requireNonNull(date), Instant::from);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/site/link.txt",
                "/site/%2e%2e/secret.txt",
                "/site/..;/secret.txt",
                "/site/..%2fsecret.txt",
                "/site/no.txt"
            })
    void whatIsNotBelowTheFolderDoesNotExist(String target) throws Exception {
        serve(StaticFiles.builder());
        assertThat(get(target, "").status()).isEqualTo(404);
    }

    @Test
    void theFallbackIsServedWhereNothingIsFound() throws Exception {
        serve(StaticFiles.builder().fallback("home.html"));
        assertThat(get("/site/some/page", "").text()).isEqualTo("<p>home</p>");
        assertThat(get("/site/digits.txt", "").text()).isEqualTo(DIGITS);
    }

    @Test
    void aLargeFileArrivesWhole() throws Exception {
        byte[] content = writeLarge();
        serve(StaticFiles.builder());
        try (RawClient client = RawClient.connect(port())) {
            client.send("GET /site/large.bin HTTP/1.1\r\nHost: a\r\nRange: bytes=5-\r\n\r\n");
            String line = Wire.readLine(client.in());
            assertThat(line).startsWith("HTTP/1.1 206 ");
            Wire.readFields(client.in());
            InputStream in = client.in();
            assertThat(in.readNBytes(LARGE_BYTES - 5)).isEqualTo(Arrays.copyOfRange(content, 5, LARGE_BYTES));
        }
    }

    /** Where the kernel cannot send it by itself. */
    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void aLargeFileArrivesWholeWhereItIsEncrypted(HttpClient.Version version) throws Exception {
        byte[] content = writeLarge();
        TestTls tls = TestTls.create("gateway");
        gateway()
                .apply(serving(StaticFiles.builder())
                        .certificate(tls.resource("own"))
                        .encrypted("web", ServerTls.builder().build()));
        try (HttpClient client = HttpClient.newBuilder()
                .sslContext(tls.context())
                .version(version)
                .build()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("https://localhost:" + port() + "/site/large.bin"))
                    .header("Range", "bytes=5-")
                    .timeout(Duration.ofSeconds(20))
                    .build();
            HttpResponse<byte[]> answer = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
            assertThat(answer.version()).isEqualTo(version);
            assertThat(answer.statusCode()).isEqualTo(206);
            assertThat(answer.body()).isEqualTo(Arrays.copyOfRange(content, 5, LARGE_BYTES));
        }
    }

    /** The failed write is told after the socket was closed, on any transport. */
    @Test
    void aClientThatResetsDuringAFileLeavesNoExceptionThatNobodyCaught() throws Exception {
        writeLarge();
        serve(StaticFiles.builder());
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        Logger logger = (Logger) LoggerFactory.getLogger(DefaultPromise.class);
        log.start();
        logger.addAppender(log);
        try {
            for (int i = 0; i < 8; i++) {
                try (RawClient client = RawClient.connect(port())) {
                    client.send("GET /site/large.bin HTTP/1.1\r\nHost: a\r\n\r\n");
                    assertThat(client.socket().getInputStream().readNBytes(1_000))
                            .hasSize(1_000);
                    client.socket().setSoLinger(true, 0);
                }
                assertThat(get("/site/digits.txt", "").status()).isEqualTo(200);
            }
        } finally {
            logger.detachAppender(log);
        }
        assertThat(log.list).isEmpty();
    }
}
