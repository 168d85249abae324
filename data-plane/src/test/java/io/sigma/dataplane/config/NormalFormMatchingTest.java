package io.sigma.dataplane.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.testkit.Config;
import io.sigma.dataplane.testkit.Http2Client;
import io.sigma.dataplane.testkit.RawClient;
import io.sigma.model.IpAccessPlugin;
import io.sigma.model.Plugins;
import io.sigma.snapshot.ResourceType;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each spelling of a host or a path meets the router and the route of its normal form. */
final class NormalFormMatchingTest extends MatchingContract {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a.example.com",
                "A.Example.COM",
                "a.example.com.",
                "A.EXAMPLE.com.:80",
                "a.example.com:80",
                "a.example.com:"
            })
    void everySpellingOfAHostMeetsTheSameRouter(String host) throws Exception {
        Config config = new Config()
                .server("web", port())
                .router("one", "web", "A.example.com")
                .router("wild", "web", "*.example.com")
                .router("any", "web");
        with(config, "one-route", "one", path("/*"));
        with(config, "wild-route", "wild", path("/*"));
        with(config, "any-route", "any", path("/*"));
        gateway().apply(config);
        assertThat(takenBy("GET", host, "/")).isEqualTo("one-route");
        assertThat(takenBy("GET", "b." + host, "/")).isEqualTo("wild-route");
        assertThat(takenBy("GET", "else.org", "/")).isEqualTo("any-route");
        RawClient.Answer absolute = exchange("GET http://" + host + "/ HTTP/1.1\r\nHost: other\r\n\r\n");
        assertThat(absolute.text()).isEqualTo("one-route");
    }

    @ParameterizedTest
    @CsvSource({
        "/admin/x, admin",
        "/public/../admin/x, admin",
        "/public/%2e%2e/admin/x, admin",
        "/public/%2E./admin/x, admin",
        "/public/..;x=y/admin/x, admin",
        "/public/%2e%2e;x=y/admin/x, admin",
        "/public/./../admin/x, admin",
        "/../../admin/x, admin",
        "//admin/x, admin",
        "/%61dmin/x, admin",
        "/public//../admin/x, admin",
        "/public/..%2fadmin/x, public",
        "/public%2f..%2fadmin, root",
        "/admin%2fx, root",
        "/Admin/x, root",
        "/public/..x/admin, public",
        "/public/a;x=y, public",
        "/public/%c3%a4, umlaut",
        "/public/%C3%A4, umlaut"
    })
    void everySpellingOfAPathMeetsTheSameRoute(String target, String expected) throws Exception {
        Config config = config();
        with(config, "root", path("/*"));
        with(config, "admin", path("/admin/*"));
        with(config, "public", path("/public/*"));
        with(config, "umlaut", path("/public/%C3%A4"));
        gateway().apply(config);
        assertThat(taken(target)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "/internal;x=1/y, internal",
        "/internal;x=1, internal",
        "/internal;/x, internal",
        "/internal;a;b=c/x, internal",
        "/%69nternal;%78/x, internal",
        "/;/internal/x, internal",
        "/;x=1/;y/internal/x, internal",
        "//;x/internal/x, internal",
        "/a;x/..;y/internal/x, internal",
        "/.;x/internal/x, internal",
        "/internal%3bx/y, root",
        "/internal%3Bx/y, root",
        "/internalx;/y, root",
        "/x;/internal/y, root",
        "/;x, root",
        "/expression;x=1, expression",
        "/expression/;x=1, root",
        "/items/7;v=1, item",
        "/items/;v=1, root",
        "/items/7;v=1/more, root",
        "/literal;v=1, literal",
        "/literal;v=1/x, root",
        "/literal;v=2, plain",
        "/literal, plain"
    })
    void parametersOfSegmentsPassNoRoute(String target, String expected) throws Exception {
        Config config = config();
        with(config, "root", path("/*"));
        with(config, "internal", path("/internal/*"));
        with(config, "expression", path("~/ex[a-z]+").priority(1));
        with(config, "item", path("/items/:id"));
        with(config, "literal", path("/literal;v=1").priority(1));
        with(config, "plain", path("/literal"));
        gateway().apply(config);
        assertThat(taken(target)).isEqualTo(expected);
    }

    @Test
    void nodeReceivesTheParametersThatTheMatchIgnores() throws Exception {
        Config config = config();
        with(config, "api", path("/api/*"));
        gateway()
                .apply(config.with(
                        ResourceType.PROXY_PASS,
                        "api",
                        pass -> pass.toBuilder().stripPrefix("/api").build()));
        for (String[] sentAndReceived : new String[][] {
            {"/api;v=1/items;a=1;b/7;?q=;", "/items;a=1;b/7;?q=;"},
            {"/api/items;a=1", "/items;a=1"},
            {"/api;v=1", "/"},
            {"/;/api/items", "/;/api/items"}
        }) {
            assertThat(taken(sentAndReceived[0])).isEqualTo("api");
            assertThat(nodes.getLast().last().target()).isEqualTo(sentAndReceived[1]);
        }
    }

    @Test
    void parametersPassNoAddressFilter() throws Exception {
        Config config = config();
        with(config, "root", path("/*"));
        with(
                config,
                "internal",
                path("/internal/*")
                        .plugins(Plugins.builder()
                                .ipAccess(IpAccessPlugin.builder()
                                        .deny(List.of("127.0.0.0/8"))
                                        .build())
                                .build()));
        gateway().apply(config);
        for (String target : List.of("/internal/x", "/internal;x=1/y", "/internal;/x", "/;/internal/x")) {
            assertThat(taken(target)).isEqualTo("403");
            assertThat(Http2Client.exchange(port(), "GET", target, null).status())
                    .isEqualTo(403);
        }
        assertThat(taken("/x;y")).isEqualTo("root");
    }

    @Test
    void routerThatKeepsSlashesKeepsSegmentsThatAreEmptyWithoutParameters() throws Exception {
        Config config = config();
        config.with(
                ResourceType.ROUTER,
                "all",
                router -> router.toBuilder().mergeSlashes(false).build());
        with(config, "root", path("/*"));
        with(config, "internal", path("/internal/*"));
        with(config, "double", path("//internal/*"));
        gateway().apply(config);
        assertThat(taken("/internal;x//y")).isEqualTo("internal");
        assertThat(taken("/;/internal/x")).isEqualTo("double");
        assertThat(nodes.getLast().last().target()).isEqualTo("/;/internal/x");
    }

    @Test
    void encodedSlashIsPartOfAParameter() throws Exception {
        Config config = config();
        with(config, "one", path("/files/:name"));
        with(config, "two", path("/files/:folder/:name"));
        gateway().apply(config);
        assertThat(taken("/files/a%2fb")).isEqualTo("one");
        assertThat(taken("/files/a/b%2Fc")).isEqualTo("two");
        assertThat(nodes.getLast().last().target()).isEqualTo("/files/a/b%2Fc");
    }

    @Test
    void slashesAreMergedUnlessTheRouterKeepsThem() throws Exception {
        Config config = new Config()
                .server("web", port())
                .router("merges", "web", "merges.example.com")
                .router("keeps", "web", "keeps.example.com");
        config.with(
                ResourceType.ROUTER,
                "keeps",
                router -> router.toBuilder().mergeSlashes(false).build());
        with(config, "merged", "merges", path("/a/b"));
        with(config, "twice", "merges", path("/x//y"));
        with(config, "kept", "keeps", path("/a/b"));
        with(config, "double", "keeps", path("/a//b"));
        with(config, "below", "keeps", path("/c/*"));
        gateway().apply(config);
        assertThat(takenBy("GET", "merges.example.com", "/a//b")).isEqualTo("merged");
        assertThat(nodes.getFirst().last().target()).isEqualTo("/a/b");
        assertThat(takenBy("GET", "merges.example.com", "//x///y")).isEqualTo("twice");
        assertThat(takenBy("GET", "keeps.example.com", "/a//b")).isEqualTo("double");
        assertThat(nodes.get(3).last().target()).isEqualTo("/a//b");
        assertThat(takenBy("GET", "keeps.example.com", "/a/b")).isEqualTo("kept");
        assertThat(takenBy("GET", "keeps.example.com", "/a///b")).isEqualTo("404");
        assertThat(takenBy("GET", "keeps.example.com", "/c//d//?q=//")).isEqualTo("below");
        assertThat(nodes.getLast().last().target()).isEqualTo("/c//d//?q=//");
        assertThat(takenBy("GET", "keeps.example.com", "/c//../%61//b")).isEqualTo("below");
        assertThat(nodes.getLast().last().target()).isEqualTo("/c/a//b");
    }
}
