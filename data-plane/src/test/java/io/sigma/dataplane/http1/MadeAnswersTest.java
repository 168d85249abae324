package io.sigma.dataplane.http1;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.PipelineContract;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.RawHttp2;
import io.sigma.model.BasicAuthPlugin;
import io.sigma.model.FaultAbort;
import io.sigma.model.FaultInjectionPlugin;
import io.sigma.model.FixedResponse;
import io.sigma.model.GzipPlugin;
import io.sigma.model.HeaderEdits;
import io.sigma.model.MockResponsePlugin;
import io.sigma.model.Plugins;
import io.sigma.model.ProxyPass;
import io.sigma.model.Redirect;
import io.sigma.model.Route;
import io.sigma.model.StaticFiles;
import io.sigma.snapshot.ResourceType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The rules for origin servers where the gateway itself answers (RFC 9110). */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class MadeAnswersTest extends PipelineContract {

    private static final String BODY = "0123456789".repeat(500);
    private static final List<String> TARGETS = List.of(
            "/fixed", "/mock", "/away", "/files/digits.txt", "/files/sub", "/files/none", "/none", "/closed", "/post");

    private final Plugins gzip =
            Plugins.builder().gzip(GzipPlugin.builder().minBytes(0).build()).build();

    /** As if it had been there for a while: the tag of a new file changes once when it is not new any more. */
    private static void write(Path file) throws IOException {
        Files.writeString(file, BODY);
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(60)));
    }

    /** Answers everything without a node. */
    private Config made(Pipeline way) throws Exception {
        Path root = Files.createDirectories(folder.resolve("data/files/site"));
        write(root.resolve("digits.txt"));
        write(Files.createDirectories(root.resolve("sub")).resolve("index.html"));
        return through(way, "http://127.0.0.1:1")
                .without(ResourceType.ROUTE, "any")
                .with(
                        ResourceType.ROUTER,
                        "all",
                        router -> router.toBuilder().plugins(gzip).build())
                .route("fixed", "all", "/fixed", "fixed")
                .pass(ProxyPass.builder()
                        .id("fixed")
                        .fixedResponse(FixedResponse.builder().body(BODY).build())
                        .responseHeaders(HeaderEdits.builder()
                                .set(Map.of("ETag", "\"v1\""))
                                .build())
                        .build())
                .route(plugged(
                        "mock",
                        Plugins.builder()
                                .mockResponse(MockResponsePlugin.builder()
                                        .headers(Map.of("Content-Type", "text/plain"))
                                        .body(BODY)
                                        .build())))
                .route("away", "all", "/away", "away")
                .pass(ProxyPass.builder()
                        .id("away")
                        .redirect(Redirect.builder().location("/there").build())
                        .build())
                .route("files", "all", "/files/*", "files")
                .pass(ProxyPass.builder()
                        .id("files")
                        .stripPrefix("/files")
                        .staticFiles(
                                StaticFiles.builder().rootPath(root.toString()).build())
                        .build())
                .route(plugged(
                        "closed",
                        Plugins.builder().basicAuth(BasicAuthPlugin.builder().build())))
                .route(Route.builder()
                        .id("post")
                        .routerId("all")
                        .path("/post")
                        .methods(List.of("POST"))
                        .consumes(List.of("text/plain"))
                        .proxyPassId("fixed")
                        .build());
    }

    private static Route plugged(String id, Plugins.Builder plugins) {
        return Route.builder()
                .id(id)
                .routerId("all")
                .path("/" + id)
                .plugins(plugins.build())
                .proxyPassId("fixed")
                .build();
    }

    @ParameterizedTest
    @EnumSource
    void headOfAMadeAnswerIsThatOfGetWithoutContent(Pipeline way) throws Exception {
        gateway().apply(made(way));
        for (String target : TARGETS) {
            for (String accepted : List.of("identity", "gzip")) {
                RawClient.Answer get = send(way, "GET", target, "Accept-Encoding", accepted);
                RawClient.Answer head = send(way, "HEAD", target, "Accept-Encoding", accepted);
                assertThat(head.status()).as(target).isEqualTo(get.status());
                assertThat(head.body()).as(target).isEmpty();
                for (String name : List.of(
                        "content-type",
                        "content-encoding",
                        "etag",
                        "last-modified",
                        "vary",
                        "location",
                        "allow",
                        "www-authenticate",
                        "cache-control",
                        "accept-ranges")) {
                    assertThat(head.all(name)).as(target + " " + name).isEqualTo(get.all(name));
                }
                String length = head.field("content-length");
                assertThat(length == null ? get.field("content-length") : length)
                        .as(target + " " + accepted)
                        .isEqualTo(get.field("content-length"));
            }
        }
    }

    /** Nothing follows on the connection that would be taken for the next answer. */
    @Test
    void headLeavesNothingBehindIt() throws Exception {
        gateway().apply(made(Pipeline.HTTP1));
        try (RawClient client = RawClient.connect(port())) {
            for (String target : TARGETS) {
                client.send("HEAD " + target + " HTTP/1.1\r\nHost: a\r\n\r\n");
                client.read(true);
            }
            client.send("GET /mock HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(client.read().text()).isEqualTo(BODY);
        }
    }

    @ParameterizedTest
    @EnumSource
    void rangesOfMadeAnswersAreIgnored(Pipeline way) throws Exception {
        gateway().apply(made(way));
        for (String target : List.of("/fixed", "/mock")) {
            RawClient.Answer answer =
                    send(way, "GET", target, "Range", "bytes=1-2", "If-Range", "\"other\"", "Content-Range", "x");
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.text()).isEqualTo(BODY);
        }
    }

    @ParameterizedTest
    @EnumSource
    void dateConditionsOfWhatHasNoDateAreIgnored(Pipeline way) throws Exception {
        gateway().apply(made(way));
        for (String name : List.of("If-Modified-Since", "If-Unmodified-Since")) {
            assertThat(send(way, "GET", "/mock", name, "Sun, 06 Nov 1994 08:49:37 GMT")
                            .text())
                    .isEqualTo(BODY);
        }
    }

    /** RFC 9110 §13.2.1. */
    @ParameterizedTest
    @EnumSource
    void conditionsOfRedirectsAndRefusalsAreIgnored(Pipeline way) throws Exception {
        gateway().apply(made(way));
        for (String target : List.of("/away", "/files/sub", "/files/none", "/none", "/closed", "/post")) {
            int status = send(way, "GET", target).status();
            for (String[] condition : new String[][] {
                {"If-Match", "\"a\""}, {"If-None-Match", "*"}, {"If-Unmodified-Since", "Sun, 06 Nov 1994 08:49:37 GMT"}
            }) {
                assertThat(send(way, "GET", target, condition).status())
                        .as(target + " " + condition[0])
                        .isEqualTo(status);
            }
        }
        assertThat(send(way, "DELETE", "/files/digits.txt", "If-Match", "\"a\"").status())
                .isEqualTo(405);
    }

    /** RFC 9110 §10.1.1: nobody is asked for content that is not looked at. */
    @Test
    void whoWaitsToSendContentIsAnsweredAtOnce() throws Exception {
        gateway().apply(made(Pipeline.HTTP1));
        for (String target : TARGETS) {
            try (RawClient client = RawClient.connect(port())) {
                client.send(
                        "PUT " + target + " HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n");
                assertThat(client.read().status()).as(target).isGreaterThanOrEqualTo(200);
            }
            try (RawHttp2 client = RawHttp2.connect(port())) {
                client.send(
                        RawHttp2.HEADERS,
                        RawHttp2.END_HEADERS,
                        1,
                        RawHttp2.fields(
                                ":method",
                                "PUT",
                                ":scheme",
                                "http",
                                ":path",
                                target,
                                ":authority",
                                "a",
                                "expect",
                                "100-continue",
                                "content-length",
                                "5"));
                assertThat(Integer.parseInt(client.status(client.next())))
                        .as(target)
                        .isGreaterThanOrEqualTo(200);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void unsupportedMediaTypeSaysNothingOfCodings(Pipeline way) throws Exception {
        gateway().apply(made(way));
        RawClient.Answer answer = send(way, "POST", "/post", "Content-Type", "image/png");
        assertThat(answer.status()).isEqualTo(415);
        assertThat(answer.all("accept-encoding")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void statusThatNeedsAFieldHasIt(Pipeline way) throws Exception {
        for (int status : List.of(401, 405, 407)) {
            String name = status == 401 ? "www-authenticate" : status == 405 ? "allow" : "proxy-authenticate";
            for (Config config : answering(way, status, null)) {
                gateway().apply(config);
                RawClient.Answer answer = send(way, "GET", "/made");
                assertThat(answer.status()).isEqualTo(status);
                assertThat(answer.all(name)).hasSize(1);
            }
            for (Config config : answering(way, status, name).subList(0, 2)) {
                gateway().apply(config);
                assertThat(send(way, "GET", "/made").all(name)).containsExactly("Own");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void statusWithoutContentHasNone(Pipeline way) throws Exception {
        for (int status : List.of(204, 205, 304)) {
            for (Config config : answering(way, status, null).subList(0, 2)) {
                gateway().apply(config);
                RawClient.Answer answer = send(way, "GET", "/made", "Accept-Encoding", "gzip");
                assertThat(answer.status()).isEqualTo(status);
                assertThat(answer.body()).isEmpty();
                assertThat(answer.all("transfer-encoding")).isEmpty();
                assertThat(answer.all("content-length")).isEqualTo(status == 205 ? List.of("0") : List.of());
            }
        }
    }

    /** Returns the ways in which the configuration makes answers with {@code status}. */
    private List<Config> answering(Pipeline way, int status, @Nullable String own) throws Exception {
        Map<String, String> fields = own == null ? Map.of() : Map.of(own, "Own");
        Config fixed = made(way)
                .route("made", "all", "/made", "made")
                .pass(ProxyPass.builder()
                        .id("made")
                        .fixedResponse(FixedResponse.builder()
                                .status(status)
                                .body(BODY)
                                .build())
                        .responseHeaders(HeaderEdits.builder().set(fields).build())
                        .build());
        Config mock = made(way)
                .route(plugged(
                        "made",
                        Plugins.builder()
                                .mockResponse(MockResponsePlugin.builder()
                                        .status(status)
                                        .headers(fields)
                                        .body(status < 400 ? null : BODY)
                                        .build())));
        if (status < 400) {
            return List.of(fixed, mock);
        }
        return List.of(
                fixed,
                mock,
                made(way)
                        .route(plugged(
                                "made",
                                Plugins.builder()
                                        .faultInjection(FaultInjectionPlugin.builder()
                                                .abort(FaultAbort.builder()
                                                        .status(status)
                                                        .build())
                                                .build()))));
    }
}
