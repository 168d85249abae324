package io.sigma.dataplane.match;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.re2j.Pattern;
import io.sigma.dataplane.exchange.MapFields;
import io.sigma.dataplane.exchange.RequestHead;
import io.sigma.model.Route;
import io.sigma.model.RouteCondition;
import io.sigma.value.HostPattern;
import io.sigma.value.NormalPath;
import io.sigma.value.PathParameters;
import io.sigma.value.PathPattern;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The table finds what trying all routes one after the other finds, whatever routes and requests there are. */
final class LinearScanTest {

    private static final List<String> HOSTS =
            List.of("a.com", "b.a.com", "*.a.com", "*.com", "c.b.a.com", "*.b.a.com", "x.org");
    private static final List<String> ASKED_HOSTS = List.of("a.com", "b.a.com", "c.b.a.com", "d.com", "x.org", "[::1]");
    private static final List<String> SEGMENTS = List.of("a", "b", "ab", "c1", "", "a;v=1", ";");
    private static final List<String> EXPRESSIONS = List.of(
            "/a/.*",
            "/a/[a-z]+",
            ".*b",
            "/(a|b)/.*",
            "/a|/b",
            "(?i)/A/B",
            "/ab?/?.*",
            "/a/+b*",
            "/[a-c]+/b",
            "/a/.+/b",
            "^/a/.*/c1$",
            "/a/{2}b");
    private static final List<String> METHODS = List.of("GET", "POST", "HEAD");
    private static final List<String> NAMES = List.of("x", "y", "z");
    private static final List<String> VALUES = List.of("1", "2", "3", "4", "5", "6", "");
    private static final List<String> ADDRESSES =
            List.of("10.0.0.0/8", "10.1.0.0/16", "127.0.0.1", "::1", "2001:db8::/32");
    private static final List<String> CLIENTS = List.of("10.1.2.3", "10.2.2.3", "127.0.0.1", "::1", "2001:db8::7");
    private static final List<String> TYPES = List.of("text/plain", "text/*", "application/json");

    private record Target(RouteRule rule) implements Routed {}

    private record Placed(HostPattern host, Target target) {}

    private record Table(RouteTable<Target> indexed, List<Placed> all) {}

    @ParameterizedTest
    @ValueSource(ints = {1, 8, 60, 500})
    void tableFindsWhatALinearScanFinds(int routes) {
        int found = 0;
        int missed = 0;
        for (int seed = 0; seed < 25; seed++) {
            Random random = new Random(seed);
            Table table = table(random, routes);
            for (int i = 0; i < 120; i++) {
                RequestHead head = request(random);
                InetAddress client = InetAddress.ofLiteral(one(CLIENTS, random));
                Target expected = scan(table.all, head, client);
                assertThat(id(table.indexed.match(head, client)))
                        .as("seed %d, request %d: %s %s %s", seed, i, head.method(), head.host(), head.target())
                        .isEqualTo(id(expected));
                found += expected == null ? 0 : 1;
                missed += expected == null ? 1 : 0;
            }
        }
        assertThat(found).isPositive();
        assertThat(missed).isPositive();
    }

    @Test
    void orderDoesNotDependOnTheOrderOfWriting() {
        for (int seed = 0; seed < 40; seed++) {
            List<Target> targets = targets(new Random(seed), 40, true);
            List<Target> reversed = targets.reversed();
            RouteTable<Target> one = RouteTable.of(List.of(RouterRoutes.of(List.of(), targets)), null);
            RouteTable<Target> other = RouteTable.of(List.of(RouterRoutes.of(List.of(), reversed)), null);
            Random random = new Random(seed);
            for (int i = 0; i < 100; i++) {
                RequestHead head = request(random);
                assertThat(id(one.match(head, head.remoteAddress())))
                        .isEqualTo(id(other.match(head, head.remoteAddress())));
            }
        }
    }

