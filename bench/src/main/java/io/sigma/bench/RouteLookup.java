package io.sigma.bench;

import io.sigma.dataplane.exchange.RequestHead;
import io.sigma.dataplane.match.RouteRule;
import io.sigma.dataplane.match.RouteTable;
import io.sigma.dataplane.match.Routed;
import io.sigma.dataplane.match.RouterRoutes;
import io.sigma.model.Route;
import io.sigma.model.RouteCondition;
import io.sigma.value.HostPattern;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the match of a request by the number of routes. {@code match} looks up the same few requests whatever the
 * size of the table, so it shows the cost of routes that cannot match; {@code matchSpread} looks up requests for routes
 * all over the table, so it shows the processor's caches as well.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class RouteLookup {

    private static final int SAME = 8;
    private static final int SPREAD = 1_024;
    private static final int ROUTES_A_HOST = 100;

    /** The part in which the routes differ. */
    public enum Kind {
        /** Hundreds of hosts, each with exact paths, prefixes and parameters. */
        PATHS,
        /** One host, where every path is an expression with a beginning of its own. */
        EXPRESSIONS,
        /** One host, where every path is an expression that begins like all others and ends in its own way. */
        EXPRESSION_ENDS,
        /** One path, where every route asks for another value of one header field. */
        HEADER_VALUES,
        /** One path, where every route asks for another pair of a query parameter and a cookie. */
        VALUE_PAIRS
    }

    private record Found(RouteRule rule) implements Routed {}

    @Param({"10", "100", "10000", "100000"})
    int routes;

    @Param
    Kind kind = Kind.PATHS;

    private final InetAddress client = InetAddress.getLoopbackAddress();
    private RouteTable<Found> table = RouteTable.of(List.of(), null);
    private RequestHead[] same = new RequestHead[0];
    private RequestHead[] spread = new RequestHead[0];
    private int next;

    @Setup
    public void fill() {
        List<RouterRoutes<Found>> routers = new ArrayList<>();
        int routesAHost = kind == Kind.PATHS ? ROUTES_A_HOST : routes;
        for (int from = 0; from < routes; from += routesAHost) {
            List<Found> rules = new ArrayList<>();
            for (int i = from; i < Math.min(from + routesAHost, routes); i++) {
                rules.add(new Found(RouteRule.of(route(i), true)));
            }
            routers.add(RouterRoutes.of(List.of(HostPattern.parse(host(from))), rules));
        }
        table = RouteTable.of(routers, null);
        same = new RequestHead[SAME];
        Arrays.setAll(same, this::request);
        SplittableRandom random = new SplittableRandom(17);
        int[] targets = random.ints(SPREAD, 0, routes).toArray();
        spread = new RequestHead[SPREAD];
        Arrays.setAll(spread, i -> request(targets[i]));
        for (int i = 0; i < SPREAD; i++) {
            Found found = table.match(spread[i], client);
            if (found == null || !found.rule().id().equals("route-" + targets[i])) {
                throw new IllegalStateException("route " + targets[i] + " is not found, but " + found);
            }
        }
    }

    private String host(int route) {
        return kind == Kind.PATHS ? "host-" + route / ROUTES_A_HOST + ".example.com" : "shop.example.com";
    }

    private Route route(int i) {
        Route.Builder route =
                Route.builder().id("route-" + i).routerId("router").proxyPassId("pass");
        route = switch (kind) {
            case PATHS -> route.path(pattern(i));
            case EXPRESSIONS -> route.path("~/api/service-" + i + "/v[0-9]+/(items|orders)(/.*)?");
            case EXPRESSION_ENDS -> route.path("~/tenants/[a-z0-9]+/service-" + i);
            case HEADER_VALUES -> route.path("/api/*").headers(List.of(is("X-Tenant", "tenant-" + i)));
            case VALUE_PAIRS ->
                route.path("/api/*")
                        .queryParameters(List.of(is("group", String.valueOf(i % 100))))
                        .cookies(List.of(is("variant", String.valueOf(i / 100))));
        };
        return route.build();
    }

    private static RouteCondition is(String name, String value) {
        return RouteCondition.builder().name(name).value(value).build();
    }

    private RequestHead request(int i) {
        return switch (kind) {
            case PATHS -> head(i, "/api/service-" + i + (i % 3 == 2 ? "/items/4711" : "/status"), null);
            case EXPRESSIONS -> head(i, "/api/service-" + i + "/v1/items/4711", null);
            case EXPRESSION_ENDS -> head(i, "/tenants/acme/service-" + i, null);
            case HEADER_VALUES -> head(i, "/api/items", null, "x-tenant", "tenant-" + i);
            case VALUE_PAIRS -> head(i, "/api/items", "page=2&group=" + i % 100, "cookie", "a=b; variant=" + i / 100);
        };
    }

    private static String pattern(int route) {
        return switch (route % 3) {
            case 0 -> "/api/service-" + route + "/status";
            case 1 -> "/api/service-" + route + "/*";
            default -> "/api/service-" + route + "/items/:id";
        };
    }

    private RequestHead head(int route, String path, @Nullable String query, String... field) {
        String host = host(route);
        return new RequestHead(
                "HTTP/1.1", false, "GET", host, 80, host, path, query, new OneField(field), 0, client, 1, 80);
    }

    /** Looks up one of the same few requests. */
    @Benchmark
    public @Nullable Object match() {
        next = (next + 1) & (SAME - 1);
        return table.match(same[next], client);
    }

    /** Looks up one of many requests. */
    @Benchmark
    public @Nullable Object matchSpread() {
        next = (next + 1) & (SPREAD - 1);
        return table.match(spread[next], client);
    }
}
