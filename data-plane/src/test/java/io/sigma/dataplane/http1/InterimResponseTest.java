package io.sigma.dataplane.http1;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.FrameNode;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.Http2Client;
import io.sigma.dataplane.testkit.PipelineContract;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** 100, 102, 103 and what waits for them: none is ever taken for the answer. */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class InterimResponseTest extends PipelineContract {

    private static final String ASK = "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n";
    private static final List<Integer> INTERIM = List.of(100, 102, 103, 104, 199);

    private static String five(TestNode.Connection connection) throws IOException {
        return new String(connection.in().readNBytes(5), StandardCharsets.UTF_8);
    }

    // --- 100

    @Test
    void clientThatWaitsIsToldToContinueByTheNode() throws Exception {
        CompletableFuture<String> waited = new CompletableFuture<>();
        try (TestNode node = TestNode.startHeadsOnly((request, connection) -> {
            waited.get(20, TimeUnit.SECONDS);
            connection.send("HTTP/1.1 100 Continue\r\n\r\n");
            connection.ok(five(connection));
        })) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                client.send(ASK);
                GatewayHarness.eventually(() -> !node.received().isEmpty());
                assertThat(node.last().field("expect")).isEqualTo("100-continue");
                waited.complete("");
                assertThat(client.read().status()).isEqualTo(100);
                client.send("hello");
                assertThat(client.read().text()).isEqualTo("hello");
                client.send("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nagain");
                assertThat(client.readAll(false).getLast().text()).isEqualTo("again");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 5", "Transfer-Encoding: chunked"})
    void clientThatWaitsIsToldToContinueWhenTheNodeSaysNothing(String framing) throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> connection.ok(request.text()))) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                client.send("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n" + framing + "\r\n\r\n");
                assertThat(client.read().status()).isEqualTo(100);
                client.send(framing.startsWith("C") ? "hello" : "5\r\nhello\r\n0\r\n\r\n");
                assertThat(client.read().text()).isEqualTo("hello");
                client.send(GET);
                assertThat(client.read().status()).isEqualTo(200);
            }
        }
    }

    @Test
    void clientOfHttp2ThatWaitsIsToldToContinue() throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> connection.ok(request.text()))) {
            gateway().apply(forwarding(node.url()));
            assertThat(overHttp2(HttpMethod.POST, true).lines()).containsExactly("continue", "200 hello");
        }
    }

    @Test
    void clientThatDoesNotWaitIsNotHeldUp() throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> connection.ok(request.text()))) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                client.send(ASK + "hello");
                RawClient.Answer answer = client.read();
                assertThat((answer.status() == 100 ? client.read() : answer).text())
                        .isEqualTo("hello");
            }
        }
    }

    @Test
    void nodeMayAnswerInsteadOfContinuing() throws Exception {
        try (TestNode node = TestNode.startHeadsOnly(
                (request, connection) -> connection.send("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno"))) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                client.send(ASK);
                RawClient.Answer answer = client.read();
                assertThat(answer.status()).isEqualTo(403);
                assertThat(answer.text()).isEqualTo("no");
            }
        }
    }

    @Test
    void otherExpectationIsRefused() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(forwarding(node.url()));
            assertThat(exchange("GET / HTTP/1.1\r\nHost: a\r\nExpect: tea\r\n\r\n")
                            .status())
                    .isEqualTo(417);
            assertThat(Http2Client.exchange(port(), "GET", "/", null, "expect", "tea")
                            .status())
                    .isEqualTo(417);
            assertThat(node.received()).isEmpty();
        }
    }

    // --- 103 and others

    @Test
    void earlyHintsArriveBeforeTheAnswer() throws Exception {
        CompletableFuture<String> heard = new CompletableFuture<>();
        try (TestNode node = TestNode.start((request, connection) -> {
            connection.send("HTTP/1.1 103 Early Hints\r\nConnection: x-hop\r\nX-Hop: 1\r\n"
                    + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\nLink: </a.css>; rel=preload\r\n\r\n");
            heard.get(20, TimeUnit.SECONDS);
            connection.send("HTTP/1.1 103 Early Hints\r\nLink: </b.css>; rel=preload\r\n\r\n");
            connection.ok("final");
        })) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                for (int i = 0; i < 2; i++) {
                    client.send(GET);
                    RawClient.Answer first = client.read();
                    assertThat(first.status()).isEqualTo(103);
                    assertThat(first.field("link")).contains("a.css");
                    assertThat(first.fields()).hasSize(1);
                    heard.complete("");
                    RawClient.Answer second = client.read();
                    assertThat(second.status()).isEqualTo(103);
                    assertThat(second.field("link")).contains("b.css");
                    assertThat(client.read().text()).isEqualTo("final");
                }
            }
            assertThat(node.accepted()).isEqualTo(1);
            assertThat(exchange("GET / HTTP/1.0\r\nHost: a\r\n\r\n").text()).isEqualTo("final");
            assertThat(overHttp2(HttpMethod.GET, false).lines())
                    .containsExactly("hint </a.css>; rel=preload", "hint </b.css>; rel=preload", "200 final");
        }
    }

    @Test
    void severalInterimResponsesGoBeforeOneAnswer() throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> {
            connection.send("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n"
                    + "HTTP/1.1 100 Continue\r\n\r\n");
            connection.ok("final " + request.target());
        })) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                client.send("GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n");
                for (int i = 1; i <= 2; i++) {
                    List<RawClient.Answer> answers = client.readAll(false);
                    assertThat(answers).extracting(RawClient.Answer::status).containsExactly(100, 103, 100, 200);
                    assertThat(answers.getLast().text()).isEqualTo("final /" + i);
                }
            }
        }
    }

    // --- All of them (RFC 9110 §15.2)

    @ParameterizedTest
    @EnumSource
    void everyInterimResponseOfANodeReachesTheClient(Pipeline way) throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> {
            for (int status : INTERIM) {
                connection.send("HTTP/1.1 " + status + " x\r\nX-Of: " + status + "\r\nConnection: X-Hop\r\nX-Hop: 1\r\n"
                        + "Keep-Alive: timeout=5\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n");
            }
            connection.ok("final");
        })) {
            gateway().apply(through(way, node.url()));
            assertInterim(sendAll(way, "GET", "/"), "final");
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyInterimResponseOfANodeOnHttp2ReachesTheClient(Pipeline way) throws Exception {
        try (FrameNode node = FrameNode.start((request, connection) -> {
            for (int status : INTERIM) {
                String text = String.valueOf(status);
                connection.head(request.stream(), ":status", text, "x-of", text);
            }
            connection.ok(request.stream());
        })) {
            gateway().apply(through(way, node.url()).overHttp2());
            assertInterim(sendAll(way, "GET", "/"), "ok");
        }
    }

    private static void assertInterim(List<RawClient.Answer> answers, String body) {
        assertThat(answers).extracting(RawClient.Answer::status).containsExactly(100, 102, 103, 104, 199, 200);
        for (RawClient.Answer answer : answers.subList(0, INTERIM.size())) {
            assertThat(answer.all("x-of")).containsExactly(String.valueOf(answer.status()));
            for (String name : List.of("x-hop", "keep-alive", "connection", "content-length", "transfer-encoding")) {
                assertThat(answer.all(name)).as(name).isEmpty();
            }
        }
        assertThat(answers.getLast().text()).isEqualTo(body);
        assertThat(answers.getLast().all("x-of")).isEmpty();
    }

    @Test
    void clientOfHttp10GetsNone() throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> {
            for (int status : INTERIM) {
                connection.send("HTTP/1.1 " + status + " x\r\n\r\n");
            }
            connection.ok("final");
        })) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                client.send("POST / HTTP/1.0\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nab");
                assertThat(client.read().status()).isEqualTo(200);
            }
        }
    }

    // --- Expectations that mean nothing (RFC 9110 §10.1.1)

    /** Neither HTTP/1.0 nor a request without content has any. */
    @ParameterizedTest
    @EnumSource
    void expectationThatMeansNothingIsNotForwarded(Pipeline way) throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(through(way, node.url()));
            for (String method : List.of("GET", "POST")) {
                assertThat(sendAll(way, method, "/", "Expect", "100-continue"))
                        .extracting(RawClient.Answer::status)
                        .containsExactly(200);
                assertThat(node.last().all("expect")).isEmpty();
            }
            if (way == Pipeline.HTTP1) {
                exchange("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 0\r\n\r\n");
                assertThat(node.last().all("expect")).isEmpty();
                exchange("POST / HTTP/1.0\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nab");
                assertThat(node.last().text()).isEqualTo("ab");
                assertThat(node.last().all("expect")).isEmpty();
            }
        }
    }

    /** A list that says it several times, or nothing (RFC 9110 §5.6.1.2). */
    @Test
    void nodeIsToldOfAnExpectationOnce() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(forwarding(node.url()));
            String head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect:";
            for (String expect :
                    List.of(" 100-Continue, 100-continue", " 100-continue\r\nExpect: 100-continue", " ,")) {
                try (RawClient client = RawClient.connect(port())) {
                    client.send(head + expect + "\r\n\r\nab");
                    assertThat(client.readAll(false).getLast().status()).isEqualTo(200);
                }
                List<String> once = expect.equals(" ,") ? List.of() : List.of("100-continue");
                assertThat(node.last().all("expect")).isEqualTo(once);
            }
        }
    }

    @Test
    void switchThatNobodyAskedForIsABadResponse() throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> {
            connection.send("HTTP/1.1 101 Whatever\r\n\r\n");
            connection.ok("final");
        })) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                for (int i = 0; i < 2; i++) {
                    client.send(GET);
                    assertThat(client.read().status()).isEqualTo(502);
                }
            }
            // What followed was never read as the answer to the next request.
            assertThat(node.accepted()).isEqualTo(2);
        }
    }

    /** What a client of HTTP/2 heard, in order. */
    private record Heard(List<String> lines) {}

    private Heard overHttp2(HttpMethod method, boolean waits) {
        Vertx vertx = Vertx.vertx();
        List<String> lines = new CopyOnWriteArrayList<>();
        try {
            HttpClientAgent client = GatewayHarness.keep(vertx.createHttpClient(new HttpClientOptions()
                    .setProtocolVersion(HttpVersion.HTTP_2)
                    .setHttp2ClearTextUpgrade(false)));
            HttpClientRequest request = GatewayHarness.await(client.request(method, port(), "localhost", "/"));
            request.earlyHintsHandler(hints -> lines.add("hint " + hints.get("link")));
            if (waits) {
                request.putHeader("expect", "100-continue").putHeader("content-length", "5");
                request.continueHandler(ignored -> {
                    lines.add("continue");
                    request.end("hello");
                });
                request.sendHead();
            } else {
                request.end();
            }
            GatewayHarness.await(request.response()
                    .compose(answer -> answer.body().onSuccess(body -> lines.add(answer.statusCode() + " " + body))));
            return new Heard(List.copyOf(lines));
        } finally {
            GatewayHarness.await(vertx.close());
        }
    }
}
