package io.sigma.inprocess;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.controlplane.analysis.Analyst;
import io.sigma.controlplane.store.history.RevisionLog;
import io.sigma.dataplane.exchange.Fields;
import io.sigma.dataplane.exchange.RequestHead;
import io.sigma.dataplane.match.RouteRule;
import io.sigma.dataplane.match.RouteTable;
import io.sigma.dataplane.match.Routed;
import io.sigma.dataplane.match.RouterRoutes;
import io.sigma.json.Json;
import io.sigma.model.Finding;
import io.sigma.model.Kind;
import io.sigma.model.Route;
import io.sigma.model.Router;
import io.sigma.snapshot.ConfigState;
import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.Snapshot;
import io.sigma.snapshot.StateHash;
import io.sigma.value.HostPattern;
import java.net.InetAddress;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What the analysis says of routes, beside what the gateway's router does: a route that is said to be shadowed or never
 * to match must take no request at all. Random small tables, every request of a small world.
 */
@Timeout(300)
final class AnalysisAgainstRouterTest {

    private static final int TABLES = 1_500;
    private static final Set<String> DEAD = Set.of("route-shadowed", "route-never-matches");

    private static final List<List<String>> ROUTER_HOSTS =
            List.of(List.of(), List.of("a.test"), List.of("b.test"), List.of("*.test"), List.of("*.a.test", "b.test"));
    private static final List<String> PATTERNS = List.of(
            "/",
            "/*",
            "/a",
            "/a/*",
            "/a/b",
            "/a/b/*",
            "/:x",
            "/:x/*",
            "/:x/b",
            "/a/:x",
            "/a/:x/*",
            "~/a/.*",
            "~/a/[bc]",
            "~/.*");
    private static final List<List<String>> METHODS =
            List.of(List.of(), List.of(), List.of("GET"), List.of("POST"), List.of("GET", "POST"));
    private static final List<String> CONDITIONS = List.of(
            "",
            "",
            "{\"name\":\"X\",\"value\":\"1\"}",
            "{\"name\":\"X\",\"value\":\"2\"}",
            "{\"name\":\"X\",\"present\":true}",
            "{\"name\":\"X\",\"present\":false}",
            "{\"name\":\"X\",\"value\":\"1\"},{\"name\":\"X\",\"value\":\"2\"}",
            "{\"name\":\"X\",\"value\":\"1\"},{\"name\":\"Y\",\"value\":\"1\"}",
            "{\"name\":\"X\",\"present\":false},{\"name\":\"Y\",\"present\":true}");

    private static final List<String> HOSTS = List.of("a.test", "b.test", "x.a.test", "c.test", "elsewhere");
    private static final List<String> PATHS = List.of(
            "/", "/a", "/a/", "/b", "/b/", "/a/b", "/a/b/", "/a/c", "/b/b", "/b/c", "/a/b/c", "/b/b/b", "/c/d/e");
    private static final List<String> ASKED = List.of("GET", "POST", "PUT");
    private static final List<Map<String, String>> SENT = List.of(
            Map.of(),
            Map.of("X", "1"),
            Map.of("X", "2"),
            Map.of("X", "3"),
            Map.of("Y", "1"),
            Map.of("X", "1", "Y", "1"),
            Map.of("X", "2", "Y", "2"));

    private record Target(RouteRule rule) implements Routed {}

    /** One revision after the other. */
    private static final class Log implements RevisionLog {

        private final List<Consumer<Snapshot>> listeners = new ArrayList<>();
        private volatile Snapshot current = Snapshot.NONE;

        void replace(ConfigState state) {
            current = new Snapshot(current.revision() + 1, StateHash.of(state), state);
            listeners.forEach(listener -> listener.accept(current));
        }

        @Override
        public Snapshot current() {
            return current;
        }

        @Override
        public void onAdvance(Consumer<Snapshot> listener) {
            listeners.add(listener);
        }

        @Override
        public @Nullable List<EntityChange> changesSince(long revision, StateHash hash, long toRevision) {
            return null;
        }
    }

    /** Fields that nobody changes. */
    private record Sent(Map<String, String> fields) implements Fields {

        @Override
        public @Nullable String get(String name) {
            return fields.entrySet().stream()
                    .filter(field -> field.getKey().equalsIgnoreCase(name))
                    .map(Map.Entry::getValue)
                    .findFirst()
                    .orElse(null);
        }

        @Override
        public List<String> all(String name) {
            String value = get(name);
            return value == null ? List.of() : List.of(value);
        }

        @Override
        public boolean contains(String name) {
            return get(name) != null;
        }

