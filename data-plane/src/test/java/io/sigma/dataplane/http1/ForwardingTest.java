package io.sigma.dataplane.http1;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.Http2Client;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.model.Node;
import io.sigma.model.Plugins;
import io.sigma.model.ProxyPass;
import io.sigma.model.Redirect;
import io.sigma.model.RewritePathPlugin;
import io.sigma.model.Upstream;
import io.sigma.snapshot.ResourceType;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Forwarding between client and node. */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class ForwardingTest extends EngineContract {

    @Test
    void requestReachesTheNodeAndItsAnswerTheClient() throws Exception {
        try (TestNode node = TestNode.named("hello")) {
            gateway().apply(forwarding(node.url()));
            RawClient.Answer answer = get("/a/b?c=d");
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.text()).isEqualTo("hello");
            assertThat(answer.field("content-type")).isEqualTo("text/plain");
            assertThat(node.last().line()).isEqualTo("GET /a/b?c=d HTTP/1.1");
            assertThat(node.last().all("host")).containsExactly("shop.example.com");
        }
    }

    @Test
    void pipelinedRequestsAreAnsweredInOrder() throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> connection.ok(request.target()))) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                client.send(
                        "GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n"
                                + "POST /3 HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nxyGET /4 HTTP/1.1\r\nHost: a\r\n\r\n");
                for (int i = 1; i <= 4; i++) {
                    assertThat(client.read().text()).isEqualTo("/" + i);
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/a/../b, /b",
        "/%61/%2e%2e/c, /c",
        "/a//b, /a/b",
        "/../../x, /x",
        "/a%2fb%c3%a4, /a%2Fb%C3%A4",
        "/a/..;x=y/b, /b",
        "/a?b=/../c, /a?b=/../c"
    })
    void nodeReceivesTheNormalFormOfAPath(String sent, String received) throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(forwarding(node.url()));
            assertThat(get(sent).status()).isEqualTo(200);
            assertThat(node.last().target()).isEqualTo(received);
        }
    }

    @Test
    void prefixOfTheNodeIsPutBeforeThePath() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(forwarding(node.url() + "/base/v1/"));
            get("/a?b");
            assertThat(node.last().target()).isEqualTo("/base/v1/a?b");
        }
    }

    @Test
    void hostOfTheNodeIsSentWhereThatOfTheClientIsNotPreserved() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway()
                    .apply(forwarding(node.url())
                            .with(
                                    ResourceType.PROXY_PASS,
                                    "pass",
                                    pass -> pass.toBuilder().preserveHost(false).build()));
            get("/");
            assertThat(node.last().field("host")).isEqualTo("127.0.0.1:" + node.port());
            assertThat(node.last().field("x-forwarded-host")).isEqualTo("shop.example.com");
        }
    }

    @Test
    void ipv6NodeIsReached() throws Exception {
        try (TestNode node = TestNode.startIpv6((request, connection) -> connection.ok("six"))) {
            gateway().apply(forwarding("http://[::1]:" + node.port()));
            assertThat(get("/").text()).isEqualTo("six");
        }
    }

    private static Config rewriting(Config config, String replacement) {
        return config.with(
                ResourceType.PROXY_PASS,
                "pass",
                pass -> pass.toBuilder()
                        .plugins(Plugins.builder()
                                .rewritePath(RewritePathPlugin.builder()
                                        .regexp("/test/(?<segment>.*)")
                                        .replacement(replacement)
                                        .build())
                                .build())
                        .build());
    }

    @Test
    void eachRequestOfAConnectionIsRewrittenByItself() throws Exception {
        try (TestNode node = TestNode.named("ok");
                RawClient client = connected(node)) {
            for (String segment : List.of("a", "a", "a", "b", "a", "b", "b")) {
                assertThat(target(client, node, "/test/" + segment)).isEqualTo("/" + segment);
                assertThat(target(client, node, "/test/" + segment + "?q")).isEqualTo("/" + segment + "?q");
            }
            assertThat(target(client, node, "/else")).isEqualTo("/else");
            assertThat(target(client, node, "/test/b")).isEqualTo("/b");
            gateway().apply(rewriting(forwarding(node.url()), "/new/${segment}"));
            assertThat(target(client, node, "/test/b")).isEqualTo("/new/b");
            assertThat(target(client, node, "/test/b")).isEqualTo("/new/b");
        }
    }

    private RawClient connected(TestNode node) throws Exception {
        gateway().apply(rewriting(forwarding(node.url()), "/${segment}"));
        return RawClient.connect(port());
    }

    /** Returns what {@code node} is asked for when {@code client} asks for {@code asked}. */
    private static String target(RawClient client, TestNode node, String asked) throws Exception {
        client.send("GET " + asked + " HTTP/1.1\r\nHost: a\r\n\r\n");
        assertThat(client.read().status()).isEqualTo(200);
        return node.last().target();
    }

    @Test
    void rewrittenPathKeepsTheQuery() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(rewriting(forwarding(node.url()), "/${segment}"));
            get("/test/x?a=1&b=%20");
            assertThat(node.last().target()).isEqualTo("/x?a=1&b=%20");
            get("/else?a");
            assertThat(node.last().target()).isEqualTo("/else?a");
            get("/test/%0d%0aX-Evil:%201?%0d%0a");
            assertThat(node.last().target()).isEqualTo("/%0D%0AX-Evil:%201?%0d%0a");
            assertThat(node.last().field("x-evil")).isNull();
        }
    }

    @Test
    void queryOfAReplacementIsJoinedWithThatOfTheRequest() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(rewriting(forwarding(node.url() + "/base"), "/index?p=${segment}&x"));
            for (int i = 0; i < 2; i++) {
                get("/test/y&z=1?a=1&b=%20");
                assertThat(node.last().target()).isEqualTo("/base/index?p=y%26z%3D1&x&a=1&b=%20");
                get("/test/y");
                assertThat(node.last().target()).isEqualTo("/base/index?p=y&x");
                get("/test/y?");
                assertThat(node.last().target()).isEqualTo("/base/index?p=y&x");
                get("/else?a");
                assertThat(node.last().target()).isEqualTo("/base/else?a");
            }
            assertThat(Http2Client.exchange(port(), "GET", "/test/q?a", null).status())
                    .isEqualTo(200);
            assertThat(node.last().target()).isEqualTo("/base/index?p=q&x&a");
        }
    }

    @Test
    void redirectNamesWhatTheRequestNamed() throws Exception {
        gateway()
                .apply(new Config()
                        .server("web", port())
                        .router("all", "web")
                        .route("any", "all", "/*", "away")
                        .pass(ProxyPass.builder()
                                .id("away")
                                .redirect(Redirect.builder()
                                        .status(308)
                                        .location("https://new.example.com$request_uri#$host$$")
                                        .build())
                                .build()));
        RawClient.Answer answer = get("/a%0d%0aSet-Cookie:%20x?q=1");
        assertThat(answer.status()).isEqualTo(308);
        assertThat(answer.field("location"))
                .isEqualTo("https://new.example.com/a%0D%0ASet-Cookie:%20x?q=1#shop.example.com$");
        assertThat(answer.field("set-cookie")).isNull();
    }

    @Test
    void roundRobinSpreadsRequestsEvenly() throws Exception {
        try (TestNode one = TestNode.named("one");
                TestNode two = TestNode.named("two")) {
            gateway().apply(forwarding(one.url(), two.url()));
            try (RawClient client = RawClient.connect(port())) {
                for (int i = 0; i < 20; i++) {
                    client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                    assertThat(client.read().status()).isEqualTo(200);
                }
            }
            assertThat(one.received()).hasSize(10);
            assertThat(two.received()).hasSize(10);
        }
    }

    @Test
    void weightsDecideTheSharesAndZeroTakesNone() throws Exception {
        try (TestNode heavy = TestNode.named("heavy");
                TestNode light = TestNode.named("light");
                TestNode none = TestNode.named("none")) {
            gateway()
                    .apply(forwarding("http://unused.invalid")
                            .upstream(Upstream.builder()
                                    .id("nodes")
                                    .balancing(io.sigma.model.Balancing.WEIGHTED_ROUND_ROBIN)
                                    .nodes(List.of(
                                            Node.builder()
                                                    .url(heavy.url())
                                                    .weight(3)
                                                    .build(),
                                            Node.builder()
                                                    .url(light.url())
                                                    .weight(1)
                                                    .build(),
                                            Node.builder()
                                                    .url(none.url())
                                                    .weight(0)
                                                    .build()))
                                    .build()));
            try (RawClient client = RawClient.connect(port())) {
                for (int i = 0; i < 40; i++) {
                    client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                    client.read();
                }
            }
            assertThat(heavy.received()).hasSize(30);
            assertThat(light.received()).hasSize(10);
            assertThat(none.received()).isEmpty();
        }
    }

    @Test
    void connectionsToTheNodeAreUsedAgain() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                for (int i = 0; i < 50; i++) {
                    client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                    client.read();
                }
            }
            assertThat(node.accepted()).isEqualTo(1);
        }
    }
}
