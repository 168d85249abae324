package io.sigma.dataplane.http1.field;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.Http2Node;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.TlsContract;
import io.sigma.model.HttpsRedirectPlugin;
import io.sigma.model.Plugins;
import io.sigma.model.ProxyPass;
import io.sigma.model.Redirect;
import io.sigma.model.ServerTls;
import io.sigma.snapshot.ResourceType;
import org.junit.jupiter.api.Test;

/** HTTP/1.0 without a Host, as the probes of load balancers send it (RFC 9112 §3.2 asks for 400 of HTTP/1.1 only). */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class NoHostTest extends TlsContract {

    private static final String PROBE = "GET /up HTTP/1.0\r\n\r\n";

    @Test
    void probeIsServedAndTheNodeGetsItsOwnName() throws Exception {
        try (TestNode node = TestNode.named("up")) {
            gateway().apply(forwarding(node.url()));
            RawClient.Answer answer = exchange(PROBE);
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.text()).isEqualTo("up");
            assertThat(node.last().line()).isEqualTo("GET /up HTTP/1.1");
            assertThat(node.last().all("host")).containsExactly("127.0.0.1:" + node.port());
            assertThat(node.last().all("x-forwarded-host")).isEmpty();
            assertThat(node.last().all("forwarded")).containsExactly("for=127.0.0.1;proto=http");
            assertThat(exchange("HEAD /up HTTP/1.0\r\n\r\n").status()).isEqualTo(200);
            assertThat(exchange("POST /up HTTP/1.0\r\nContent-Length: 2\r\n\r\nhi")
                            .status())
                    .isEqualTo(200);
            assertThat(node.last().text()).isEqualTo("hi");
            assertThat(exchange("GET /up HTTP/1.1\r\n\r\n").status()).isEqualTo(400);
            assertThat(exchange("GET /up HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n")
                            .status())
                    .isEqualTo(400);
            assertThat(exchange("GET http://a.example/up HTTP/1.0\r\n\r\n").status())
                    .isEqualTo(200);
            assertThat(node.last().all("host")).containsExactly("a.example");
        }
    }

    @Test
    void connectionStaysWhereTheClientWantsIt() throws Exception {
        try (TestNode node = TestNode.named("up")) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                for (String host : new String[] {"", "Host: a.example\r\n", "", ""}) {
                    client.send("GET /up HTTP/1.0\r\n" + host + "Connection: keep-alive\r\n\r\n");
                    assertThat(client.read().status()).isEqualTo(200);
                    assertThat(node.last().field("x-forwarded-host")).isEqualTo(host.isEmpty() ? null : "a.example");
                }
            }
        }
    }

    @Test
    void probeIsServedOnTls() throws Exception {
        try (TestNode node = TestNode.named("up")) {
            gateway().apply(encrypted(ServerTls.builder().build(), node.url()));
            try (RawClient client = new RawClient(connect(client(null), null))) {
                client.send(PROBE);
                assertThat(client.read().status()).isEqualTo(200);
            }
            assertThat(node.last().all("host")).containsExactly("127.0.0.1:" + node.port());
        }
    }

    @Test
    void nodeOfHttp2GetsAnAuthority() throws Exception {
        try (Http2Node node = Http2Node.start(request -> request.response().end(String.valueOf(request.authority())))) {
            gateway().apply(forwarding(node.url()).overHttp2());
            assertThat(exchange(PROBE).text()).isEqualTo(node.url().substring("http://".length()));
        }
    }

    @Test
    void routerOfAHostTakesNone() throws Exception {
        try (TestNode node = TestNode.named("up")) {
            gateway()
                    .apply(new Config()
                            .server("web", port())
                            .router("shop", "web", "shop.example.com", "*.example.com")
                            .route("any", "shop", "/*", "pass")
                            .pass("pass", "nodes")
                            .upstream("nodes", node.url()));
            assertThat(exchange(PROBE).status()).isEqualTo(404);
        }
    }

    @Test
    void redirectThatNeedsAHostIsRefused() throws Exception {
        Config config = forwarding("http://127.0.0.1:1");
        gateway()
                .apply(config.copy()
                        .with(
                                ResourceType.PROXY_SERVER,
                                "web",
                                server -> server.toBuilder()
                                        .plugins(Plugins.builder()
                                                .httpsRedirect(HttpsRedirectPlugin.builder()
                                                        .build())
                                                .build())
                                        .build()));
        assertThat(exchange(PROBE).status()).isEqualTo(400);
        gateway().apply(redirect(config, "https://$host/"));
        assertThat(exchange(PROBE).status()).isEqualTo(400);
        gateway().apply(redirect(config, "/new$path"));
        assertThat(exchange(PROBE).field("location")).isEqualTo("/new/up");
    }

    private static Config redirect(Config config, String location) {
        return config.copy()
                .pass(ProxyPass.builder()
                        .id("pass")
                        .redirect(Redirect.builder().location(location).build())
                        .build());
    }
}
