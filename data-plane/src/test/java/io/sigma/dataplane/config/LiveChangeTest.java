package io.sigma.dataplane.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.RawHttp2;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.TlsContract;
import io.sigma.model.ProxyProtocol;
import io.sigma.model.ProxyServer;
import io.sigma.model.ServerHttp2;
import io.sigma.model.ServerLimits;
import io.sigma.model.ServerTls;
import io.sigma.model.TlsVersion;
import io.sigma.snapshot.ResourceType;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Whatever changes of a proxy server beside its address and TLS mode: its connections stay, and take the change. */
final class LiveChangeTest extends TlsContract {

    private static final String LONG_TARGET = "GET /" + "a".repeat(2_000) + " HTTP/1.1\r\nHost: a\r\n\r\n";

    private static Config changed(Config config, UnaryOperator<ProxyServer.Builder> change) {
        return config.copy()
                .with(
                        ResourceType.PROXY_SERVER,
                        "web",
                        server -> change.apply(server.toBuilder()).build());
    }

    private static UnaryOperator<ProxyServer.Builder> limits(UnaryOperator<ServerLimits.Builder> change) {
        return server -> server.limits(change.apply(ServerLimits.builder()).build());
    }

    private static UnaryOperator<ProxyServer.Builder> http2(UnaryOperator<ServerHttp2.Builder> change) {
        return server -> server.http2(change.apply(ServerHttp2.builder()).build());
    }

    @Test
    void openConnectionTakesLimitsWithItsNextRequest() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            Config config = forwarding(node.url());
            gateway().apply(config);
            try (RawClient client = RawClient.connect(port())) {
                client.send(LONG_TARGET);
                assertThat(client.read().status()).isEqualTo(200);
                gateway().apply(changed(config, limits(limits -> limits.targetBytesMax(1_000))));
                client.send(LONG_TARGET);
                assertThat(client.read().status()).isEqualTo(414);
            }
            try (RawClient client = RawClient.connect(port())) {
                client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(client.read().status()).isEqualTo(200);
                gateway().apply(changed(config, limits(limits -> limits.headBytesMax(1_024))));
                client.send("GET / HTTP/1.1\r\nHost: a\r\nX: " + "x".repeat(1_100) + "\r\n\r\n");
                assertThat(client.read().status()).isEqualTo(431);
            }
            try (RawClient client = RawClient.connect(port())) {
                client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(client.read().status()).isEqualTo(200);
                gateway().apply(changed(config, limits(limits -> limits.idleTimeoutMillis(100))));
                client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(client.read().status()).isEqualTo(200);
                assertThat(client.isClosedByPeer()).isTrue();
            }
        }
    }

    @Test
    void clientOfHttp2IsToldOfOtherLimitsOnTheConnectionThatItHas() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            Config config = forwarding(node.url());
            gateway().apply(config);
            try (RawHttp2 client = RawHttp2.connect(port())) {
                assertThat(client.nextSettings()).containsEntry(3, 128);
                client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS | RawHttp2.END_STREAM, 1, RawHttp2.head());
                assertThat(client.status(client.next())).isEqualTo("200");
                gateway().apply(changed(config, http2(http2 -> http2.streamsMax(7))));
                client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS | RawHttp2.END_STREAM, 3, RawHttp2.head());
                assertThat(client.nextSettings()).containsEntry(3, 7);
                client.send(RawHttp2.SETTINGS, 1, 0);
                RawHttp2.Frame frame = client.next();
                while (frame.type() != RawHttp2.HEADERS) {
                    frame = client.next();
                }
                assertThat(client.status(frame)).isEqualTo("200");
            }
        }
    }

    @Test
    void newConnectionsTakeTheProtocolsAndOpenOnesStay() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            Config config = forwarding(node.url());
            gateway().apply(config);
            try (RawClient open = RawClient.connect(port())) {
                open.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(open.read().status()).isEqualTo(200);
                gateway()
                        .apply(changed(
                                config,
                                server -> server.proxyProtocol(ProxyProtocol.REQUIRED)
                                        .trustedProxies(List.of("127.0.0.1"))));
                try (RawClient said = RawClient.connect(port())) {
                    said.send("PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n");
                    assertThat(said.read().status()).isEqualTo(200);
                }
                try (RawClient bare = RawClient.connect(port())) {
                    bare.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                    assertThat(bare.isClosedByPeer()).isTrue();
                }
                gateway()
                        .apply(changed(
                                config,
                                server -> server.proxyProtocol(ProxyProtocol.OPTIONAL)
                                        .trustedProxies(List.of("127.0.0.1"))));
                assertThat(RawClient.get(port(), "a", "/").status()).isEqualTo(200);
                gateway().apply(changed(config, http2(http2 -> http2.enabled(false))));
                try (RawHttp2 refused = RawHttp2.connect(port())) {
                    assertThat(refused.goAway()).isEqualTo(-1);
                }
                gateway().apply(changed(config, http2(http2 -> http2.only(true))));
                try (RawHttp2 client = RawHttp2.connect(port())) {
                    client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS | RawHttp2.END_STREAM, 1, RawHttp2.head());
                    assertThat(client.status(client.next())).isEqualTo("200");
                }
                open.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(open.read().status()).isEqualTo(200);
            }
        }
    }

    @Test
    void newHandshakesTakeProtocolsAndVersionsAndOpenConnectionsStay() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            Config config = encrypted(ServerTls.builder().build(), node.url());
            gateway().apply(config);
            try (var socket = connect(client(null), "shop.example.com", "h2", "http/1.1");
                    var old = connect(client(null, "TLSv1.2"), "shop.example.com", "http/1.1");
                    RawClient open = new RawClient(old)) {
                assertThat(socket.getApplicationProtocol()).isEqualTo("h2");
                gateway().apply(changed(config, http2(http2 -> http2.enabled(false))));
                try (var next = connect(client(null), "shop.example.com", "h2", "http/1.1")) {
                    assertThat(next.getApplicationProtocol()).isEqualTo("http/1.1");
                }
                gateway()
                        .apply(changed(
                                config,
                                server -> server.tls(ServerTls.builder()
                                        .minVersion(TlsVersion.TLS_1_3)
                                        .build())));
                open.send(GET);
                assertThat(open.read().status()).isEqualTo(200);
                RawHttp2 client = RawHttp2.on(socket);
                client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS | RawHttp2.END_STREAM, 1, RawHttp2.head());
                assertThat(client.status(client.next())).isEqualTo("200");
                try (var next = connect(client(null), "shop.example.com", "h2", "http/1.1")) {
                    assertThat(next.getApplicationProtocol()).isEqualTo("h2");
                    assertThat(next.getSession().getProtocol()).isEqualTo("TLSv1.3");
                }
            }
        }
    }

    /** The port is that of another proxy server from now on, with another certificate. */
    @Test
    void portThatPassesToAnotherProxyServerShowsItsCertificate() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            Config config = encrypted(
                    ServerTls.builder().certificates(List.of("b-shop")).build(), node.url());
            gateway().apply(config);
            assertThat(presented("shop.example.com")).isEqualTo("CN=shop");
            gateway()
                    .apply(config.copy()
                            .without(ResourceType.PROXY_SERVER, "web")
                            .server("other", port())
                            .encrypted(
                                    "other",
                                    ServerTls.builder()
                                            .certificates(List.of("a-other"))
                                            .build())
                            .router("all", "other"));
            assertThat(presented("shop.example.com")).isEqualTo("CN=other");
        }
    }
}