    @Test
    void tableWithOtherRoutesIsTheOneOfAllItsRouters() {
        int shared = 0;
        int indexed = 0;
        for (int seed = 0; seed < 40; seed++) {
            Random random = new Random(seed);
            List<RouterRoutes<Target>> routers = routers(random, 1 + random.nextInt(80));
            RouteTable<Target> table = RouteTable.of(routers, null);
            for (int round = 0; round < 8; round++) {
                Map<RouterRoutes<Target>, RouterRoutes<Target>> replaced = new HashMap<>();
                for (RouterRoutes<Target> router : routers) {
                    if (random.nextInt(4) == 0) {
                        replaced.put(router, changed(router, random));
                    }
                }
                List<RouterRoutes<Target>> next = routers.stream()
                        .map(router -> replaced.getOrDefault(router, router))
                        .toList();
                RouteTable<Target> after = table.with(replaced);
                RouteTable<Target> carried = RouteTable.of(next, table);
                assertThat(after.routers()).containsExactlyInAnyOrderElementsOf(next);
                assertFindsTheSame(after, RouteTable.of(next, null), random);
                assertFindsTheSame(table, RouteTable.of(routers, null), random);
                for (String host : HOSTS) {
                    assertThat(after.sharesIndexWith(table, host)).isEqualTo(carried.sharesIndexWith(table, host));
                    shared += after.sharesIndexWith(table, host) ? 1 : 0;
                    indexed += after.sharesIndexWith(table, host) ? 0 : 1;
                }
                routers = next;
                table = after;
            }
        }
        assertThat(shared).isPositive();
        assertThat(indexed).isPositive();
    }

    /** Returns that router without some of its routes, maybe with none, and with others. */
    private static RouterRoutes<Target> changed(RouterRoutes<Target> router, Random random) {
        int rarity = 1 + random.nextInt(4);
        Set<Target> gone = router.routes().stream()
                .filter(route -> random.nextInt(rarity) == 0)
                .collect(Collectors.toSet());
        return router.with(gone, targets(random, random.nextInt(5), random.nextBoolean()));
    }

    private static void assertFindsTheSame(RouteTable<Target> table, RouteTable<Target> expected, Random random) {
        for (int i = 0; i < 60; i++) {
            RequestHead head = request(random);
            InetAddress client = InetAddress.ofLiteral(one(CLIENTS, random));
            assertThat(table.match(head, client)).isSameAs(expected.match(head, client));
            assertThat(table.mismatch(head, client)).isEqualTo(expected.mismatch(head, client));
        }
    }

    private static @Nullable String id(@Nullable Target target) {
        return target == null ? null : target.rule().id();
    }

    // --- The reference

    private static @Nullable Target scan(List<Placed> all, RequestHead head, InetAddress client) {
        Lookup lookup = new Lookup(head, head.method(), client);
        return all.stream()
                .filter(placed -> hostSpecificity(placed.host, head.host()) >= 0)
                .filter(placed -> isOn(placed.target.rule(), head))
                .filter(placed -> placed.target.rule().accepts(lookup))
                .min(Comparator.comparingInt(
                                (Placed placed) -> -placed.target.rule().priority())
                        .thenComparingInt(placed -> -hostSpecificity(placed.host, head.host()))
                        .thenComparing(placed -> placed.target.rule(), RouteRule.ORDER))
                .map(Placed::target)
                .orElse(null);
    }

    /** Returns how specific the host is; -1 when it does not match. The empty name stands for any host. */
    private static int hostSpecificity(HostPattern pattern, String host) {
        if (pattern.wildcard() && pattern.name().isEmpty()) {
            return 0;
        }
        if (!pattern.wildcard()) {
            return pattern.name().equals(host) ? 1000 : -1;
        }
        return host.endsWith("." + pattern.name()) ? pattern.name().length() : -1;
    }

    private static boolean isOn(RouteRule rule, RequestHead head) {
        String sent = rule.mergesSlashes() ? head.path() : head.unmergedPath();
        String path =
                rule.form().name().endsWith("PARAMETERS") ? sent : PathParameters.without(sent, rule.mergesSlashes());
        return switch (rule.path()) {
            case PathPattern.Exact(String exact) -> exact.equals(path);
            case PathPattern.Prefix(String prefix) -> path.equals(prefix) || path.startsWith(prefix + "/");
            case PathPattern.Regex(Pattern expression) -> expression.matches(path);
            case PathPattern.Segments(List<PathPattern.Segment> segments, boolean open) -> {
                String[] given = path.substring(1).split("/", -1);
                boolean length = open ? given.length >= segments.size() : given.length == segments.size();
                yield length
                        && IntStream.range(0, segments.size()).allMatch(i -> {
                            PathPattern.Segment segment = segments.get(i);
                            return segment.parameter()
                                    ? !given[i].isEmpty()
                                    : segment.text().equals(given[i]);
                        });
            }
        };
    }

    // --- Random routes and requests

    private static Table table(Random random, int routes) {
        List<RouterRoutes<Target>> routers = routers(random, routes);
        List<Placed> all = new ArrayList<>();
        for (RouterRoutes<Target> router : routers) {
            for (Target target : router.routes()) {
                router.hosts().forEach(host -> all.add(new Placed(host, target)));
                if (router.hosts().isEmpty()) {
                    all.add(new Placed(new HostPattern("", true), target));
                }
            }
        }
        return new Table(RouteTable.of(routers, null), all);
    }

