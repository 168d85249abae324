package io.sigma.controlplane.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.controlplane.testing.AdminClient;
import io.sigma.controlplane.testing.AdminClient.Reply;
import io.sigma.controlplane.testing.RunningControlPlane;
import io.sigma.controlplane.testing.TestControlPlane;
import io.sigma.controlplane.testing.TestDatabase;
import io.sigma.controlplane.testing.TestSettings;
import java.net.URI;
import java.net.http.HttpRequest;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

final class AccessTest {

    private static final int TRIES = 20;

    @RegisterExtension
    static final TestControlPlane running = new TestControlPlane();

    private static final AdminClient client = running.client();

    private static Reply get(String path, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(client.base() + path));
        for (int i = 0; i < headers.length; i += 2) {
            request.setHeader(headers[i], headers[i + 1]);
        }
        return client.send(request.build());
    }

    @Test
    void everythingButHealthNeedsTheToken() {
        for (String path : List.of("/routes", "/routes/a", "/config", "/events", "/nothing", "/revisions/1", "")) {
            Reply refused = get("/api/v1" + path);
            assertThat(refused.status()).as(path).isEqualTo(401);
            assertThat(refused.header("WWW-Authenticate")).startsWith("Bearer");
            assertThat(refused.header("Content-Type")).isEqualTo("application/problem+json");
        }
        assertThat(get("/api/v1/routes", "Authorization", "Basic abc").status()).isEqualTo(401);
        assertThat(get("/api/v1/health").status()).isEqualTo(200);
        assertThat(get("/api/v1/routes", "Authorization", "bearer " + TestSettings.TOKEN)
                        .status())
                .isEqualTo(200);
    }

    @Test
    void crossOriginWritesAreRefusedAndNothingIsShared() {
        for (String origin : List.of("http://evil.example", "null", "http://127.0.0.1", "::")) {
            Reply refused = client.put("/proxy-servers/csrf", "{\"port\":1}", "Origin", origin);
            assertThat(refused.status()).as(origin).isEqualTo(403);
            assertThat(refused.json().path("detail").asText()).contains(origin);
        }
        Reply own = client.put("/proxy-servers/own", "{\"port\":2}", "Origin", client.base());
        assertThat(own.status()).isEqualTo(201);
        Reply read = client.get("/proxy-servers", "Origin", "http://evil.example");
        assertThat(read.status()).isEqualTo(200);
        assertThat(read.http().headers().map().keySet()).noneMatch(name -> name.startsWith("access-control"));
    }

    @Test
    void wrongTokensAreLimitedForEachAddress() throws Exception {
        try (RunningControlPlane limited = RunningControlPlane.start(TestSettings.of(
                running.dir(), TestDatabase.fresh(), "loginFailuresPerMinute", String.valueOf(TRIES)))) {
            AdminClient tries = limited.client();
            for (int i = 0; i < TRIES; i++) {
                assertThat(tries.get("/routes", "Authorization", "Bearer wrong" + i)
                                .status())
                        .isEqualTo(401);
            }
            Reply limit = tries.get("/routes", "Authorization", "Bearer wrong");
            assertThat(limit.status()).isEqualTo(429);
            assertThat(Integer.parseInt(limit.header("Retry-After"))).isBetween(1, 60);
            assertThat(tries.get("/routes").status())
                    .as("the right token is looked up before its address is counted")
                    .isEqualTo(200);
            assertThat(tries.get("/health").status()).isEqualTo(200);
        }
    }

    @Test
    void theDashboardIsServedWithStrictHeaders() {
        Reply index = get("/");
        assertThat(index.status()).isEqualTo(200);
        assertThat(index.http().body()).contains("Test dashboard");
        assertThat(index.header("Content-Type")).startsWith("text/html");
        assertThat(index.header("Cache-Control")).isEqualTo("no-cache");
        assertThat(index.header("X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(index.header("Referrer-Policy")).isEqualTo("no-referrer");
        assertThat(index.header("Content-Security-Policy"))
                .contains("script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'");

        Reply asset = get("/assets/index-B2x9_kQa.js");
        assertThat(asset.http().body()).contains("42");
        assertThat(asset.header("Cache-Control")).contains("immutable");
        assertThat(asset.header("Content-Type")).startsWith("text/javascript");
    }

    @Test
    void filesOfTheDashboardAreCompressedForWhoTakesThat() {
        String path = "/assets/index-B2x9_kQa.js";
        Reply brotli = get(path, "Accept-Encoding", "gzip, deflate, br");
        assertThat(brotli.header("Content-Encoding")).isEqualTo("br");
        assertThat(brotli.header("Vary")).isEqualTo("accept-encoding");
        assertThat(brotli.header("Content-Type")).startsWith("text/javascript");
        assertThat(brotli.http().body()).isEqualTo("br of the asset");
        assertThat(get(path, "Accept-Encoding", "gzip").http().body()).isEqualTo("gz of the asset");
        Reply plain = get(path, "Accept-Encoding", "br;q=0");
        assertThat(plain.http().headers().firstValue("Content-Encoding")).isEmpty();
        assertThat(plain.http().body()).contains("42");
        assertThat(get(path + ".br", "Accept", "*/*").status()).isEqualTo(404);
    }

    @Test
    void longAnswersAreCompressedForWhoTakesThat() {
        String nodes = IntStream.range(0, 60)
                .mapToObj(i -> "{\"url\":\"http://10.0.0." + i + ":8080\"}")
                .collect(Collectors.joining(",", "{\"nodes\":[", "]}"));
        assertThat(client.put("/upstreams/long", nodes).status()).isEqualTo(201);
        Reply plain = client.get("/upstreams/long");
        assertThat(plain.http().headers().firstValue("Content-Encoding")).isEmpty();
        assertThat(plain.json().path("nodes")).hasSize(60);
        Reply compressed = client.get("/upstreams/long", "Accept-Encoding", "gzip, br");
        assertThat(compressed.header("Content-Encoding")).isEqualTo("gzip");
        assertThat(compressed.header("Vary")).isEqualTo("accept-encoding");
        assertThat(Long.parseLong(compressed.header("Content-Length")))
                .isLessThan(plain.http().body().length() / 4);
        assertThat(client.get("/health", "Accept-Encoding", "gzip")
                        .http()
                        .headers()
                        .firstValue("Content-Encoding"))
                .isEmpty();
    }

    @Test
    void pagesOfTheDashboardAreItsIndexAndNothingElseIs() {
        assertThat(get("/routes/shop", "Accept", "text/html,*/*").http().body()).contains("Test dashboard");
        assertThat(get("/assets/gone-12345678.js", "Accept", "*/*").status()).isEqualTo(404);
        for (String path : List.of(
                "/assets", "/assets/", "/../logback-test.xml", "/%2e%2e/logback-test.xml", "/..%2flogback-test.xml")) {
            Reply reply = get(path, "Accept", "*/*");
            assertThat(reply.status()).as("%s: %s", path, reply).isEqualTo(404);
        }
        assertThat(client.send(HttpRequest.newBuilder(URI.create(client.base() + "/"))
                                .POST(HttpRequest.BodyPublishers.noBody())
                                .build())
                        .status())
                .isEqualTo(405);
    }

    @Test
    void twoCredentialsAreRefusedAsAProxyMayHaveCheckedTheOther() {
        HttpRequest both = HttpRequest.newBuilder(URI.create(client.base() + "/api/v1/routes"))
                .header("Authorization", "Bearer " + TestSettings.TOKEN)
                .header("Authorization", "Bearer other")
                .build();
        assertThat(client.send(both).status()).isEqualTo(400);
    }
}
