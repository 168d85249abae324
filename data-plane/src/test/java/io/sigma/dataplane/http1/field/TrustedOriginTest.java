package io.sigma.dataplane.http1.field;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.PipelineContract;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.model.HstsPlugin;
import io.sigma.model.HttpsRedirectPlugin;
import io.sigma.model.Plugins;
import io.sigma.model.ProxyPass;
import io.sigma.model.Redirect;
import io.sigma.model.Split;
import io.sigma.model.SplitTarget;
import io.sigma.model.Sticky;
import io.sigma.model.StickySource;
import io.sigma.snapshot.ResourceType;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The scheme, host and port that a trusted peer reports for its client, everywhere in the gateway. */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class TrustedOriginTest extends PipelineContract {

    private static final String[] X = {
        "X-Forwarded-For", "203.0.113.7", "X-Forwarded-Proto", "https", "X-Forwarded-Host", "www.example.org",
    };
    private static final String[] STANDARD = {"Forwarded", "for=203.0.113.7;host=www.example.org;proto=HTTPS"};

    private static Config redirecting(Config config) {
        return plugins(
                config,
                Plugins.builder()
                        .httpsRedirect(HttpsRedirectPlugin.builder().build())
                        .hsts(HstsPlugin.builder().maxAgeSeconds(60L).build())
                        .build());
    }

    private static Config plugins(Config config, Plugins plugins) {
        return config.with(
                ResourceType.PROXY_SERVER,
                "web",
                server -> server.toBuilder().plugins(plugins).build());
    }

    private static void assertSays(TestNode.Received received, String scheme, String host, String port) {
        assertThat(received.all("x-forwarded-proto")).containsExactly(scheme);
        assertThat(received.all("x-forwarded-host")).containsExactly(host);
        assertThat(received.all("x-forwarded-port")).containsExactly(port);
        assertThat(received.all("forwarded")).hasSize(1);
        assertThat(received.field("forwarded")).endsWith("for=127.0.0.1;host=" + host + ";proto=" + scheme);
    }

    @ParameterizedTest
    @EnumSource
    void nodeHearsOneSchemeHostAndPort(Pipeline way) throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(trusting(through(way, node.url())));
            for (String[] fields : List.of(X, STANDARD)) {
                send(way, "GET", "/", fields);
                assertSays(node.last(), "https", "www.example.org", "443");
                assertThat(node.last().all("x-forwarded-for")).containsExactly("203.0.113.7, 127.0.0.1");
                assertThat(node.last().all("x-real-ip")).containsExactly("203.0.113.7");
                assertThat(node.last().field("forwarded")).startsWith("for=203.0.113.7");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void redirectToHttpsEndsAndItsClientsGetHsts(Pipeline way) throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(redirecting(trusting(through(way, node.url()))));
            for (String[] fields : List.of(X, STANDARD)) {
                RawClient.Answer answer = send(way, "GET", "/", fields);
                assertThat(answer.status()).isEqualTo(200);
                assertThat(answer.all("strict-transport-security")).containsExactly("max-age=60");
            }
            RawClient.Answer plain =
                    send(way, "GET", "/a", "X-Forwarded-Proto", "http", "X-Forwarded-Host", "w.example");
            assertThat(plain.status()).isEqualTo(308);
            assertThat(plain.field("location")).isEqualTo("https://w.example/a");
            assertThat(plain.field("strict-transport-security")).isNull();
        }
    }

    @Test
    void strangerSaysNothingOfIt() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(redirecting(forwarding(node.url())));
            for (String[] fields : List.of(X, STANDARD)) {
                RawClient.Answer answer = send(Pipeline.HTTP1, "GET", "/", fields);
                assertThat(answer.field("location")).isEqualTo("https://shop.example.com/");
            }
        }
    }

    @Test
    void locationsAndCookiesHaveIt() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            Config config = trusting(forwarding(node.url()));
            gateway()
                    .apply(config.copy()
                            .pass(ProxyPass.builder()
                                    .id("pass")
                                    .redirect(Redirect.builder()
                                            .location("$scheme://$host/new$path")
                                            .build())
                                    .build()));
            assertThat(send(Pipeline.HTTP1, "GET", "/a", X).field("location"))
                    .isEqualTo("https://www.example.org/new/a");
            assertThat(send(Pipeline.HTTP1, "GET", "/a").field("location")).isEqualTo("http://shop.example.com/new/a");
            gateway()
                    .apply(config.copy()
                            .upstream("others", node.url())
                            .pass(ProxyPass.builder()
                                    .id("pass")
                                    .split(Split.builder()
                                            .targets(List.of(
                                                    SplitTarget.builder()
                                                            .upstreamId("nodes")
                                                            .weight(1)
                                                            .build(),
                                                    SplitTarget.builder()
                                                            .upstreamId("others")
                                                            .weight(1)
                                                            .build()))
                                            .sticky(Sticky.builder()
                                                    .source(StickySource.COOKIE)
                                                    .name("s")
                                                    .build())
                                            .build())
                                    .build()));
            assertThat(send(Pipeline.HTTP1, "GET", "/", X).field("set-cookie")).contains("; Secure");
            assertThat(send(Pipeline.HTTP1, "GET", "/").field("set-cookie")).doesNotContain("Secure");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                // The connection is in plaintext, to a port between 20000 and 32000.
                "https | - | - | https | shop.example.com | 443",
                "HTTPS | - | - | https | shop.example.com | 443",
                "wss | - | - | https | shop.example.com | 443",
                "https | w.example:8443 | - | https | w.example:8443 | 8443",
                "https | w.example:443 | - | https | w.example | 443",
                "https | w.example | 8443 | https | w.example | 8443",
                "https | W.Example. | 443 | https | w.example | 443",
                "https | - | 443 | https | shop.example.com | 443",
                "http | w.example | - | http | w.example | 80",
                "- | w.example | - | http | w.example | 80",
                // What cannot be one is not passed on.
                "gopher | w.example | 0 | http | w.example | 80",
                "https | a/b | 99999 | https | shop.example.com | 443",
                "https | w.example | 4x | https | w.example | 443",
                // Lists: what the trusted peer says itself is last.
                "'http, https' | 'evil.example, w.example' | '1, 443' | https | w.example | 443",
            })
    void eachWordHasItsMeaning(String proto, String host, String port, String scheme, String named, String atPort)
            throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(trusting(forwarding(node.url())));
            StringBuilder request = new StringBuilder("GET / HTTP/1.1\r\nHost: shop.example.com\r\n");
            request.append(proto == null ? "" : "X-Forwarded-Proto: " + proto + "\r\n");
            request.append(host == null ? "" : "X-Forwarded-Host: " + host + "\r\n");
            request.append(port == null ? "" : "X-Forwarded-Port: " + port + "\r\n");
            exchange(request.append("\r\n").toString());
            TestNode.Received received = node.last();
            assertThat(received.all("x-forwarded-proto")).containsExactly(scheme);
            assertThat(received.all("x-forwarded-host")).containsExactly(named);
            assertThat(received.all("x-forwarded-port")).containsExactly(atPort);
            boolean implied = named.contains(":") || atPort.equals(scheme.equals("https") ? "443" : "80");
            String whole = implied ? named : named + ":" + atPort;
            assertThat(received.field("forwarded"))
                    .endsWith(";host=" + (whole.contains(":") ? "\"" + whole + "\"" : whole) + ";proto=" + scheme);
        }
    }

    /** Each of two trusted proxies added its element; the client spoke to the first one. */
    @Test
    void listsAreReadAtTheClient() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(trusting(forwarding(node.url())));
            send(
                    Pipeline.HTTP1,
                    "GET",
                    "/",
                    "X-Forwarded-For",
                    "198.51.100.1, 203.0.113.7, 127.0.0.9",
                    "X-Forwarded-Proto",
                    "http, https, http",
                    "X-Forwarded-Host",
                    "forged.example, www.example.org, inner.example");
            assertSays(node.last(), "https", "www.example.org", "443");
            assertThat(node.last().all("x-forwarded-for"))
                    .containsExactly("198.51.100.1, 203.0.113.7, 127.0.0.9, 127.0.0.1");
            assertThat(node.last().field("x-real-ip")).isEqualTo("203.0.113.7");
            send(
                    Pipeline.HTTP1,
                    "GET",
                    "/",
                    "Forwarded",
                    "for=198.51.100.1;proto=http;host=forged.example",
                    "Forwarded",
                    "for=_hidden;proto=https;host=www.example.org, for=127.0.0.9;proto=http;host=inner.example");
            assertSays(node.last(), "https", "www.example.org", "443");
            assertThat(node.last().field("x-forwarded-for")).isEqualTo("198.51.100.1, _hidden, 127.0.0.9, 127.0.0.1");
        }
    }

    /** RFC 9110 §5.6.1.2. */
    @Test
    void emptyElementsAreIgnored() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(trusting(forwarding(node.url())));
            for (String[] fields : List.of(
                    new String[] {
                        "X-Forwarded-For",
                        ", 198.51.100.1,, 203.0.113.7 ,",
                        "X-Forwarded-Proto",
                        "https,",
                        "X-Forwarded-Host",
                        "www.example.org, ,",
                    },
                    new String[] {
                        "Forwarded",
                        ",for=198.51.100.1,, for=203.0.113.7;proto=https;host=www.example.org",
                        "Forwarded",
                        ","
                    })) {
                send(Pipeline.HTTP1, "GET", "/", fields);
                assertSays(node.last(), "https", "www.example.org", "443");
                assertThat(node.last().field("x-forwarded-for")).isEqualTo("198.51.100.1, 203.0.113.7, 127.0.0.1");
                assertThat(node.last().field("forwarded")).startsWith("for=198.51.100.1, for=203.0.113.7");
                assertThat(node.last().field("x-real-ip")).isEqualTo("203.0.113.7");
            }
            send(Pipeline.HTTP1, "GET", "/", "X-Forwarded-For", "", "X-Forwarded-Proto", ",", "X-Forwarded-Host", "");
            assertSays(node.last(), "http", "shop.example.com", String.valueOf(port()));
            assertThat(node.last().field("x-forwarded-for")).isEqualTo("127.0.0.1");
            assertThat(node.last().field("forwarded")).startsWith("for=127.0.0.1;");
        }
    }

    /** RFC 7239 §4; what a stranger wrote into the field before its proxy did changes nothing of that. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            for=203.0.113.7;proto=https;host=www.example.org;ext="a,b"
            for=203.0.113.7;ext="proto=http;host=evil";proto=https;host="www.example.org"
            ext="a;proto=http;\\";b,c";for="203.0.113.7";host=www.example.org;proto=https
            for="x, for=203.0.113.7;proto=https;host=www.example.org
            for="198.51.100.1, a\\", for="203.0.113.7:80";proto=https;host=www.example.org
            """)
    void separatorsWithinQuotesSeparateNothing(String forwarded) throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(trusting(forwarding(node.url())));
            send(Pipeline.HTTP1, "GET", "/", "Forwarded", forwarded);
            assertSays(node.last(), "https", "www.example.org", "443");
            assertThat(node.last().all("x-real-ip")).containsExactly("203.0.113.7");
            assertThat(node.last().field("x-forwarded-for")).endsWith("203.0.113.7, 127.0.0.1");
        }
    }

    @Test
    void ipv6IsWrittenAsEachFamilyHasIt() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(trusting(forwarding(node.url())));
            send(Pipeline.HTTP1, "GET", "/", "X-Forwarded-For", "2001:DB8:0:0::1, 192.0.2.1:99");
            assertThat(node.last().field("forwarded"))
                    .startsWith("for=\"[2001:DB8:0:0::1]\", for=\"192.0.2.1:99\", for=127.0.0.1;");
            send(Pipeline.HTTP1, "GET", "/", "Forwarded", "for=\"[2001:db8::1]:4711\"");
            assertThat(node.last().field("x-forwarded-for")).isEqualTo("2001:db8::1, 127.0.0.1");
            assertThat(node.last().field("x-real-ip")).isEqualTo("2001:db8::1");
        }
    }

    @Test
    void prefixThatIsStrippedIsSaidBehindThoseBefore() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            Config config = forwarding(node.url())
                    .with(
                            ResourceType.PROXY_PASS,
                            "pass",
                            pass -> pass.toBuilder().stripPrefix("/shop").build());
            gateway().apply(config);
            send(Pipeline.HTTP1, "GET", "/shop/a", "X-Forwarded-Prefix", "/forged");
            assertThat(node.last().target()).isEqualTo("/a");
            assertThat(node.last().all("x-forwarded-prefix")).containsExactly("/shop");
            send(Pipeline.HTTP2, "GET", "/shop");
            assertThat(node.last().target()).isEqualTo("/");
            assertThat(node.last().all("x-forwarded-prefix")).containsExactly("/shop");
            send(Pipeline.HTTP1, "GET", "/shopping");
            assertThat(node.last().field("x-forwarded-prefix")).isNull();
            gateway().apply(trusting(config));
            send(Pipeline.HTTP1, "GET", "/shop/a", "X-Forwarded-Prefix", "/outer/");
            assertThat(node.last().all("x-forwarded-prefix")).containsExactly("/outer/shop");
            send(Pipeline.HTTP1, "GET", "/other", "X-Forwarded-Prefix", "/outer");
            assertThat(node.last().all("x-forwarded-prefix")).containsExactly("/outer");
        }
    }

    /** The next request of the connection has its own. */
    @Test
    void nothingIsLeftForTheNextRequest() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(trusting(forwarding(node.url())));
            try (RawClient client = RawClient.connect(port())) {
                for (int i = 0; i < 3; i++) {
                    client.send("GET / HTTP/1.1\r\nHost: shop.example.com\r\nX-Forwarded-Proto: https\r\n\r\n");
                    client.read();
                    assertSays(node.last(), "https", "shop.example.com", "443");
                    client.send("GET / HTTP/1.1\r\nHost: shop.example.com\r\n\r\n");
                    client.read();
                    assertSays(node.last(), "http", "shop.example.com", String.valueOf(port()));
                }
            }
        }
    }
}
