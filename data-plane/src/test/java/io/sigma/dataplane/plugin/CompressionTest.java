package io.sigma.dataplane.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import com.aayushatharva.brotli4j.Brotli4jLoader;
import com.aayushatharva.brotli4j.decoder.BrotliInputStream;
import com.github.luben.zstd.ZstdInputStream;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.PluginContract;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.Wire;
import io.sigma.model.BrotliPlugin;
import io.sigma.model.GzipPlugin;
import io.sigma.model.Plugins;
import io.sigma.model.ZstdPlugin;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CompressionTest extends PluginContract {

    private static final String TEXT = "compress me ".repeat(1000);

    private static Plugins.Builder all() {
        return Plugins.builder()
                .gzip(GzipPlugin.builder().build())
                .brotli(BrotliPlugin.builder().build())
                .zstd(ZstdPlugin.builder().build());
    }

    private static String decoded(RawClient.Answer answer) throws Exception {
        ByteArrayInputStream body = new ByteArrayInputStream(answer.body());
        String coding = String.valueOf(answer.field("content-encoding"));
        Brotli4jLoader.ensureAvailability();
        try (InputStream in = switch (coding) {
            case "gzip" -> new GZIPInputStream(body);
            case "br" -> new BrotliInputStream(body);
            case "zstd" -> new ZstdInputStream(body);
            default -> body;
        }) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    gzip                       | gzip
                    br                         | br
                    zstd                       | zstd
                    gzip, deflate, br, zstd    | zstd
                    gzip;q=1.0, br;q=0.5       | gzip
                    gzip;q=0, br               | br
                    *                          | zstd
                    *;q=0.1, gzip;q=0.2        | gzip
                    GZIP                       | gzip
                    deflate                    |
                    gzip;q=0                   |
                    x-gzip                     | gzip
                    X-GZIP;q=0, *              | zstd
                    gzip;level=1;q=0           |
                    identity                   |
                    gzip;q=nonsense            |
                    gzip;q=1.5                 |
                    br;q=0.001                 | br
                    gzip ; q=0.5 , br ; q=0.4  | gzip
                    *;q=0                      |
                    *;q=0, gzip                | gzip
                    identity;q=0               |
                    identity;q=0, gzip;q=0.1   | gzip
                    identity;q=0, *;q=0.5      | zstd
                    gzip;q=0.5, identity       |
                    gzip;q=0.5, *              | zstd
                    identity;q=0.4, gzip;q=0.5 | gzip
                    identity;q=0.9, *;q=0.5    |
                    """)
    void clientGetsTheCodingThatItLikesBest(String accepted, String coding) throws Exception {
        try (TestNode node = TestNode.named(TEXT)) {
            gateway().apply(withPlugins(node.url(), all()));
            RawClient.Answer answer = send("GET", "/", "Accept-Encoding: " + accepted + "\r\n");
            assertThat(answer.field("content-encoding")).isEqualTo(coding);
            assertThat(decoded(answer)).isEqualTo(TEXT);
            assertThat(answer.all("vary")).containsExactly("Accept-Encoding");
            assertThat(answer.body().length < TEXT.length()).isEqualTo(coding != null);
        }
    }

    @Test
    void codingsMayComeInSeveralFieldsOrNotAtAll() throws Exception {
        try (TestNode node = TestNode.named(TEXT)) {
            gateway().apply(withPlugins(node.url(), all()));
            assertThat(send("GET", "/", "Accept-Encoding: gzip;q=0.5\r\nAccept-Encoding: br\r\n")
                            .field("content-encoding"))
                    .isEqualTo("br");
            for (String fields : List.of("", "Accept-Encoding:\r\n")) {
                RawClient.Answer answer = send("GET", "/", fields);
                assertThat(answer.field("content-encoding")).isNull();
                assertThat(answer.text()).isEqualTo(TEXT);
                // A cache must not hand this to those who take a coding.
                assertThat(answer.all("vary")).containsExactly("Accept-Encoding");
            }
        }
    }

    @Test
    void whatTheNodeSaysOfVaryAndOfTagsIsKept() throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> connection.send(
                "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nVary: Origin, accept-encoding\r\nETag: W/\"a\"\r\n"
                        + "Content-Length: " + TEXT.length() + "\r\n\r\n" + TEXT))) {
            gateway().apply(withPlugins(node.url(), all()));
            RawClient.Answer answer = send("GET", "/", "Accept-Encoding: gzip\r\n");
            assertThat(decoded(answer)).isEqualTo(TEXT);
            assertThat(answer.all("vary")).containsExactly("Origin, accept-encoding");
            assertThat(answer.field("etag")).isEqualTo("W/\"a\"");
        }
    }

    @Test
    void whatMustNotBeCompressedIsLeftAlone() throws Exception {
        String body = "\r\nContent-Length: " + TEXT.length() + "\r\n\r\n" + TEXT;
        try (TestNode node = TestNode.start((request, connection) -> {
            switch (request.target()) {
                case "/encoded" ->
                    connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: x" + body);
                case "/fixed" ->
                    connection.send(
                            "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nCache-Control: no-transform" + body);
                case "/image" -> connection.send("HTTP/1.1 200 OK\r\nContent-Type: image/png" + body);
                case "/part" ->
                    connection.send(
                            "HTTP/1.1 206 Partial Content\r\nContent-Type: text/plain\r\nContent-Range: bytes 0-1/9"
                                    + body);
                case "/empty" -> connection.send("HTTP/1.1 204 No Content\r\nContent-Type: text/plain\r\n\r\n");
                case "/short" -> connection.ok("short");
                default -> connection.send("HTTP/1.1 200 OK\r\n" + body.substring(2));
            }
        })) {
            gateway().apply(withPlugins(node.url(), all()));
            for (String target : List.of("/fixed", "/image", "/part", "/untyped")) {
                RawClient.Answer answer = send("GET", target, "Accept-Encoding: gzip\r\n");
                assertThat(answer.field("content-encoding")).as(target).isNull();
                assertThat(answer.text()).as(target).isEqualTo(TEXT);
            }
            // As the whole has it (RFC 9110 §15.3.7).
            assertThat(send("GET", "/part", "").all("vary")).containsExactly("Accept-Encoding");
            assertThat(send("GET", "/encoded", "Accept-Encoding: gzip\r\n").field("content-encoding"))
                    .isEqualTo("x");
            assertThat(send("GET", "/short", "Accept-Encoding: gzip\r\n").text())
                    .isEqualTo("short");
            assertThat(send("GET", "/empty", "Accept-Encoding: gzip\r\n").status())
                    .isEqualTo(204);
        }
    }

    @Test
    void strongTagBecomesWeakForHeadToo() throws Exception {
        try (TestNode node = TestNode.start((request, connection) ->
                connection.send("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nETag: \"a\"\r\nContent-Length: "
                        + TEXT.length() + "\r\n\r\n" + (request.method().equals("HEAD") ? "" : TEXT)))) {
            gateway().apply(withPlugins(node.url(), all()));
            assertThat(send("GET", "/", "Accept-Encoding: br\r\n").field("etag"))
                    .isEqualTo("W/\"a\"");
            RawClient.Answer head = send("HEAD", "/", "Accept-Encoding: br\r\n");
            assertThat(head.field("content-length")).isNull();
            assertThat(head.field("content-encoding")).isEqualTo("br");
            assertThat(head.field("etag")).isEqualTo("W/\"a\"");
            assertThat(head.all("vary")).containsExactly("Accept-Encoding");
        }
    }

    @Test
    void digestsOfTheContentAsItWasDoNotLeave() throws Exception {
        try (TestNode node = TestNode.start((request, connection) ->
                connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Digest: sha-256=:YQ==:\r\n"
                        + "Repr-Digest: sha-256=:YQ==:\r\nDigest: sha-256=YQ==\r\nContent-MD5: YQ==\r\n"
                        + "Content-Length: " + TEXT.length() + "\r\n\r\n" + TEXT))) {
            gateway().apply(withPlugins(node.url(), all()));
            List<String> names = List.of("content-digest", "repr-digest", "digest", "content-md5");
            RawClient.Answer coded = send("GET", "/", "Accept-Encoding: gzip\r\n");
            assertThat(decoded(coded)).isEqualTo(TEXT);
            assertThat(names).allMatch(name -> coded.field(name) == null);
            RawClient.Answer whole = send("GET", "/", "");
            assertThat(whole.text()).isEqualTo(TEXT);
            assertThat(names).noneMatch(name -> whole.field(name) == null);
        }
    }

    @Test
    void digestsInTrailersDoNotLeaveEither() throws Exception {
        String chunk = Integer.toHexString(TEXT.length()) + "\r\n" + TEXT + "\r\n0\r\n";
        try (TestNode node = TestNode.start((request, connection) ->
                connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + chunk + "Content-Digest: sha-256=:YQ==:\r\nRepr-Digest: sha-256=:YQ==:\r\nX-Sum: 3\r\n"
                        + "Digest: sha-256=YQ==\r\nContent-MD5: YQ==\r\nETag: \"a\"\r\n\r\n"))) {
            gateway().apply(withPlugins(node.url(), all()));
            assertThat(trailers("Accept-Encoding: gzip\r\n")).containsExactly("X-Sum: 3");
            assertThat(trailers("")).hasSize(6);
        }
    }

    /** Returns the lines behind the last chunk of a response. */
    private List<String> trailers(String fields) throws Exception {
        try (RawClient client = RawClient.connect(port())) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n" + fields + "Connection: close\r\n\r\n");
            String all = new String(client.in().readAllBytes(), StandardCharsets.ISO_8859_1);
            return all.substring(all.lastIndexOf("\r\n0\r\n") + 5)
                    .strip()
                    .lines()
                    .toList();
        }
    }

    @Test
    void clientThatAsksForNoTransformingGetsTheBodyAsItIs() throws Exception {
        try (TestNode node = TestNode.named(TEXT)) {
            gateway().apply(withPlugins(node.url(), all()));
            for (String method : List.of("GET", "HEAD")) {
                RawClient.Answer answer = send(
                        method,
                        "/",
                        "Accept-Encoding: gzip\r\nCache-Control: max-age=0\r\nCache-Control: No-Transform\r\n");
                assertThat(answer.field("content-encoding")).isNull();
                // Others get it compressed.
                assertThat(answer.all("vary")).containsExactly("Accept-Encoding");
                assertThat(answer.text()).isEqualTo(method.equals("GET") ? TEXT : "");
            }
        }
    }

    @Test
    void contentThatIsEmptyStaysSoWhateverTheLeastLengthIs() throws Exception {
        GzipPlugin gzip = GzipPlugin.builder().minBytes(0).build();
        try (TestNode node = TestNode.start((request, connection) ->
                connection.send("HTTP/1.1 " + request.target().substring(1) + " x\r\nContent-Type: text/plain\r\n"
                        + "Content-Length: 0\r\n\r\n"))) {
            gateway().apply(withPlugins(node.url(), Plugins.builder().gzip(gzip)));
            for (String status : List.of("200", "205", "404")) {
                RawClient.Answer answer = send("GET", "/" + status, "Accept-Encoding: gzip\r\n");
                assertThat(answer.field("content-encoding")).as(status).isNull();
                assertThat(answer.field("content-length")).as(status).isEqualTo("0");
                assertThat(answer.body()).as(status).isEmpty();
            }
        }
    }

    @Test
    void eventsArriveWhileTheStreamIsOpen() throws Exception {
        CountDownLatch received = new CountDownLatch(1);
        try (TestNode node = TestNode.start((request, connection) -> {
            connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n");
            connection.send("9\r\ndata: 1\n\n\r\n");
            if (!received.await(30, TimeUnit.SECONDS)) {
                throw new AssertionError("the first event never arrived");
            }
            connection.send("9\r\ndata: 2\n\n\r\n0\r\n\r\n");
        })) {
            gateway().apply(withPlugins(node.url(), all()));

            try (RawClient client = RawClient.connect(port())) {
                client.send("GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n");
                while (!String.valueOf(Wire.readLine(client.in())).isEmpty()) {
                    // The head is skipped: this test is about when the body arrives.
                }
                int length = Integer.parseInt(String.valueOf(Wire.readLine(client.in())), 16);
                byte[] piece = client.in().readNBytes(length);
                GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(piece));
                assertThat(new String(in.readNBytes(9), StandardCharsets.UTF_8)).isEqualTo("data: 1\n\n");
                received.countDown();
            }
        }
    }

    @Test
    void answersOfTheGatewayAreCompressedToo() throws Exception {
        try (TestNode node = TestNode.named(TEXT)) {
            gateway()
                    .apply(withPlugins(
                            node.url(),
                            all().mockResponse(io.sigma.model.MockResponsePlugin.builder()
                                    .headers(java.util.Map.of("Content-Type", "text/plain"))
                                    .body(TEXT)
                                    .build())));
            RawClient.Answer answer = send("GET", "/", "Accept-Encoding: zstd\r\n");
            assertThat(decoded(answer)).isEqualTo(TEXT);
            assertThat(answer.field("content-length")).isEqualTo(String.valueOf(answer.body().length));
        }
    }

    @ParameterizedTest
    @CsvSource({"br, 9, 10", "br, 9, 11", "zstd, 12, 13", "zstd, 12, 19"})
    void levelOfAnOlderConfigurationThatStopsTheLoopIsTheHighestOfToday(String coding, int highest, int older)
            throws Exception {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 20_000; i++) {
            text.append(Integer.toString(i * 7919 % 10_007, 36)).append(i % 11 == 0 ? '\n' : ' ');
        }
        try (TestNode node = TestNode.named(text.toString())) {
            List<byte[]> bodies = new ArrayList<>();
            for (int level : new int[] {highest, older}) {
                gateway()
                        .apply(withPlugins(
                                node.url(),
                                Plugins.builder()
                                        .brotli(BrotliPlugin.builder()
                                                .quality(level)
                                                .build())
                                        .zstd(ZstdPlugin.builder().level(level).build())));
                RawClient.Answer answer = send("GET", "/", "Accept-Encoding: " + coding + "\r\n");
                assertThat(answer.field("content-encoding")).isEqualTo(coding);
                assertThat(decoded(answer)).isEqualTo(text.toString());
                bodies.add(answer.body());
            }
            assertThat(bodies.getLast()).isEqualTo(bodies.getFirst());
        }
    }

    @Test
    void responsesGoAsTheyAreWhileCompressorsHoldAllTheMemoryThatTheyMay() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        Plugins.Builder costly =
                Plugins.builder().zstd(ZstdPlugin.builder().level(12).build());
        try (TestNode node = TestNode.start((request, connection) -> {
            connection.send(
                    "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n");
            if (request.target().startsWith("/held")) {
                end.await();
            }
            connection.send("0\r\n\r\n");
        })) {
            gateway().apply(withPlugins(node.url(), costly));
            long each = 64L << 20;
            long fit = Math.max(64L << 20, Runtime.getRuntime().maxMemory() / 4) / each;
            List<RawClient> clients = new ArrayList<>();
            for (int i = 0; i < fit; i++) {
                clients.add(RawClient.connect(port()));
                clients.getLast().send("GET /held HTTP/1.1\r\nHost: shop.example.com\r\nAccept-Encoding: zstd\r\n\r\n");
            }
            GatewayHarness.eventually(() -> gateway().metric("sigma_coding_bytes") == fit * each);
            RawClient.Answer answer = send("GET", "/", "Accept-Encoding: zstd\r\n");
            assertThat(answer.field("content-encoding")).isNull();
            assertThat(answer.text()).isEqualTo("x");
            assertThat(answer.all("vary")).containsExactly("Accept-Encoding");
            for (RawClient client : clients) {
                client.close();
            }
            end.countDown();
            GatewayHarness.eventually(() -> gateway().metric("sigma_coding_bytes") == 0);
            assertThat(send("GET", "/", fit > 0 ? "Accept-Encoding: zstd\r\n" : "")
                            .field("content-encoding"))
                    .isEqualTo(fit > 0 ? "zstd" : null);
        }
    }
}
