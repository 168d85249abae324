package io.sigma.bench;

import io.sigma.dataplane.exchange.Fields;
import io.sigma.dataplane.exchange.RequestHead;
import io.sigma.dataplane.match.RouteRule;
import io.sigma.dataplane.match.RouteTable;
import io.sigma.dataplane.match.Routed;
import io.sigma.dataplane.match.RouterRoutes;
import io.sigma.model.Route;
import io.sigma.value.HostPattern;
import java.lang.reflect.Proxy;
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
 * What matching a request costs by the number of routes. Routes are spread over hosts; each is an exact path, a prefix or
 * has a parameter. {@code match} looks up the same few requests whatever the size of the table, so it shows what routes
 * cost that cannot match; {@code matchSpread} looks up requests for routes all over the table, so it shows the processor's
 * caches as well.
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

    private record Found(RouteRule rule) implements Routed {}

    @Param({"10", "100", "10000", "100000"})
    int routes;

    private RouteTable<Found> table = RouteTable.of(List.of(), null);
    private RequestHead[] same = new RequestHead[0];
    private RequestHead[] spread = new RequestHead[0];
    private int next;

    @Setup
    public void fill() {
        List<RouterRoutes<Found>> routers = new ArrayList<>();
        for (int from = 0; from < routes; from += ROUTES_A_HOST) {
            List<Found> rules = new ArrayList<>();
            for (int i = from; i < Math.min(from + ROUTES_A_HOST, routes); i++) {
                rules.add(new Found(RouteRule.of(
                        Route.builder()
                                .id("route-" + i)
                                .routerId("router")
                                .proxyPassId("pass")
                                .path(pattern(i))
                                .build(),
                        true)));
            }
            routers.add(new RouterRoutes<>(List.of(HostPattern.parse(host(from))), rules));
        }
        table = RouteTable.of(routers, null);
        same = new RequestHead[SAME];
        Arrays.setAll(same, i -> head(host(i), path(i)));
        SplittableRandom random = new SplittableRandom(17);
        int[] targets = random.ints(SPREAD, 0, routes).toArray();
        spread = new RequestHead[SPREAD];
        Arrays.setAll(spread, i -> head(host(targets[i]), path(targets[i])));
    }

    private static String host(int route) {
        return "host-" + route / ROUTES_A_HOST + ".example.com";
    }

    private static String pattern(int route) {
        return switch (route % 3) {
            case 0 -> "/api/service-" + route + "/status";
            case 1 -> "/api/service-" + route + "/*";
            default -> "/api/service-" + route + "/items/:id";
        };
    }

    private static String path(int route) {
        return "/api/service-" + route + (route % 3 == 2 ? "/items/4711" : "/status");
    }

    private static RequestHead head(String host, String path) {
        Fields none = (Fields) Proxy.newProxyInstance(
                RouteLookup.class.getClassLoader(), new Class<?>[] {Fields.class}, (proxy, method, arguments) -> {
                    throw new UnsupportedOperationException("no route here looks at fields: " + method);
                });
        return new RequestHead(
                "HTTP/1.1", false, "GET", host, 80, host, path, null, none, 0, InetAddress.getLoopbackAddress(), 1, 80);
    }

    /** One lookup for one of the same few requests. */
    @Benchmark
    public @Nullable Object match() {
        next = (next + 1) & (SAME - 1);
        return table.match(same[next], InetAddress.getLoopbackAddress());
    }

    /** One lookup for one of many requests. */
    @Benchmark
    public @Nullable Object matchSpread() {
        next = (next + 1) & (SPREAD - 1);
        return table.match(spread[next], InetAddress.getLoopbackAddress());
    }
}
