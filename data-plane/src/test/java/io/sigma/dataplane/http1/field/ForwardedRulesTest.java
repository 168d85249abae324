package io.sigma.dataplane.http1.field;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.PipelineContract;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.model.ForwardedHeaders;
import io.sigma.model.ProxyPass;
import io.sigma.model.Redirect;
import io.sigma.snapshot.ResourceType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The grammar and place of {@code Forwarded} (RFC 7239). */
final class ForwardedRulesTest extends PipelineContract {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "192.0.2.1 | 192.0.2.1",
                "192.0.2.1:99 | \"192.0.2.1:99\"",
                "192.0.2.1:_p.9-x | \"192.0.2.1:_p.9-x\"",
                "2001:db8::1 | \"[2001:db8::1]\"",
                "[2001:db8::1] | \"[2001:db8::1]\"",
                "[2001:db8::1]:4711 | \"[2001:db8::1]:4711\"",
                "unknown | unknown",
                "_hidden.a-B_9 | _hidden.a-B_9",
                "_hidden:80 | \"_hidden:80\"",
                // None of these is a node.
                "client-1 | unknown",
                "localhost | unknown",
                "192.0.2.256 | unknown",
                "192.0.2.1:123456 | unknown",
                "192.0.2.1: | unknown",
                "192.0.2.1:a | unknown",
                "2001:db8::g | unknown",
                "[2001:db8::1 | unknown",
                "[2001:db8::1]80 | unknown",
                "[192.0.2.1] | unknown",
                "_ | unknown",
                "_a:b:c | unknown",
                "a/b | unknown",
            })
    void hopsBecomeNodesOfTheGrammar(String hop, String node) throws Exception {
        try (TestNode reached = TestNode.named("ok")) {
            gateway().apply(trusting(forwarding(reached.url())));
            send(Pipeline.HTTP1, "GET", "/", "X-Forwarded-For", hop);
            assertThat(reached.last().field("forwarded"))
                    .isEqualTo("for=" + node + ", for=127.0.0.1;host=shop.example.com;proto=http");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "For=\"[2001:db8::1]:80\";PROTO=\"HTTPS\";Host=\"w.example:8443\" | 2001:db8::1 | https | w.example:8443",
                "proto=https ; host=w.example ; for=192.0.2.1 | 192.0.2.1 | https | w.example",
                "for=_hidden;by=192.0.2.9;secret=x;proto=http;host=w.example | _hidden | http | w.example",
            })
    void elementsAreReadAsTheirGrammarHasThem(String element, String hop, String scheme, String host) throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(trusting(forwarding(node.url())));
            send(Pipeline.HTTP1, "GET", "/", "Forwarded", element);
            assertThat(node.last().field("x-forwarded-for")).isEqualTo(hop + ", 127.0.0.1");
            assertThat(node.last().all("x-forwarded-proto")).containsExactly(scheme);
            assertThat(node.last().all("x-forwarded-host")).containsExactly(host);
        }
    }

    /** Behind an open quote the gateway's own element would be text. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "for=192.0.2.1;host=\"w.example | for=192.0.2.1",
                "for=192.0.2.1;by=\"a\\\" | for=192.0.2.1",
                "for=192.0.2.1:80 | for=192.0.2.1",
                "for=[2001:db8::1] | for=\"[2001:db8::1]\"",
                "for=192.0.2.1;for=192.0.2.2 | for=192.0.2.1",
                "for=192.0.2.1;proto=http;Proto=https | for=192.0.2.1",
                "for=192.0.2.1;by | for=192.0.2.1",
                "for=192.0.2.1;by= | for=192.0.2.1",
                "for=192.0.2.1 by=_a | for=unknown",
                "for =192.0.2.1 | for=unknown",
                "for=192.0.2.1, =a | for=192.0.2.1, for=unknown",
                "for=192.0.2.1, for=\"a | for=192.0.2.1, for=unknown",
            })
    void malformedElementsAreWrittenAnew(String sent, String written) throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(trusting(forwarding(node.url())));
            send(Pipeline.HTTP1, "GET", "/", "Forwarded", sent);
            assertThat(node.last().all("forwarded")).hasSize(1);
            assertThat(node.last().field("forwarded"))
                    .startsWith(written + ", for=127.0.0.1;host=")
                    .doesNotContain("=;", ":80;");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "for=192.0.2.1",
                ";;for=192.0.2.1;",
                "for=\"192.0.2.1:80\";by=_x;secret=\"a,b;c\\\"\"",
                "For=_a; proto=http ;host=shop.example.com",
                "for=\"\", by=_b",
            })
    void elementsOfTheGrammarAreKept(String element) throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(trusting(forwarding(node.url())));
            send(Pipeline.HTTP1, "GET", "/", "Forwarded", element);
            assertThat(node.last().field("forwarded"))
                    .isEqualTo(element + ", for=127.0.0.1;host=shop.example.com;proto=http");
        }
    }

    /** A load balancer that writes X-Forwarded-For passes on what its client wrote into Forwarded. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "192.0.2.1 | for=192.0.2.1",
                "192.0.2.1:99 | for=192.0.2.1;proto=http;host=shop.example.com",
                "2001:db8::1 | for=\"[2001:db8::1]:80\"",
                "192.0.2.1, 192.0.2.2 | for=192.0.2.1;by=_x, for=192.0.2.2",
            })
    void elementsThatAgreeWithTheOtherFamilyAreKept(String hops, String elements) throws Exception {
        assertElements(hops, elements, elements);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "192.0.2.1 | for=192.0.2.9 | for=192.0.2.1",
                "192.0.2.1 | for=192.0.2.9, for=192.0.2.1 | for=192.0.2.1",
                "192.0.2.1, 192.0.2.2 | for=192.0.2.2 | for=192.0.2.1, for=192.0.2.2",
                "192.0.2.1 | for=192.0.2.1;proto=https | for=192.0.2.1",
                "192.0.2.1 | for=192.0.2.1;host=forged.example | for=192.0.2.1",
            })
    void elementsThatSayOtherwiseAreWrittenFromTheOtherFamily(String hops, String elements, String written)
            throws Exception {
        assertElements(hops, elements, written);
    }

    private void assertElements(String hops, String elements, String written) throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(trusting(forwarding(node.url())));
            send(
                    Pipeline.HTTP1,
                    "GET",
                    "/",
                    "X-Forwarded-For",
                    hops,
                    "X-Forwarded-Proto",
                    "http",
                    "X-Forwarded-Host",
                    "shop.example.com",
                    "Forwarded",
                    elements);
            assertThat(node.last().field("forwarded")).startsWith(written + ", for=127.0.0.1;host=");
            assertThat(node.last().field("x-forwarded-for")).isEqualTo(hops + ", 127.0.0.1");
        }
    }

    /** The field is for requests alone (RFC 7239 §4, §8.2). */
    @ParameterizedTest
    @EnumSource
    void noResponseTellsTheWay(Pipeline way) throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            Config config = trusting(through(way, node.url()))
                    .with(
                            ResourceType.ROUTER,
                            "all",
                            router -> router.toBuilder()
                                    .forwardedHeaders(ForwardedHeaders.ALL)
                                    .build());
            gateway().apply(config);
            assertSilent(send(way, "GET", "/", "Forwarded", "for=192.0.2.1"));
            assertSilent(send(way, "TRACE", "/", "Forwarded", "for=192.0.2.1"));
            gateway()
                    .apply(config.copy()
                            .pass(ProxyPass.builder()
                                    .id("pass")
                                    .redirect(Redirect.builder()
                                            .location("https://w.example")
                                            .build())
                                    .build()));
            assertSilent(send(way, "GET", "/", "Forwarded", "for=192.0.2.1"));
        }
    }

    private static void assertSilent(RawClient.Answer answer) {
        assertThat(answer.fields()).noneMatch(field -> field.matches("(?i)(x-)?forwarded.*"));
    }

    @Test
    void everyParameterComesOnce() throws Exception {
        try (TestNode node = TestNode.named("ok")) {
            gateway().apply(forwarding(node.url()));
            for (Pipeline way : new Pipeline[] {Pipeline.HTTP1, Pipeline.HTTP2}) {
                send(way, "GET", "/");
                assertThat(node.last().all("forwarded"))
                        .containsExactly("for=127.0.0.1;host=shop.example.com;proto=http");
            }
        }
    }
}
