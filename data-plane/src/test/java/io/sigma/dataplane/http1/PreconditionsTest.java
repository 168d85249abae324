package io.sigma.dataplane.http1;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.PipelineContract;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.model.FixedResponse;
import io.sigma.model.HeaderEdits;
import io.sigma.model.MockResponsePlugin;
import io.sigma.model.Plugins;
import io.sigma.model.ProxyPass;
import io.sigma.model.StaticFiles;
import io.sigma.snapshot.ResourceType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Conditions on what the gateway itself answers with, in the order of RFC 9110 §13.2.2. */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class PreconditionsTest extends PipelineContract {

    private static final String TIME = "Sun, 06 Nov 1994 08:49:37 GMT";
    private static final String BEFORE = "Sun, 06 Nov 1994 08:49:36 GMT";
    private static final String AFTER = "Sun, 06 Nov 1994 08:49:38 GMT";

    private Config files(Pipeline way) throws Exception {
        Path root = Files.createDirectories(folder.resolve("data/files/site"));
        Path file = Files.writeString(root.resolve("digits.txt"), "0123456789");
        Files.setLastModifiedTime(file, FileTime.from(Instant.parse("1994-11-06T08:49:37Z")));
        return through(way, "http://127.0.0.1:1")
                .pass(ProxyPass.builder()
                        .id("pass")
                        .staticFiles(
                                StaticFiles.builder().rootPath(root.toString()).build())
                        .build());
    }

    private RawClient.Answer ask(Pipeline way, String method, String conditions, String tag) throws Exception {
        String[] fields = conditions
                .replace("TAG", tag)
                .replace("TIME", TIME)
                .replace("BEFORE", BEFORE)
                .replace("AFTER", AFTER)
                .split("=", -1);
        return send(way, method, "/digits.txt", fields);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "If-Match=TAG | 200",
                "If-Match=* | 200",
                "If-Match=\"a\", TAG | 200",
                "If-Match=\"a\"=If-Match=TAG | 200",
                "If-Match=\"a\" | 412",
                "If-Match=W/TAG | 412",
                "If-Match=\"a, TAG | 412",
                "If-Match=digits | 412",
                "If-Unmodified-Since=TIME | 200",
                "If-Unmodified-Since=AFTER | 200",
                "If-Unmodified-Since=BEFORE | 412",
                "If-Unmodified-Since=Sunday, 06-Nov-94 08:49:36 GMT | 412",
                "If-Unmodified-Since=Sun Nov  6 08:49:36 1994 | 412",
                "If-Unmodified-Since=Sun Nov  6 08:49:37 1994 | 200",
                "If-Unmodified-Since=yesterday | 200",
                "If-Unmodified-Since=BEFORE=If-Unmodified-Since=BEFORE | 200",
                "If-Match=TAG=If-Unmodified-Since=BEFORE | 200",
                "If-Match=\"a\"=If-None-Match=TAG | 412",
                "If-Match=TAG=If-None-Match=TAG | 304",
                "If-None-Match=TAG | 304",
                "If-None-Match=W/TAG | 304",
                "If-None-Match=* | 304",
                "If-None-Match=\"a\", W/\"b\",TAG | 304",
                "If-None-Match=\"a\"=If-None-Match=TAG | 304",
                "If-None-Match=\"xTAG\" | 200",
                "If-None-Match=\"a\"=If-Modified-Since=AFTER | 200",
                "If-Modified-Since=TIME | 304",
                "If-Modified-Since=Sunday, 06-Nov-94 08:49:37 GMT | 304",
                "If-Modified-Since=Sun Nov  6 08:49:37 1994 | 304",
                "If-Modified-Since=BEFORE | 200",
                "If-Modified-Since=soon | 200",
                "If-Modified-Since=TIME=If-Modified-Since=TIME | 200",
                "If-Unmodified-Since=TIME=If-Modified-Since=TIME | 304",
                "Range=bytes 2-=If-Match=TAG | 206",
                "Range=bytes 2-=If-Match=\"a\" | 412",
                "Range=bytes 2-=If-Unmodified-Since=BEFORE | 412",
                "Range=bytes 2-=If-None-Match=TAG | 304",
                "Range=bytes 2-=If-Range=TAG | 206",
                "Range=bytes 2-=If-Range=W/TAG | 200",
                "Range=bytes 2-=If-Range=\"a\" | 200",
                "Range=bytes 2-=If-Range=TIME | 206",
                "Range=bytes 2-=If-Range=AFTER | 200",
                "Range=bytes 99-=If-Range=\"a\" | 200",
                "Range=bytes 99-=If-Match=\"a\" | 412",
                "Range=bytes 99-=If-Match=TAG | 416",
            })
    void conditionsOfFilesAreEvaluatedInTheirOrder(String conditions, int status) throws Exception {
        gateway().apply(files(Pipeline.HTTP1));
        String tag = send(Pipeline.HTTP1, "GET", "/digits.txt").field("etag");
        // The mark between names and values is another one where a value has it.
        String[] parts = conditions.replace("bytes ", "bytes\u0000").split("=", -1);
        for (int i = 0; i < parts.length; i++) {
            parts[i] = parts[i].replace('\u0000', '=')
                    .replace("TAG", parts[i].contains("\"xTAG\"") ? "x" : tag)
                    .replace("TIME", TIME)
                    .replace("BEFORE", BEFORE)
                    .replace("AFTER", AFTER);
        }
        RawClient.Answer answer = send(Pipeline.HTTP1, "GET", "/digits.txt", parts);
        assertThat(answer.status()).isEqualTo(status);
        if (status == 200 || status == 206) {
            assertThat(answer.text()).isEqualTo(status == 200 ? "0123456789" : "23456789");
        }
    }

    @ParameterizedTest
    @EnumSource
    void resumedDownloadIsNotSpliced(Pipeline way) throws Exception {
        gateway().apply(files(way));
        String tag = String.valueOf(send(way, "GET", "/digits.txt").field("etag"));
        assertThat(send(way, "GET", "/digits.txt", "Range", "bytes=2-", "If-Match", tag)
                        .status())
                .isEqualTo(206);
        Path file = folder.resolve("data/files/site/digits.txt");
        Files.writeString(file, "abcdefghij");
        for (String method : new String[] {"GET", "HEAD"}) {
            assertThat(send(way, method, "/digits.txt", "Range", "bytes=2-", "If-Match", tag)
                            .status())
                    .isEqualTo(412);
            assertThat(send(way, method, "/digits.txt", "If-Unmodified-Since", TIME)
                            .status())
                    .isEqualTo(412);
        }
        RawClient.Answer whole = send(way, "GET", "/digits.txt", "Range", "bytes=2-", "If-Range", tag);
        assertThat(whole.status()).isEqualTo(200);
        assertThat(whole.text()).isEqualTo("abcdefghij");
        assertThat(ask(way, "HEAD", "If-None-Match=*", tag).status()).isEqualTo(304);
    }

    @ParameterizedTest
    @EnumSource
    void madeAnswersHaveConditionsToo(Pipeline way) throws Exception {
        Config config = through(way, "http://127.0.0.1:1");
        gateway()
                .apply(config.copy()
                        .pass(ProxyPass.builder()
                                .id("pass")
                                .fixedResponse(FixedResponse.builder()
                                        .body("hi")
                                        .contentType("text/plain")
                                        .build())
                                .responseHeaders(HeaderEdits.builder()
                                        .set(Map.of(
                                                "ETag", "\"v1\"", "Last-Modified", TIME, "Cache-Control", "max-age=1"))
                                        .build())
                                .build()));
        assertMade(way);
        gateway()
                .apply(config.with(
                        ResourceType.ROUTE,
                        "any",
                        route -> route.toBuilder()
                                .plugins(Plugins.builder()
                                        .mockResponse(MockResponsePlugin.builder()
                                                .body("hi")
                                                .headers(Map.of(
                                                        "ETag",
                                                        "\"v1\"",
                                                        "Last-Modified",
                                                        TIME,
                                                        "Cache-Control",
                                                        "max-age=1"))
                                                .build())
                                        .build())
                                .build()));
        assertMade(way);
    }

    private void assertMade(Pipeline way) throws Exception {
        RawClient.Answer fresh = send(way, "GET", "/", "If-None-Match", "W/\"v1\"");
        assertThat(fresh.status()).isEqualTo(304);
        assertThat(fresh.field("etag")).isEqualTo("\"v1\"");
        assertThat(fresh.field("cache-control")).isEqualTo("max-age=1");
        assertThat(fresh.field("date")).isNotNull();
        assertThat(fresh.field("content-type")).isNull();
        assertThat(send(way, "GET", "/", "If-None-Match", "\"v2\"").text()).isEqualTo("hi");
        assertThat(send(way, "HEAD", "/", "If-Modified-Since", TIME).status()).isEqualTo(304);
        assertThat(send(way, "GET", "/", "If-Match", "\"v2\"").status()).isEqualTo(412);
        assertThat(send(way, "GET", "/", "If-Match", "\"v1\"").text()).isEqualTo("hi");
        assertThat(send(way, "GET", "/", "If-Unmodified-Since", BEFORE).status())
                .isEqualTo(412);
        assertThat(send(way, "DELETE", "/", "If-None-Match", "*").status()).isEqualTo(412);
        assertThat(send(way, "DELETE", "/", "If-Modified-Since", TIME).text()).isEqualTo("hi");
        assertThat(send(way, "OPTIONS", "/", "If-Match", "\"v2\"").text()).isEqualTo("hi");
    }

    /**
     * What would not be answered with 2xx has no conditions (RFC 9110 §13.2.1); those of requests that go to nodes are
     * theirs.
     */
    @Test
    void otherAnswersHaveNone() throws Exception {
        gateway().apply(files(Pipeline.HTTP1));
        assertThat(send(Pipeline.HTTP1, "GET", "/absent", "If-Match", "\"a\"").status())
                .isEqualTo(404);
        assertThat(send(Pipeline.HTTP1, "GET", "/absent", "If-None-Match", "*").status())
                .isEqualTo(404);
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(forwarding(node.url()));
            assertThat(send(Pipeline.HTTP1, "GET", "/", "If-Match", "\"a\"").status())
                    .isEqualTo(200);
            assertThat(node.last().field("if-match")).isEqualTo("\"a\"");
        }
    }
}
