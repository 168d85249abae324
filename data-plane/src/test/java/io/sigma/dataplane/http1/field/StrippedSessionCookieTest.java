package io.sigma.dataplane.http1.field;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.snapshot.SnapshotRefused;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.GatewayHarness;
import io.sigma.dataplane.testkit.Http2Node;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.RawHttp2;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.TestSettings;
import io.sigma.model.HeaderEdits;
import io.sigma.model.MockResponsePlugin;
import io.sigma.model.Plugins;
import io.sigma.model.Route;
import io.sigma.model.RouteCondition;
import io.sigma.snapshot.ResourceType;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The session of the dashboard, which browsers send to every port of a host, and nodes on the host could set. */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class StrippedSessionCookieTest extends EngineContract {

    private static final String SESSION = "sigma_session=secret";
    private static final String SETTING = "HTTP/1.1 200 OK\r\nSet-Cookie: a=1; Path=/\r\n"
            + "Set-Cookie: sigma_session=forged; Path=/api/v1\r\nSet-Cookie: b=sigma_session\r\n"
            + "Content-Length: 2\r\n\r\nok";

    private static String request(String fields) {
        return "GET /api/v1/users HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n";
    }

    @ParameterizedTest
    @CsvSource({
        "'Cookie: sigma_session=secret\r\n', ''",
        "'cookie: a=1; sigma_session=secret; b=\"2\"\r\n', 'a=1; b=\"2\"'",
        "'COOKIE: a=1\r\nCookie: sigma_session=secret\r\nCookie: b=2;c\r\n', 'a=1; b=2;c'",
        "'Cookie: a=sigma_session; not_sigma_session=1\r\n', 'a=sigma_session; not_sigma_session=1'"
    })
    void reachesNoNodeAndOthersDo(String fields, String left) throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                // Twice: a connection keeps what it knows of fields that come again.
                for (int i = 0; i < 2; i++) {
                    client.send(request(fields));
                    assertThat(client.read().status()).isEqualTo(200);
                    assertThat(node.last().fields().toString()).doesNotContain("secret");
                    assertThat(String.join("; ", node.last().all("cookie"))).isEqualTo(left);
                }
            }
        }
    }

    @Test
    void crumbsOfHttp2CarryNoneToEitherProtocol() throws Exception {
        BlockingQueue<String> cookies = new LinkedBlockingQueue<>();
        try (TestNode node = TestNode.named("ok");
                Http2Node second = Http2Node.start(request -> {
                    cookies.add(String.join("; ", request.headers().getAll("cookie")));
                    request.response().headers().add("set-cookie", "sigma_session=forged");
                    request.response().headers().add("set-cookie", "a=1");
                    request.response().end("ok");
                })) {
            gateway().apply(forwarding(node.url()));
            askOverHttp2();
            assertThat(node.last().all("cookie")).containsExactly("a=1; b=2");
            gateway().apply(forwarding(second.url()).overHttp2());
            assertThat(askOverHttp2()).contains("set-cookie: a=1").noneMatch(line -> line.contains("forged"));
            assertThat(cookies.poll(10, TimeUnit.SECONDS)).isEqualTo("a=1; b=2");
        }
    }

    private List<String> askOverHttp2() throws Exception {
        try (RawHttp2 client = RawHttp2.connect(port())) {
            client.send(
                    RawHttp2.HEADERS,
                    RawHttp2.END_HEADERS | RawHttp2.END_STREAM,
                    1,
                    RawHttp2.head("cookie", "a=1", "cookie", SESSION, "cookie", "b=2"));
            RawHttp2.Frame head = client.next();
            assertThat(head.type()).isEqualTo(RawHttp2.HEADERS);
            return client.decoded(head);
        }
    }

    @Test
    void nodeSetsNone() throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> connection.send(SETTING))) {
            gateway().apply(forwarding(node.url()));
            assertThat(get("/").all("set-cookie")).containsExactly("a=1; Path=/", "b=sigma_session");
        }
    }

    @Test
    void nodeSetsNoneBeforeItsAnswerOrWithASwitch() throws Exception {
        String hints = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\nSet-Cookie: sigma_session=forged\r\n\r\n";
        try (TestNode node = TestNode.start((request, connection) -> connection.send(
                request.target().equals("/switch")
                        ? "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n"
                                + "Set-Cookie: sigma_session=forged\r\n\r\n"
                        : hints + SETTING))) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                client.send(request(""));
                assertThat(client.readAll(false).toString()).contains("103").doesNotContain("forged");
            }
            RawClient.Answer switched =
                    exchange("GET /switch HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n");
            assertThat(switched.status()).isEqualTo(101);
            assertThat(switched.all("set-cookie")).isEmpty();
        }
    }

    @Test
    void meetsNoConditionAndIsNotMirrored() throws Exception {
        BlockingQueue<TestNode.Received> copies = new LinkedBlockingQueue<>();
        try (TestNode node = TestNode.named("ok");
                TestNode known = TestNode.named("known");
                TestNode shadow = TestNode.start((request, connection) -> {
                    connection.ok("copied");
                    copies.add(request);
                })) {
            gateway()
                    .apply(forwarding(node.url())
                            .mirrored(shadow.url())
                            .upstream("known", known.url())
                            .pass("known", "known")
                            .route(Route.builder()
                                    .id("known")
                                    .routerId("all")
                                    .path("/*")
                                    .priority(1)
                                    .cookies(List.of(RouteCondition.builder()
                                            .name("sigma_session")
                                            .present(true)
                                            .build()))
                                    .proxyPassId("known")
                                    .build()));
            assertThat(exchange(request("Cookie: " + SESSION + "\r\n")).text()).isEqualTo("ok");
            TestNode.Received copy = copies.poll(10, TimeUnit.SECONDS);
            assertThat(copy).isNotNull();
            assertThat(copy.fields().toString()).doesNotContain("secret");
        }
    }

    @Test
    void gatewayInFrontOfControlPlanesPassesIt() throws Exception {
        try (GatewayHarness front = GatewayHarness.start(
                        TestSettings.of(folder.resolve("front")).passSessions().build());
                TestNode plane = TestNode.start((request, connection) -> connection.send(SETTING))) {
            front.apply(forwarding(plane.url()));
            assertThat(exchange(request("Cookie: " + SESSION + "\r\n")).all("set-cookie"))
                    .hasSize(3);
            assertThat(plane.last().field("cookie")).isEqualTo(SESSION);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"sigma_session=forged; Path=/", "__Host-sigma_session=forged; Path=/; Secure"})
    void configurationCannotSetItEither(String cookie) throws Exception {
        String answer = "HTTP/1.1 200 OK\r\nX-Cookie: " + cookie + "\r\nX-Cookie: a=1\r\nContent-Length: 0\r\n\r\n";
        try (TestNode node = TestNode.start((request, connection) -> connection.send(answer))) {
            HeaderEdits edits = HeaderEdits.builder()
                    .rename(Map.of("X-Cookie", "Set-Cookie"))
                    .build();
            gateway()
                    .apply(forwarding(node.url())
                            .with(
                                    ResourceType.PROXY_PASS,
                                    "pass",
                                    pass -> pass.toBuilder()
                                            .responseHeaders(edits)
                                            .build()));
            assertThat(get("/").all("set-cookie")).containsExactly("a=1");
            MockResponsePlugin mock = MockResponsePlugin.builder()
                    .headers(Map.of("Set-Cookie", cookie))
                    .build();
            SnapshotRefused refused = gateway()
                    .refused(forwarding(node.url())
                            .with(
                                    ResourceType.PROXY_SERVER,
                                    "web",
                                    server -> server.toBuilder()
                                            .plugins(Plugins.builder()
                                                    .mockResponse(mock)
                                                    .build())
                                            .build()));
            assertThat(refused.pointer()).isEqualTo("/proxyServers/web/plugins/mockResponse/headers/Set-Cookie");
        }
    }
}
