package io.sigma.dataplane.http1;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.FrameNode;
import io.sigma.dataplane.testkit.PipelineContract;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.Wire;
import io.sigma.model.ForwardedHeaders;
import io.sigma.snapshot.ResourceType;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The rules of RFC 9110 for forwarded messages: fields that are added, removed or kept. */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class ForwardedMessagesTest extends PipelineContract {

    private static final String DATE = "[A-Z][a-z]{2}, \\d{2} [A-Z][a-z]{2} \\d{4} \\d{2}:\\d{2}:\\d{2} GMT";

    private static List<String> values(List<String> fields, String name) {
        return fields.stream()
                .filter(field -> field.toLowerCase(Locale.ROOT).startsWith(name + ": "))
                .map(field -> field.substring(name.length() + 2))
                .toList();
    }

    // --- Via

    @ParameterizedTest
    @EnumSource
    void requestSaysTheProtocolItCameIn(Pipeline way) throws Exception {
        String own = way.http2 ? "2.0 sigma" : "1.1 sigma";
        try (TestNode node = TestNode.named("ok");
                FrameNode framed = FrameNode.start((request, connection) -> connection.ok(request.stream()))) {
            gateway().apply(through(way, node.url()));
            send(way, "GET", "/");
            assertThat(node.last().all("via")).containsExactly(own);
            send(way, "POST", "/", "Via", "1.0 fred, 1.1 p.example.net (x)");
            assertThat(node.last().all("via")).containsExactly("1.0 fred, 1.1 p.example.net (x), " + own);

            gateway().apply(through(way, framed.url()).overHttp2());
            send(way, "GET", "/", "Via", "1.0 fred");
            assertThat(values(framed.heads().getLast().fields(), "via")).containsExactly("1.0 fred, " + own);
        }
    }

    @Test
    void clientCannotTakeThatAway() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(forwarding(node.url()));
            exchange("GET / HTTP/1.1\r\nHost: a\r\nConnection: Via\r\nVia: 1.0 fred\r\n\r\n");
            assertThat(node.last().all("via")).containsExactly("1.1 sigma");
            exchange("GET / HTTP/1.0\r\nHost: a\r\n\r\n");
            assertThat(node.last().all("via")).containsExactly("1.0 sigma");
            exchange("GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
            assertThat(node.last().all("via")).containsExactly("1.1 sigma");
        }
    }

    @Test
    void nodesGetTheVersionOfTheGateway() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(forwarding(node.url()));
            for (String version : List.of("HTTP/1.0", "HTTP/1.1", "HTTP/1.7")) {
                exchange("GET / " + version + "\r\nHost: a\r\nConnection: close\r\n\r\n");
                assertThat(node.last().line()).isEqualTo("GET / HTTP/1.1");
            }
            send(Pipeline.HTTP2, "GET", "/");
            assertThat(node.last().line()).isEqualTo("GET / HTTP/1.1");
        }
    }

    /** RFC 9110 §8.7: it is context, and changes nothing. */
    @ParameterizedTest
    @EnumSource
    void contentLocationOfARequestMeansNothing(Pipeline way) throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(through(way, node.url()));
            send(way, "PUT", "/a", "Content-Location", "/b");
            assertThat(node.last().line()).isEqualTo("PUT /a HTTP/1.1");
            assertThat(node.last().all("content-location")).containsExactly("/b");
        }
    }

    // --- Date

    @ParameterizedTest
    @EnumSource
    void responseWithoutADateGetsOne(Pipeline way) throws Exception {
        String old = "Sun, 06 Nov 1994 08:49:37 GMT";
        try (TestNode node = TestNode.start((request, connection) -> connection.send("HTTP/1.1 "
                        + (request.target().equals("/204") ? "204 x\r\n" : "500 x\r\nContent-Length: 0\r\n")
                        + (request.target().equals("/old") ? "Date: " + old + "\r\n" : "") + "\r\n"));
                FrameNode framed = FrameNode.start((request, connection) -> connection.ok(request.stream()))) {
            gateway().apply(through(way, node.url()));
            for (String target : List.of("/", "/204")) {
                assertThat(send(way, "GET", target).all("date"))
                        .singleElement()
                        .satisfies(date -> assertThat(date).matches(DATE));
            }
            assertThat(send(way, "GET", "/old").all("date")).containsExactly(old);
            gateway().apply(through(way, framed.url()).overHttp2());
            assertThat(send(way, "GET", "/").all("date"))
                    .singleElement()
                    .satisfies(date -> assertThat(date).matches(DATE));
        }
    }

    // --- Lists

    /** Those that the gateway adds an element to: none that is empty is sent on, and none is taken apart. */
    @ParameterizedTest
    @EnumSource
    void emptyElementsAreNotSentOn(Pipeline way) throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway()
                    .apply(trusting(through(way, node.url()))
                            .with(
                                    ResourceType.ROUTER,
                                    "all",
                                    router -> router.toBuilder()
                                            .forwardedHeaders(ForwardedHeaders.ALL)
                                            .build()));
            for (String none : List.of("", ", ,")) {
                send(way, "GET", "/", "Via", none, "CDN-Loop", none, "X-Forwarded-For", none, "Forwarded", none);
                assertThat(node.last().all("via")).containsExactly(way.http2 ? "2.0 sigma" : "1.1 sigma");
                assertThat(node.last().field("cdn-loop")).matches("sigma-\\w+");
                assertThat(node.last().field("x-forwarded-for")).isEqualTo("127.0.0.1");
                assertThat(node.last().field("forwarded")).startsWith("for=127.0.0.1;");
            }
            send(way, "GET", "/", "X-Forwarded-For", "192.0.2.1,, 192.0.2.2,", "Via", ",1.0 fred,");
            assertThat(node.last().field("x-forwarded-for")).isEqualTo("192.0.2.1, 192.0.2.2, 127.0.0.1");
            assertThat(node.last().field("via")).startsWith("1.0 fred, ");
            send(way, "GET", "/", "Forwarded", ",for=\"_a,\\\",, b\",");
            assertThat(node.last().field("forwarded")).startsWith("for=\"_a,\\\",, b\", for=127.0.0.1;");
        }
    }

    /** RFC 9110 §5.6.4, in the one field whose quoted text the gateway reads. */
    @ParameterizedTest
    @EnumSource
    void quotedPairIsTheCharacterBehindTheBackslash(Pipeline way) throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(trusting(through(way, node.url())));
            send(way, "GET", "/", "Forwarded", "for=\"192.0.2\\.7\";host=\"sh\\op.example.net\";proto=\"\\https\"");
            assertThat(node.last().field("x-forwarded-for")).isEqualTo("192.0.2.7, 127.0.0.1");
            assertThat(node.last().all("x-forwarded-host")).containsExactly("shop.example.net");
            assertThat(node.last().all("x-forwarded-proto")).containsExactly("https");
        }
    }

    // --- Order

    @ParameterizedTest
    @EnumSource
    void linesOfOneNameKeepTheirOrder(Pipeline way) throws Exception {
        String[] lines = {"X-A", "1", "X-B", "b", "X-A", "3, 2", "Cookie-ish", "c", "X-A", "4"};
        try (TestNode node = TestNode.start((request, connection) -> connection.send(
                        "HTTP/1.1 200 OK\r\nSet-Cookie: b=2\r\nX-A: 1\r\nSet-Cookie: a=1\r\nX-A: 3, 2\r\n"
                                + "Content-Length: 0\r\nSet-Cookie: c=3\r\nX-A: 4\r\n\r\n"));
                FrameNode framed = FrameNode.start((request, connection) -> connection.lastHead(
                        request.stream(),
                        ":status",
                        "200",
                        "x-a",
                        "1",
                        "set-cookie",
                        "b=2",
                        "x-a",
                        "3, 2",
                        "set-cookie",
                        "a=1",
                        "set-cookie",
                        "c=3",
                        "x-a",
                        "4"))) {
            for (boolean http2 : new boolean[] {false, true}) {
                Config config = through(way, http2 ? framed.url() : node.url());
                gateway().apply(http2 ? config.overHttp2() : config);
                RawClient.Answer answer = send(way, "GET", "/", lines);
                assertThat(
                                http2
                                        ? values(framed.heads().getLast().fields(), "x-a")
                                        : node.last().all("x-a"))
                        .containsExactly("1", "3, 2", "4");
                assertThat(answer.all("x-a")).containsExactly("1", "3, 2", "4");
                assertThat(answer.all("set-cookie")).containsExactly("b=2", "a=1", "c=3");
            }
        }
    }

    // --- Connection

    @Test
    void trailersThatConnectionNamesAreForTheGatewayAlone() throws Exception {
        LinkedBlockingQueue<List<String>> trailers = new LinkedBlockingQueue<>();
        try (TestNode node = TestNode.startHeadsOnly((request, connection) -> {
            trailers.add(Wire.readChunks(connection.in(), new ByteArrayOutputStream()));
            connection.send("HTTP/1.1 200 OK\r\nConnection: x-hop, Keep-Alive\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "3\r\nabc\r\n0\r\nX-Hop: 1\r\nX-Sum: 2\r\nX-HOP: 3\r\n\r\n");
        })) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                for (String connection : List.of("X-Hop", "keep-alive, x-hop", "x-other\r\nConnection: X-HOP")) {
                    client.send("POST / HTTP/1.1\r\nHost: a\r\nConnection: " + connection
                            + "\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX-Hop: 1\r\nX-Sum: 2\r\n\r\n");
                    assertThat(client.read().trailers()).containsExactly("X-Sum: 2");
                    assertThat(trailers.poll(10, TimeUnit.SECONDS)).containsExactly("X-Sum: 2");
                }
                // What one request says holds for none after it.
                client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + "3\r\nabc\r\n0\r\nX-Hop: 1\r\n\r\n");
                assertThat(client.read().trailers()).containsExactly("X-Sum: 2");
                assertThat(trailers.poll(10, TimeUnit.SECONDS)).containsExactly("X-Hop: 1");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void fieldsThatConnectionOfANodeNamesAreForTheGatewayAlone(Pipeline way) throws Exception {
        try (TestNode node = TestNode.start((request, connection) ->
                connection.send("HTTP/1.1 200 OK\r\nConnection: x-one, Content-Type,,close\r\nConnection: X-Two\r\n"
                        + "X-One: 1\r\nx-two: 2\r\nX-Three: 3\r\nContent-Type: text/plain\r\nKeep-Alive: timeout=5\r\n"
                        + "Proxy-Connection: close\r\nContent-Length: 2\r\n\r\nok"))) {
            gateway().apply(through(way, node.url()));
            RawClient.Answer answer = send(way, "GET", "/");
            assertThat(answer.text()).isEqualTo("ok");
            assertThat(answer.field("x-three")).isEqualTo("3");
            for (String name :
                    List.of("x-one", "x-two", "content-type", "keep-alive", "proxy-connection", "connection")) {
                assertThat(answer.all(name)).describedAs(name).isEmpty();
            }
        }
    }

    // --- Trailers

    /** What acts upon a message must come before its body. */
    @ParameterizedTest
    @CsvSource({
        "Authorization",
        "Content-Encoding",
        "Content-Type",
        "Content-Range",
        "Cache-Control",
        "Cookie",
        "Set-Cookie",
        "Host",
        "If-Match",
        "If-None-Match",
        "If-Modified-Since",
        "If-Unmodified-Since",
        "If-Range",
        "Range",
        "Expect",
        "Max-Forwards",
        "Pragma",
        "TE",
        "Age",
        "Date",
        "Expires",
        "Location",
        "Retry-After",
        "Vary",
        "Via",
        "WWW-Authenticate",
        "Transfer-Encoding",
        "Content-Length",
        "Connection",
        "Upgrade",
        "Trailer"
    })
    void trailersThatActUponTheMessageAreNotSentOn(String name) throws Exception {
        LinkedBlockingQueue<List<String>> trailers = new LinkedBlockingQueue<>();
        String body = "3\r\nabc\r\n0\r\nX-Sum: 1\r\n" + name + ": 1\r\n\r\n";
        try (TestNode node = TestNode.startHeadsOnly((request, connection) -> {
            trailers.add(Wire.readChunks(connection.in(), new ByteArrayOutputStream()));
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + body);
        })) {
            gateway().apply(forwarding(node.url()));
            RawClient.Answer answer =
                    exchange("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + body);
            assertThat(answer.trailers()).containsExactly("X-Sum: 1");
            assertThat(answer.all("x-sum")).isEmpty();
            assertThat(trailers.poll(10, TimeUnit.SECONDS)).containsExactly("X-Sum: 1");
        }
    }

    /** HTTP/1.0 has no trailers, and nothing of them gets into the head. */
    @Test
    void trailersBecomeNoFieldsOfTheHead() throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> connection.send(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX-Sum: 1\r\n\r\n"))) {
            gateway().apply(forwarding(node.url()));
            RawClient.Answer answer = exchange("GET / HTTP/1.0\r\nHost: a\r\n\r\n");
            assertThat(answer.text()).isEqualTo("abc");
            assertThat(answer.fields())
                    .noneMatch(field -> field.toLowerCase(Locale.ROOT).startsWith("x-sum"));
        }
    }

    // --- Content-Length

    @ParameterizedTest
    @EnumSource
    void noLengthIsSaidOfWhatHasNoContent(Pipeline way) throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> connection.send(
                "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\nContent-Length: 0\r\nConnection: x-hop\r\nX-Hop: 1\r\n\r\n"
                        + "HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n"))) {
            gateway().apply(through(way, node.url()));
            List<RawClient.Answer> answers = sendAll(way, "GET", "/");
            assertThat(answers).hasSize(2).allSatisfy(answer -> {
                assertThat(answer.all("content-length")).isEmpty();
                assertThat(answer.all("x-hop")).isEmpty();
            });
            assertThat(answers.getFirst().all("link")).containsExactly("</a>");
        }
    }
}
