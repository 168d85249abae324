package io.sigma.dataplane.http1.field;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.PipelineContract;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.dataplane.testkit.Wire;
import io.sigma.model.ForwardedHeaders;
import io.sigma.model.Route;
import io.sigma.model.RouteCondition;
import io.sigma.snapshot.ResourceType;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Fields by which proxies tell of a client: from a peer that is not trusted none reaches a node, whatever its name
 * looks like.
 */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class StrangersFieldsTest extends PipelineContract {

    private static final String FORGED = "forged";

    /** A name of each kind, and some that only look like one. */
    private static final List<String> NAMES = List.of(
            "Forwarded",
            "Forwarded-For",
            "X-Forwarded",
            "X-Forwarded-For",
            "X-Forwarded-Proto",
            "X-Forwarded-Protocol",
            "X-Forwarded-Scheme",
            "X-Forwarded-Ssl",
            "X-Forwarded-Host",
            "X-Forwarded-Server",
            "X-Forwarded-Port",
            "X-Forwarded-Prefix",
            "X-Forwarded-Path",
            "X-Forwarded-Uri",
            "X-Forwarded-Method",
            "X-Forwarded-By",
            "X-Forwarded-User",
            "X-Forwarded-Client-Cert",
            "X-Forwarded-Tls-Client-Cert",
            "X-FORWARDED-prefix",
            "X.Forwarded.Prefix",
            "X-Forwarded~For",
            "X_Forwarded_For",
            "X-Real-IP",
            "X-Real-Port",
            "X-Original-URL",
            "X-Original-Uri",
            "X-Original-Host",
            "X-Original-Forwarded-For",
            "X-Original-Method",
            "X-Originating-IP",
            "X-Rewrite-URL",
            "True-Client-IP",
            "X-True-Client-IP",
            "Client-IP",
            "X-Client-IP",
            "X-Cluster-Client-IP",
            "CF-Connecting-IP",
            "Fastly-Client-IP",
            "Fly-Client-IP",
            "X-Envoy-External-Address",
            "X-Envoy-Original-Path",
            "X-Azure-ClientIP",
            "X-Appengine-User-IP",
            "X-Remote-Addr",
            "X-Host",
            "X-Scheme",
            "X-Url-Scheme",
            "X-Proto",
            "X-HTTPS",
            "Remote-Addr",
            "CloudFront-Forwarded-Proto",
            "CloudFront-Viewer-Address",
            "Ali-CDN-Real-IP",
            "Cdn-Src-IP",
            "EO-Connecting-IP",
            "Front-End-Https",
            "X-Script-Name",
            "Script-Name",
            "X-Ingress-Path",
            "X-Replaced-Path",
            "X-Proxy-Prefix",
            "X-Envoy-Internal",
            "X-Forward-For",
            "X-Forwarder-For",
            "X-SSL",
            "X-Certificate",
            "X-Amzn-Tls-Version",
            "Client-Cert",
            "Client-Cert-Chain",
            "X-Client-Cert",
            "X-Client-Verify",
            "X-SSL-Cert",
            "X-SSL-Client-Cert",
            "X-SSL-Client-S-DN",
            "SSL-Client-Verify",
            "X-ARR-ClientCert",
            "X-Amzn-Mtls-Clientcert");

    private static final List<String> OTHERS = List.of(
            "X-Forward",
            "X-Request-Id",
            "X-Requested-With",
            "X-Protocol",
            "Remote-Address-Book",
            "Form",
            "Client",
            "X-Api-Key",
            "X-F",
            "X",
            "Via-X");

    private static String[] all(List<String> names, String value) {
        List<String> fields = new ArrayList<>();
        names.forEach(name -> fields.addAll(List.of(name, value)));
        return fields.toArray(String[]::new);
    }

    private static Config mode(Config config, ForwardedHeaders mode) {
        return config.with(
                ResourceType.ROUTER,
                "all",
                router -> router.toBuilder().forwardedHeaders(mode).build());
    }

    private static void assertClean(TestNode.Received request) {
        assertThat(request.fields()).noneMatch(field -> field.contains(FORGED));
    }

    /** CGI programs see it as HTTP_PROXY, the proxy of their own requests; no peer is believed. */
    @ParameterizedTest
    @EnumSource
    void nobodyChoosesTheProxyOfProgramsOfTheNode(Pipeline way) throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            for (Config config : List.of(through(way, node.url()), trusting(through(way, node.url())))) {
                gateway().apply(config);
                assertThat(send(way, "GET", "/", "Proxy", "http://evil.example").status())
                        .isEqualTo(200);
                assertThat(node.last().all("proxy")).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void noneReachesANode(Pipeline way) throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            for (ForwardedHeaders mode : ForwardedHeaders.values()) {
                gateway().apply(mode(through(way, node.url()), mode));
                assertThat(send(way, "GET", "/" + mode, all(NAMES, FORGED)).status())
                        .isEqualTo(200);
                assertThat(node.last().target()).isEqualTo("/" + mode);
                assertClean(node.last());
                assertThat(node.last().field("x-forwarded-prefix")).isNull();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void eachAloneReachesNoNodeEither(Pipeline way) throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(through(way, node.url()));
            for (String name : way.tls ? NAMES.subList(0, 5) : NAMES) {
                send(way, "GET", "/", name, FORGED, "Accept", "*/*", name, FORGED);
                assertClean(node.last());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void othersReachIt(Pipeline way) throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(through(way, node.url()));
            send(way, "GET", "/", all(OTHERS, "mine"));
            for (String name : OTHERS) {
                assertThat(node.last().field(name)).as(name).isEqualTo("mine");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void thoseOfATrustedPeerReachIt(Pipeline way) throws Exception {
        List<String> kept = List.of(
                "X-Forwarded-Client-Cert", "X-Original-URL", "True-Client-IP", "Client-Cert", "X-Forwarded-Prefix");
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(trusting(through(way, node.url())));
            send(way, "GET", "/", all(kept, "said"));
            for (String name : kept) {
                assertThat(node.last().all(name)).as(name).containsExactly("said");
            }
            gateway().apply(mode(trusting(through(way, node.url())), ForwardedHeaders.NONE));
            send(way, "GET", "/", all(kept, "said"));
            assertThat(node.last().fields().toString().toLowerCase(Locale.ROOT)).doesNotContain("forwarded");
        }
    }

    /** Lines that come again are not parsed again. */
    @Test
    void noneReachesANodeHoweverOftenItComes() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(forwarding(node.url()));
            try (RawClient client = RawClient.connect(port())) {
                for (String more : List.of("", "", "A: 1\r\n", "A: 2\r\n", "A: 2\r\n", "")) {
                    client.send("GET / HTTP/1.1\r\nHost: a\r\n" + more
                            + "X-Forwarded-Prefix: forged\r\nX-Original-URL: forged\r\nX-Mine: 1\r\n\r\n");
                    assertThat(client.read().status()).isEqualTo(200);
                    assertClean(node.last());
                    assertThat(node.last().field("x-mine")).isEqualTo("1");
                }
            }
        }
    }

    @Test
    void noneMeetsACondition() throws Exception {
        try (TestNode node = TestNode.named("ok");
                TestNode other = TestNode.named("other")) {
            gateway()
                    .apply(forwarding(node.url())
                            .upstream("other", other.url())
                            .pass("other", "other")
                            .route(Route.builder()
                                    .id("inside")
                                    .routerId("all")
                                    .path("/*")
                                    .priority(1)
                                    .headers(List.of(RouteCondition.builder()
                                            .name("X-Original-URL")
                                            .present(true)
                                            .build()))
                                    .proxyPassId("other")
                                    .build()));
            assertThat(send(Pipeline.HTTP1, "GET", "/", "X-Original-URL", FORGED)
                            .text())
                    .isEqualTo("ok");
        }
    }

    @Test
    void mirrorAndUpgradeCarryNoneEither() throws Exception {
        BlockingQueue<TestNode.Received> copies = new LinkedBlockingQueue<>();
        try (TestNode node = TestNode.start((request, connection) -> {
                    if (request.field("upgrade") == null) {
                        connection.ok("ok");
                    } else {
                        connection.send(
                                "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
                    }
                });
                TestNode shadow = TestNode.start((request, connection) -> {
                    connection.ok("copied");
                    copies.add(request);
                })) {
            gateway().apply(forwarding(node.url()).mirrored(shadow.url()));
            send(Pipeline.HTTP1, "GET", "/", all(NAMES, FORGED));
            TestNode.Received copy = copies.poll(10, TimeUnit.SECONDS);
            assertThat(copy).isNotNull();
            assertClean(copy);
            assertThat(exchange("GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                                    + "X-Forwarded-Prefix: forged\r\nX-Rewrite-URL: forged\r\n\r\n")
                            .status())
                    .isEqualTo(101);
            assertClean(node.last());
        }
    }

    @Test
    void trailersCarryNone() throws Exception {
        AtomicReference<List<String>> trailers = new AtomicReference<>();
        try (TestNode node = TestNode.startHeadsOnly((request, connection) -> {
            trailers.set(Wire.readChunks(connection.in(), new ByteArrayOutputStream()));
            connection.ok("done");
        })) {
            gateway().apply(forwarding(node.url()));
            StringBuilder sent = new StringBuilder();
            NAMES.forEach(name -> sent.append(name).append(": forged\r\n"));
            exchange("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX-Sum: 9\r\n" + sent
                    + "\r\n");
            assertThat(trailers.get()).containsExactly("X-Sum: 9");
        }
    }
}