        @Override
        public void set(String name, String value) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void add(String name, String value) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void remove(String name) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void forEach(BiConsumer<String, String> action) {
            fields.forEach(action);
        }
    }

    @Test
    void noRouteThatIsSaidToBeDeadTakesARequest() throws Exception {
        long begin = Long.getLong("sigma.test.seed", System.nanoTime());
        Log log = new Log();
        int dead = 0;
        int living = 0;
        try (Analyst analyst = new Analyst(log, InstantSource.system())) {
            analyst.start();
            for (long seed = begin; seed < begin + TABLES; seed++) {
                ConfigState state = state(new Random(seed));
                log.replace(state);
                List<Finding> findings =
                        analyst.view().await(60, TimeUnit.SECONDS).findings();
                Set<String> said = findings.stream()
                        .filter(finding -> finding.kind() == Kind.ROUTE && DEAD.contains(finding.rule()))
                        .map(Finding::id)
                        .collect(Collectors.toSet());
                Map<String, String> taking = taking(state);
                Set<String> wrong = new HashSet<>(said);
                wrong.retainAll(taking.keySet());
                assertThat(wrong)
                        .as(
                                "seed %d (-Dsigma.test.seed): requests %s are taken in %s although it is said: %s",
                                seed, taking, Json.text(state.routes()), findings)
                        .isEmpty();
                dead += said.size();
                living += taking.size();
            }
        }
        // Else nothing would have been shown.
        assertThat(dead).as("dead routes, from seed %d", begin).isGreaterThan(TABLES / 4);
        assertThat(living).as("living routes, from seed %d", begin).isGreaterThan(TABLES);
    }

    private static <T> T any(Random random, List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    private static ConfigState state(Random random) {
        List<EntityChange> all = new ArrayList<>();
        all.add(read(Kind.PROXY_SERVER, "web", "{\"id\":\"web\",\"port\":80}"));
        all.add(read(Kind.PROXY_PASS, "p", "{\"id\":\"p\",\"fixedResponse\":{\"status\":200}}"));
        int routers = 1 + random.nextInt(3);
        for (int i = 0; i < routers; i++) {
            String hosts = Json.text(any(random, ROUTER_HOSTS));
            all.add(read(
                    Kind.ROUTER, "r" + i, "{\"id\":\"r" + i + "\",\"proxyServerId\":\"web\",\"hosts\":" + hosts + "}"));
        }
        int routes = 2 + random.nextInt(6);
        for (int i = 0; i < routes; i++) {
            String id = "route-" + i;
            all.add(read(
                    Kind.ROUTE,
                    id,
                    "{\"id\":\"" + id + "\",\"routerId\":\"r" + random.nextInt(routers) + "\",\"proxyPassId\":\"p\""
                            + ",\"path\":\"" + any(random, PATTERNS) + "\",\"priority\":" + random.nextInt(3)
                            + ",\"methods\":" + Json.text(any(random, METHODS)) + ",\"headers\":["
                            + any(random, CONDITIONS) + "]}"));
        }
        return ConfigState.empty().with(all);
    }

    private static EntityChange read(Kind kind, String id, String json) {
        return EntityChange.of(kind, id, Json.read(json, JsonNode.class));
    }

    /** Returns the routes that take a request of the small world, each with one. */
    private static Map<String, String> taking(ConfigState state) {
        List<RouterRoutes<Target>> routers = new ArrayList<>();
        for (Router router : state.routers().values()) {
            List<Target> targets = state.routes().values().stream()
                    .filter(route -> route.routerId().equals(router.id()))
                    .map(AnalysisAgainstRouterTest::target)
                    .toList();
            routers.add(RouterRoutes.of(
                    router.hosts().stream().map(HostPattern::parse).toList(), targets));
        }
        RouteTable<Target> table = RouteTable.of(routers, null);
        Map<String, String> taking = new TreeMap<>();
        for (String host : HOSTS) {
            for (String path : PATHS) {
                for (String method : ASKED) {
                    for (Map<String, String> fields : SENT) {
                        Target found = table.match(head(method, host, path, fields), InetAddress.getLoopbackAddress());
                        if (found != null) {
                            taking.putIfAbsent(found.rule().id(), method + " " + host + path + " " + fields);
                        }
                    }
                }
            }
        }
        return taking;
    }

    private static Target target(Route route) {
        return new Target(RouteRule.of(route, true));
    }

    private static RequestHead head(String method, String host, String path, Map<String, String> fields) {
        return new RequestHead(
                "HTTP/1.1",
                false,
                method,
                host,
                80,
                host,
                path,
                null,
                new Sent(fields),
                0,
                InetAddress.getLoopbackAddress(),
                1,
                80);
    }
}
