package io.sigma.dataplane.match;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.MapFields;
import io.sigma.dataplane.exchange.RequestHead;
import io.sigma.model.Route;
import io.sigma.value.HostPattern;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RouteTableTest {

    private record Target(RouteRule rule) implements Routed {}

    private static Target target(Route.Builder route) {
        return new Target(RouteRule.of(route.routerId("r").proxyPassId("p").build(), true));
    }

    private static Target path(String path) {
        return target(Route.builder().id(path).path(path));
    }

    private static RouterRoutes<Target> router(List<String> hosts, Target... targets) {
        return RouterRoutes.of(hosts.stream().map(HostPattern::parse).toList(), List.of(targets));
    }

    private static RouteTable<Target> paths(String... paths) {
        return RouteTable.of(
                List.of(router(
                        List.of(),
                        Arrays.stream(paths).map(RouteTableTest::path).toArray(Target[]::new))),
                null);
    }

    private static RequestHead request(String method, String host, String path, long bodyBytes, String... fields) {
        return new RequestHead(
                "HTTP/1.1",
                false,
                method,
                host,
                80,
                host,
                path,
                null,
                MapFields.of(fields),
                bodyBytes,
                InetAddress.getLoopbackAddress(),
                1,
                80);
    }

    private static @Nullable Target match(RouteTable<Target> table, RequestHead head) {
        return table.match(head, head.remoteAddress());
    }

    private static NoMatch mismatch(RouteTable<Target> table, RequestHead head) {
        return table.mismatch(head, head.remoteAddress());
    }

    private static @Nullable String find(RouteTable<Target> table, String host, String path) {
        Target found = match(table, request("GET", host, path, 0));
        return found == null ? null : found.rule().id();
    }

    @ParameterizedTest
    @CsvSource({
        "/users/me, /users/:id|/users/me, /users/me",
        "/users/you, /users/:id|/users/me, /users/:id",
        "/users/me/x, /users/:id/x|/users/me/*, /users/me/*",
        "/a/b/c, /a/*|/a/b/*|~/a/.*, /a/b/*",
        "/a, /a/*|/a, /a",
        "/a, /a/*|~/a, /a/*",
        "/a/, /a|/a/*, /a/*",
        "/a/x/c, /a/:x/c|/a/:x/*|/a/*, /a/:x/c",
        "/a/x/d, /a/:x/c|/a/:x/*|/a/*, /a/:x/*",
        "/a/x, /:p/x|/a/:q, /a/:q",
        "/v1/x, ~/v[0-9]+/.*|~/v.*, ~/v[0-9]+/.*",
        "/anything, /*|/else, /*",
        "/, /*|/:x, /*",
        "/a%2Fb, /a/*|/:x, /:x",
        "/abc, /a/*|/ab/*, ''",
        "/users/, /users/:id, ''",
        "/users/1/2, /users/:id, ''"
    })
    void mostSpecificPathWins(String path, String routes, String expected) {
        List<String> all = new ArrayList<>(List.of(routes.split("\\|", -1)));
        for (int i = 0; i < 5; i++) {
            Collections.shuffle(all, new Random(i));
            String found = find(paths(all.toArray(String[]::new)), "any", path);
            assertThat(found == null ? "" : found).as("%s among %s", path, all).isEqualTo(expected);
        }
    }

    @Test
    void higherPriorityWinsBeforeEverythingElse() {
        RouteTable<Target> table = RouteTable.of(
                List.of(
                        router(List.of("shop.example.com"), path("/a")),
                        router(
                                List.of(),
                                target(Route.builder().id("top").path("/*").priority(1)))),
                null);
        assertThat(find(table, "shop.example.com", "/a")).isEqualTo("top");
    }

    @Test
    void moreSpecificHostWinsBeforeThePath() {
        RouteTable<Target> table = RouteTable.of(
                List.of(
                        router(List.of(), target(Route.builder().id("any").path("/x"))),
                        router(
                                List.of("*.example.com"),
                                target(Route.builder().id("wide").path("/x"))),
                        router(
                                List.of("*.eu.example.com"),
                                target(Route.builder().id("narrow").path("/x"))),
                        router(
                                List.of("shop.eu.example.com"),
                                target(Route.builder().id("exact").path("/*")))),
                null);
        assertThat(find(table, "shop.eu.example.com", "/x")).isEqualTo("exact");
        assertThat(find(table, "a.b.eu.example.com", "/x")).isEqualTo("narrow");
        assertThat(find(table, "us.example.com", "/x")).isEqualTo("wide");
        assertThat(find(table, "example.com", "/x")).isEqualTo("any");
        assertThat(find(table, "[::1]", "/x")).isEqualTo("any");
    }

    @Test
    void routersShareHostsAndFallBackOnLessSpecificOnes() {
        RouteTable<Target> table = RouteTable.of(
                List.of(
                        router(List.of("a.example.com"), path("/one")),
                        router(List.of("a.example.com", "b.example.com"), path("/two")),
                        router(List.of(), path("/three"))),
                null);
        assertThat(find(table, "a.example.com", "/one")).isEqualTo("/one");
        assertThat(find(table, "a.example.com", "/two")).isEqualTo("/two");
        assertThat(find(table, "a.example.com", "/three")).isEqualTo("/three");
        assertThat(find(table, "b.example.com", "/one")).isNull();
        assertThat(find(table, "b.example.com", "/two")).isEqualTo("/two");
    }

    @Test
    void routeThatNamesAMethodWinsOverOneThatDoesNot() {
        RouteTable<Target> table = RouteTable.of(
                List.of(router(
                        List.of(),
                        target(Route.builder().id("a").path("/x")),
                        target(Route.builder().id("b").path("/x").methods(List.of("GET"))))),
                null);
        assertThat(find(table, "any", "/x")).isEqualTo("b");
        Target post = match(table, request("POST", "any", "/x", 0));
        assertThat(post).isNotNull();
        assertThat(post.rule().id()).isEqualTo("a");
    }

    @Test
    void smallerIdWinsAmongEquals() {
        RouteTable<Target> table = RouteTable.of(
                List.of(router(
                        List.of(),
                        target(Route.builder().id("b").path("/:x")),
                        target(Route.builder().id("a").path("/:y")))),
                null);
        assertThat(find(table, "any", "/x")).isEqualTo("a");
    }

    @Test
    void whatIsMissingIsToldApart() {
        RouteTable<Target> table = RouteTable.of(
                List.of(router(
                        List.of(),
                        target(Route.builder()
                                .id("json")
                                .path("/x")
                                .methods(List.of("POST", "PUT"))
                                .consumes(List.of("application/json"))
                                .produces(List.of("application/json"))),
                        target(Route.builder().id("list").path("/*").methods(List.of("PATCH"))))),
                null);
        assertThat(mismatch(table, request("GET", "any", "/x", 0)))
                .isEqualTo(new NoMatch(ErrorKind.METHOD_NOT_ALLOWED, "PATCH, POST, PUT"));
        assertThat(mismatch(table, request("POST", "any", "/x", 3, "content-type", "text/plain"))
                        .kind())
                .isEqualTo(ErrorKind.MEDIA_TYPE);
        assertThat(mismatch(table, request("POST", "any", "/x", 3)).kind()).isEqualTo(ErrorKind.MEDIA_TYPE);
        assertThat(mismatch(
                                table,
                                request(
                                        "POST",
                                        "any",
                                        "/x",
                                        3,
                                        "content-type",
                                        "application/json",
                                        "accept",
                                        "text/html"))
                        .kind())
                .isEqualTo(ErrorKind.NOT_ACCEPTABLE);
        assertThat(match(
                        table,
                        request(
                                "POST",
                                "any",
                                "/x",
                                3,
                                "content-type",
                                "application/json; charset=utf-8",
                                "accept",
                                "text/html, application/*;q=0.5")))
                .isNotNull();
        assertThat(match(table, request("POST", "any", "/x", 0, "accept", "application/json;q=0, */*;q=0.0")))
                .isNull();
        assertThat(mismatch(paths("/y"), request("GET", "any", "/x", 0)))
                .isEqualTo(new NoMatch(ErrorKind.NO_ROUTE, ""));
    }

    @Test
    void indexOverTheSameRoutersIsCarriedOver() {
        RouterRoutes<Target> same = router(List.of("same.example.com"), path("/a"));
        RouteTable<Target> before =
                RouteTable.of(List.of(same, router(List.of("other.example.com"), path("/b"))), null);
        RouteTable<Target> after =
                RouteTable.of(List.of(router(List.of("other.example.com"), path("/c")), same), before);
        assertThat(after.sharesIndexWith(before, "same.example.com")).isTrue();
        assertThat(after.sharesIndexWith(before, "other.example.com")).isFalse();
        assertThat(find(after, "other.example.com", "/c")).isEqualTo("/c");
    }

    @Test
    void hostsOfOtherRoutersKeepTheirIndexWhenRoutesAreReplaced() {
        RouterRoutes<Target> one = router(List.of("one.example.com", "*.one.example.com"), path("/a"));
        RouterRoutes<Target> rest = router(List.of(), path("/b"));
        RouteTable<Target> before =
                RouteTable.of(List.of(one, rest, router(List.of("two.example.com"), path("/c"))), null);
        RouteTable<Target> after = before.with(Map.of(one, one.with(Set.of(), List.of(path("/d")))));
        assertThat(after.sharesIndexWith(before, "one.example.com")).isFalse();
        assertThat(after.sharesIndexWith(before, "two.example.com")).isTrue();
        assertThat(find(after, "one.example.com", "/d")).isEqualTo("/d");
        assertThat(find(after, "x.one.example.com", "/d")).isEqualTo("/d");
        assertThat(find(after, "one.example.com", "/b")).isEqualTo("/b");
        assertThat(find(after, "two.example.com", "/d")).isNull();
        assertThat(find(before, "one.example.com", "/d")).isNull();
        assertThat(find(before, "x.one.example.com", "/d")).isNull();
    }

    @Test
    void routerMayBeReplacedByOneForOtherHosts() {
        RouterRoutes<Target> there = router(List.of("there.example.com"), path("/a"));
        RouteTable<Target> before =
                RouteTable.of(List.of(there, router(List.of("other.example.com"), path("/b"))), null);
        RouteTable<Target> after = before.with(Map.of(there, router(List.of("*.example.com"), path("/c"))));
        assertThat(find(after, "there.example.com", "/a")).isNull();
        assertThat(find(after, "anywhere.example.com", "/c")).isEqualTo("/c");
        assertThat(after.sharesIndexWith(before, "other.example.com")).isTrue();
    }

    @Test
    void routesAreInOrderHoweverManyCameBetweenTheSameTwo() {
        RouterRoutes<Target> router = router(List.of(), priority(1_000), priority(0));
        RouteTable<Target> table = RouteTable.of(List.of(router), null);
        // Each halves the room that is left, which is gone after thirty.
        for (int priority = 999; priority > 900; priority--) {
            RouterRoutes<Target> more = router.with(Set.of(), List.of(priority(priority)));
            table = table.with(Map.of(router, more));
            router = more;
        }
        for (int priority = 1_000; priority > 900; priority--) {
            assertThat(find(table, "any", "/a")).isEqualTo(String.valueOf(priority));
            Target first = router.routes().getFirst();
            RouterRoutes<Target> fewer = router.with(Set.of(first), List.of());
            table = table.with(Map.of(router, fewer));
            router = fewer;
        }
        assertThat(find(table, "any", "/a")).isEqualTo("0");
    }

    private static Target priority(int priority) {
        return target(Route.builder().id(String.valueOf(priority)).path("/a").priority(priority));
    }

    @Test
    void thousandsOfRoutesAreAllFound() {
        Target[] targets = new Target[10_000];
        for (int i = 0; i < targets.length; i++) {
            String path = switch (i % 4) {
                case 0 -> "/exact/" + i;
                case 1 -> "/prefix/" + i + "/*";
                case 2 -> "/param/:a/" + i;
                default -> "/deep/" + i + "/:b/x/*";
            };
            targets[i] = target(Route.builder().id(String.valueOf(i)).path(path));
        }
        RouteTable<Target> table = RouteTable.of(List.of(router(List.of(), targets)), null);
        for (int i = 0; i < targets.length; i++) {
            String path = switch (i % 4) {
                case 0 -> "/exact/" + i;
                case 1 -> "/prefix/" + i + "/below";
                case 2 -> "/param/any/" + i;
                default -> "/deep/" + i + "/q/x/y/z";
            };
            assertThat(find(table, "any", path)).isEqualTo(String.valueOf(i));
        }
    }
}