    private static List<RouterRoutes<Target>> routers(Random random, int routes) {
        List<RouterRoutes<Target>> routers = new ArrayList<>();
        int left = routes;
        while (left > 0) {
            int size = Math.min(left, 1 + random.nextInt(routes));
            List<HostPattern> hosts = IntStream.range(0, random.nextInt(3))
                    .mapToObj(i -> HostPattern.parse(one(HOSTS, random)))
                    .distinct()
                    .toList();
            routers.add(RouterRoutes.of(hosts, targets(random, size, random.nextBoolean())));
            left -= size;
        }
        return routers;
    }

    private static List<Target> targets(Random random, int count, boolean mergeSlashes) {
        return IntStream.range(0, count)
                .mapToObj(i -> new Target(RouteRule.of(route(random), mergeSlashes)))
                .toList();
    }

    private static Route route(Random random) {
        return Route.builder()
                .id("r" + random.nextInt(1_000_000_000))
                .routerId("r")
                .proxyPassId("p")
                .path(pattern(random))
                .priority(random.nextInt(10) == 0 ? random.nextInt(3) - 1 : 0)
                .methods(some(METHODS, random, 4))
                .headers(conditions(random))
                .queryParameters(conditions(random))
                .cookies(conditions(random))
                .clientAddresses(some(ADDRESSES, random, 6))
                .consumes(some(TYPES, random, 8))
                .produces(some(TYPES, random, 8))
                .build();
    }

    private static String pattern(Random random) {
        if (random.nextInt(3) == 0) {
            return "~" + one(EXPRESSIONS, random);
        }
        StringBuilder path = new StringBuilder();
        for (int i = 0, length = random.nextInt(4); i < length; i++) {
            path.append('/').append(random.nextInt(4) == 0 ? ":p" + i : one(SEGMENTS, random));
        }
        String text = path + (random.nextBoolean() ? "/*" : path.isEmpty() ? "/" : "");
        return NormalPath.of(text, false);
    }

    /** Few conditions mostly, on few subjects, so that many routes differ in one value only. */
    private static List<RouteCondition> conditions(Random random) {
        return NAMES.stream()
                .filter(name -> random.nextInt(name.equals("x") ? 3 : 9) == 0)
                .map(name -> {
                    RouteCondition.Builder condition = RouteCondition.builder().name(name);
                    return switch (random.nextInt(6)) {
                        case 0 -> condition.regex("[1-3]*").build();
                        case 1 -> condition.present(random.nextBoolean()).build();
                        default -> condition.value(one(VALUES, random)).build();
                    };
                })
                .toList();
    }

    private static RequestHead request(Random random) {
        String host = one(ASKED_HOSTS, random);
        StringBuilder path = new StringBuilder();
        for (int i = random.nextInt(4); i >= 0; i--) {
            path.append('/').append(one(SEGMENTS, random));
        }
        StringBuilder query = new StringBuilder();
        MapFields fields = new MapFields();
        for (String name : NAMES) {
            if (random.nextBoolean()) {
                query.append('&').append(name).append('=').append(one(VALUES, random));
            }
            if (random.nextBoolean()) {
                fields.add(name, one(VALUES, random));
            }
            if (random.nextBoolean()) {
                fields.add("cookie", name + "=" + one(VALUES, random) + "; other=1");
            }
        }
        if (random.nextInt(4) == 0) {
            fields.add("content-type", one(TYPES, random));
        }
        if (random.nextInt(4) == 0) {
            fields.add("accept", one(TYPES, random));
        }
        return new RequestHead(
                "HTTP/1.1",
                false,
                one(METHODS, random),
                host,
                80,
                host,
                NormalPath.of(path.toString()),
                NormalPath.of(path.toString(), false),
                query.isEmpty() ? null : query.toString(),
                fields,
                0,
                InetAddress.getLoopbackAddress(),
                1,
                80);
    }

    private static <T> T one(List<T> choices, Random random) {
        return choices.get(random.nextInt(choices.size()));
    }

    /** Returns nothing mostly: once in {@code rarity} times, one or two of them. */
    private static List<String> some(List<String> choices, Random random, int rarity) {
        return random.nextInt(rarity) != 0
                ? List.of()
                : IntStream.range(0, 1 + random.nextInt(2))
                        .mapToObj(i -> one(choices, random))
                        .distinct()
                        .toList();
    }
}
