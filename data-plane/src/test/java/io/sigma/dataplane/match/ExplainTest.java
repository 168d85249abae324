package io.sigma.dataplane.match;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.dataplane.exchange.ErrorKind;
import io.sigma.dataplane.exchange.MapFields;
import io.sigma.dataplane.exchange.RequestHead;
import io.sigma.dataplane.match.Explanation.Kind;
import io.sigma.dataplane.match.Explanation.Reason;
import io.sigma.model.Route;
import io.sigma.model.RouteCondition;
import io.sigma.value.HostPattern;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class ExplainTest {

    private record Target(RouteRule rule) implements Routed {}

    private final List<RouterRoutes<Target>> routers = new ArrayList<>();

    private void router(String host, Route.Builder... routes) {
        List<Target> targets = new ArrayList<>();
        for (Route.Builder route : routes) {
            targets.add(
                    new Target(RouteRule.of(route.routerId("r").proxyPassId("p").build(), true)));
        }
        routers.add(RouterRoutes.of(host.isEmpty() ? List.of() : List.of(HostPattern.parse(host)), targets));
    }

    private static Route.Builder route(String id, String path) {
        return Route.builder().id(id).path(path);
    }

    private static RequestHead request(String method, String path, @Nullable String query, String... fields) {
        InetAddress local = InetAddress.getLoopbackAddress();
        MapFields all = MapFields.of(fields);
        long bodyBytes = all.contains("content-type") ? 3 : 0;
        return new RequestHead(
                "HTTP/1.1", false, method, "a.com", 80, "a.com", path, query, all, bodyBytes, local, 1, 80);
    }

    private Explanation<Target> explain(RequestHead head, int losersMax) {
        return RouteTable.of(routers, null).explain(head, InetAddress.ofLiteral("10.0.0.1"), losersMax);
    }

    private static Map<String, List<Reason>> reasons(Explanation<Target> explanation) {
        Map<String, List<Reason>> reasons = new LinkedHashMap<>();
        explanation.losers().forEach(loser -> reasons.put(loser.route().rule().id(), loser.reasons()));
        return reasons;
    }

    @Test
    void everyReasonIsNamed() {
        router(
                "a.com",
                route("winner", "/a/b").priority(1),
                route("priority", "/a/b"),
                route("specific", "/a/*").priority(1),
                route("method", "/a/b").methods(List.of("PUT", "DELETE")),
                route("header", "/a/b")
                        .headers(List.of(
                                RouteCondition.builder().name("X-A").value("1").build())),
                route("query", "/a/b")
                        .queryParameters(List.of(RouteCondition.builder()
                                .name("q")
                                .regex("[0-9]+")
                                .build())),
                route("cookie", "/a/b")
                        .cookies(List.of(RouteCondition.builder()
                                .name("c")
                                .present(false)
                                .build())),
                route("address", "/a/b").clientAddresses(List.of("192.0.2.0/24", "::1")),
                route("consumes", "/a/b").consumes(List.of("application/json")),
                route("produces", "/a/b").produces(List.of("text/html", "image/*")),
                route("slash", "/a/b/"),
                route("case", "/A/b"),
                route("sibling", "/a/:x/c"),
                route("elsewhere", "/else"));
        router("b.com", route("host", "/a/b"), route("catch-all", "/*"));
        Explanation<Target> explanation = explain(
                request(
                        "POST",
                        "/a/b",
                        "q=x",
                        "x-a",
                        "2",
                        "cookie",
                        "c=1",
                        "content-type",
                        "text/plain",
                        "accept",
                        "text/plain"),
                100);
        Target winner = explanation.winner();
        assertThat(winner).isNotNull();
        assertThat(winner.rule().id()).isEqualTo("winner");
        assertThat(explanation.mismatch()).isNull();
        assertThat(explanation.further()).isZero();
        Map<String, List<Reason>> reasons = reasons(explanation);
        assertThat(reasons.keySet()).doesNotContain("elsewhere", "catch-all", "winner");
        assertThat(reasons)
                .containsEntry("priority", one(Kind.LOWER_PRIORITY, "", "0 (\"winner\": 1)"))
                .containsEntry("specific", one(Kind.LESS_SPECIFIC, "", "\"winner\" comes first"))
                .containsEntry("method", one(Kind.METHOD, "", "POST (expected: DELETE, PUT)"))
                .containsEntry("header", one(Kind.HEADER, "x-a", "\"2\" (expected: \"1\")"))
                .containsEntry("query", one(Kind.QUERY_PARAMETER, "q", "\"x\" (expected: a value that matches [0-9]+)"))
                .containsEntry("cookie", one(Kind.COOKIE, "c", "\"1\" (expected: none)"))
                .containsEntry("consumes", one(Kind.CONSUMES, "", "text/plain (expected: application/json)"))
                .containsEntry("produces", one(Kind.PRODUCES, "", "text/plain (expected: text/html, image/*)"))
                .containsEntry("slash", one(Kind.PATH, "", "/a/b (expected: /a/b/)"))
                .containsEntry("case", one(Kind.PATH, "", "/a/b (expected: /A/b)"))
                .containsEntry("sibling", one(Kind.PATH, "", "/a/b (expected: /a/:x/c)"))
                .containsEntry("host", one(Kind.HOST, "", "a.com (expected: b.com)"));
        assertThat(reasons.get("address"))
                .containsExactlyElementsOf(one(Kind.CLIENT_ADDRESS, "", "10.0.0.1 (expected: 192.0.2.0/24, ::1/128)"));
    }

    private static List<Reason> one(Kind kind, String subject, String detail) {
        return List.of(new Reason(kind, subject, detail));
    }

    @Test
    void whatTheClientIsToldIsPartOfIt() {
        router("", route("put", "/x").methods(List.of("PUT")), route("other", "/y"));
        Explanation<Target> explanation = explain(request("GET", "/x", null), 10);
        assertThat(explanation.winner()).isNull();
        assertThat(explanation.mismatch()).isEqualTo(new NoMatch(ErrorKind.METHOD_NOT_ALLOWED, "PUT"));
        assertThat(reasons(explanation).keySet()).containsExactly("put");
    }

    @Test
    void nearestComeFirstAndTheListIsBounded() {
        router(
                "a.com",
                route("two", "/x")
                        .methods(List.of("PUT"))
                        .headers(List.of(
                                RouteCondition.builder().name("a").value("1").build())),
                route("one", "/x").methods(List.of("PUT")),
                route("near", "/X"));
        router("b.com", route("host", "/x"));
        RequestHead head = request("GET", "/x", null);
        assertThat(reasons(explain(head, 10)).keySet()).containsExactly("one", "two", "near", "host");
        Explanation<Target> bounded = explain(head, 1);
        assertThat(reasons(bounded).keySet()).containsExactly("one");
        assertThat(bounded.further()).isEqualTo(3);
    }
}
