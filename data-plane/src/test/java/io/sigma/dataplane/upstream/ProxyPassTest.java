package io.sigma.dataplane.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.EngineContract;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.dataplane.testkit.TestNode;
import io.sigma.model.FixedResponse;
import io.sigma.model.HeaderEdits;
import io.sigma.model.ProxyPass;
import io.sigma.model.Split;
import io.sigma.model.SplitTarget;
import io.sigma.model.Sticky;
import io.sigma.model.StickySource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The handling of a match by a proxy pass. */
@SuppressWarnings("StringConcatToTextBlock") // Every byte of a line end is meant.
final class ProxyPassTest extends EngineContract {

    private static final int MANY = 400;

    private Config passing(ProxyPass.Builder pass, String... nodes) {
        Config config = new Config()
                .server("web", port())
                .router("all", "web")
                .route("any", "all", "/*", "pass")
                .pass(pass.id("pass").build());
        for (int i = 0; i < nodes.length; i++) {
            config.upstream("nodes-" + i, nodes[i]);
        }
        return config;
    }

    private static Split split(Sticky sticky, int... weights) {
        List<SplitTarget> targets = new java.util.ArrayList<>();
        for (int i = 0; i < weights.length; i++) {
            targets.add(SplitTarget.builder()
                    .upstreamId("nodes-" + i)
                    .weight(weights[i])
                    .build());
        }
        return Split.builder().targets(targets).sticky(sticky).build();
    }

    private Map<String, Integer> answers(int requests, String fields) throws Exception {
        Map<String, Integer> answers = new HashMap<>();
        try (RawClient client = RawClient.connect(port())) {
            for (int i = 0; i < requests; i++) {
                client.send("GET / HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n");
                answers.merge(client.read().text(), 1, Integer::sum);
            }
        }
        return answers;
    }

    @Test
    void requestsAreSplitByWeight() throws Exception {
        try (TestNode old = TestNode.named("old");
                TestNode next = TestNode.named("next");
                TestNode none = TestNode.named("none")) {
            gateway()
                    .apply(passing(ProxyPass.builder().split(split(null, 3, 1, 0)), old.url(), next.url(), none.url()));
            Map<String, Integer> answers = answers(MANY, "");
            assertThat(answers).containsOnlyKeys("old", "next");
            assertThat(answers.get("next")).isBetween(MANY / 4 - 60, MANY / 4 + 60);
        }
    }

    @Test
    void cookieKeepsAClientOnItsUpstream() throws Exception {
        Sticky sticky = Sticky.builder()
                .source(StickySource.COOKIE)
                .name("canary")
                .maxAgeSeconds(60L)
                .build();
        try (TestNode old = TestNode.named("old");
                TestNode next = TestNode.named("next")) {
            gateway().apply(passing(ProxyPass.builder().split(split(sticky, 1, 1)), old.url(), next.url()));
            for (int client = 0; client < 10; client++) {
                RawClient.Answer first = get("/");
                String cookie = Objects.requireNonNull(first.field("set-cookie"));
                assertThat(cookie)
                        .startsWith("canary=")
                        .contains("Path=/", "HttpOnly", "SameSite=Lax", "Max-Age=60")
                        .doesNotContain("Secure");
                String pair = cookie.substring(0, cookie.indexOf(';'));
                assertThat(answers(20, "Cookie: other=1; " + pair + "\r\n")).containsOnlyKeys(first.text());
            }
            RawClient.Answer known = exchange("GET / HTTP/1.1\r\nHost: a\r\nCookie: canary=x\r\n\r\n");
            assertThat(known.field("set-cookie")).isNull();
        }
    }

    @Test
    void headerKeepsAClientOnItsUpstreamAndWeightsMoveFew() throws Exception {
        Sticky sticky =
                Sticky.builder().source(StickySource.HEADER).name("X-User").build();
        try (TestNode old = TestNode.named("old");
                TestNode next = TestNode.named("next")) {
            gateway().apply(passing(ProxyPass.builder().split(split(sticky, 90, 10)), old.url(), next.url()));
            Map<Integer, String> before = new HashMap<>();
            for (int user = 0; user < 60; user++) {
                Map<String, Integer> seen = answers(2, "X-User: u" + user + "\r\n");
                assertThat(seen).hasSize(1);
                before.put(user, seen.keySet().iterator().next());
            }
            gateway().apply(passing(ProxyPass.builder().split(split(sticky, 50, 50)), old.url(), next.url()));
            for (int user = 0; user < 60; user++) {
                String now = answers(1, "X-User: u" + user + "\r\n")
                        .keySet()
                        .iterator()
                        .next();
                // Whoever was on the canary stays there when it grows.
                assertThat(before.get(user).equals("next") && now.equals("old")).isFalse();
            }
        }
    }

    @Test
    void fixedResponseNeedsNoUpstream() throws Exception {
        gateway()
                .apply(passing(ProxyPass.builder()
                        .fixedResponse(FixedResponse.builder()
                                .status(503)
                                .contentType("text/html")
                                .body("<p>Back at noon.")
                                .build())
                        .responseHeaders(HeaderEdits.builder()
                                .set(Map.of("Retry-After", "60"))
                                .build())));
        RawClient.Answer answer = get("/");
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.field("content-type")).isEqualTo("text/html");
        assertThat(answer.field("retry-after")).isEqualTo("60");
        assertThat(answer.text()).isEqualTo("<p>Back at noon.");
    }

    @ParameterizedTest
    @CsvSource({
        "/api,     ,    /api/users?x=1, /users?x=1",
        "/api,     ,    /api,           /",
        "/api,     ,    /apiary/x,      /apiary/x",
        "/api,     /v2, /api/users,     /v2/users",
        ",         /v2, /users,         /v2/users",
        "/a/b,     /c,  /a/b/,          /c/"
    })
    void prefixesAreTakenOffAndPutBefore(String strip, String add, String target, String expected) throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> connection.ok(request.target()))) {
            gateway()
                    .apply(passing(
                            ProxyPass.builder()
                                    .upstreamId("nodes-0")
                                    .stripPrefix(strip)
                                    .addPrefix(add),
                            node.url() + "/base"));
            assertThat(get(target).text()).isEqualTo("/base" + expected);
        }
    }

    @Test
    void hostIsWhatTheProxyPassSays() throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> connection.ok("" + request.field("host")))) {
            gateway()
                    .apply(passing(ProxyPass.builder().upstreamId("nodes-0").host("inner.example.com:81"), node.url()));
            assertThat(get("/").text()).isEqualTo("inner.example.com:81");
        }
    }

    @Test
    void bodyOverTheLimitOfTheProxyPassIsTooLarge() throws Exception {
        try (TestNode node = TestNode.start((request, connection) -> connection.ok("" + request.body().length))) {
            gateway().apply(passing(ProxyPass.builder().upstreamId("nodes-0").requestBodyBytesMax(10L), node.url()));
            assertThat(exchange("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n0123456789")
                            .text())
                    .isEqualTo("10");
            assertThat(exchange("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\n\r\n0123456789a")
                            .status())
                    .isEqualTo(413);
            assertThat(exchange("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                                    + "b\r\n0123456789a\r\n0\r\n\r\n")
                            .status())
                    .isEqualTo(413);
        }
    }
}
