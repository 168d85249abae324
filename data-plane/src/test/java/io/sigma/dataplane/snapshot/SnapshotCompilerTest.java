package io.sigma.dataplane.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sigma.dataplane.filter.FilterServices;
import io.sigma.dataplane.loop.Loop;
import io.sigma.dataplane.loop.NoScheduler;
import io.sigma.dataplane.telemetry.GatewayMetrics;
import io.sigma.model.Kind;
import io.sigma.model.Node;
import io.sigma.model.ProxyPass;
import io.sigma.model.ProxyServer;
import io.sigma.model.Route;
import io.sigma.model.Router;
import io.sigma.model.Upstream;
import io.sigma.snapshot.ConfigState;
import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.Snapshot;
import io.sigma.snapshot.SnapshotBody;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class SnapshotCompilerTest {

    private final SnapshotCompiler compiler = new SnapshotCompiler(
            (endpoint, loop, connected, failed) -> failed.accept(new IllegalStateException("no network")),
            List.of(new Loop(0, new NoScheduler())),
            new GatewayMetrics(10, 1),
            FilterServices.NONE);

    private static List<EntityChange> entities(int routers, int routesEach) {
        List<EntityChange> changes = new ArrayList<>();
        changes.add(new EntityChange(
                Kind.PROXY_SERVER,
                "web",
                ProxyServer.builder().id("web").port(80).build()));
        for (String id : List.of("one", "two")) {
            changes.add(new EntityChange(
                    Kind.UPSTREAM,
                    id,
                    Upstream.builder()
                            .id(id)
                            .nodes(List.of(
                                    Node.builder().url("http://" + id + ":1").build(),
                                    Node.builder().url("http://" + id + ":2").build()))
                            .build()));
            changes.add(new EntityChange(
                    Kind.PROXY_PASS,
                    id,
                    ProxyPass.builder().id(id).upstreamId(id).build()));
        }
        for (int r = 0; r < routers; r++) {
            String router = "r" + r;
            changes.add(new EntityChange(
                    Kind.ROUTER,
                    router,
                    Router.builder()
                            .id(router)
                            .proxyServerId("web")
                            .hosts(List.of(router + ".example.com"))
                            .build()));
            for (int i = 0; i < routesEach; i++) {
                changes.add(route(router, i, "one"));
            }
        }
        return changes;
    }

    private static EntityChange route(String router, int index, String pass) {
        String id = router + "-" + index;
        return new EntityChange(
                Kind.ROUTE,
                id,
                Route.builder()
                        .id(id)
                        .routerId(router)
                        .path("/" + index)
                        .proxyPassId(pass)
                        .build());
    }

    private static Snapshot first(int routers, int routesEach) {
        return Snapshot.of(1, ConfigState.empty().with(entities(routers, routesEach)));
    }

    private RuntimeSnapshot compile(Snapshot snapshot, RuntimeSnapshot before) {
        return compiler.compile(snapshot, before);
    }

    @Test
    void onlyTheRouterOfAChangedRouteIsCompiledAgain() {
        Snapshot first = first(3, 10);
        RuntimeSnapshot before = compile(first, RuntimeSnapshot.none());
        RuntimeSnapshot after = compile(first.advance(2, List.of(route("r1", 3, "two"))), before);
        assertThat(after.parts().tables().get("r0"))
                .isSameAs(before.parts().tables().get("r0"));
        assertThat(after.parts().tables().get("r1"))
                .isNotSameAs(before.parts().tables().get("r1"));
        assertThat(after.parts().routes().get("r1-2"))
                .isSameAs(before.parts().routes().get("r1-2"));
        assertThat(after.parts().routes().get("r1-3"))
                .isNotSameAs(before.parts().routes().get("r1-3"));
        assertThat(after.parts().passes().get("one"))
                .isSameAs(before.parts().passes().get("one"));
    }

    @Test
    void serversWithoutAChangedRouteAndAllUpstreamsAreCarriedOver() {
        List<EntityChange> entities = entities(2, 3);
        entities.add(new EntityChange(
                Kind.PROXY_SERVER,
                "other",
                ProxyServer.builder().id("other").port(81).build()));
        entities.add(new EntityChange(
                Kind.ROUTER,
                "elsewhere",
                Router.builder().id("elsewhere").proxyServerId("other").build()));
        Snapshot first = Snapshot.of(1, ConfigState.empty().with(entities));
        RuntimeSnapshot before = compile(first, RuntimeSnapshot.none());
        Snapshot second = first.advance(2, List.of(route("elsewhere", 0, "one")));
        RuntimeSnapshot after = compile(second, before);
        assertThat(after.server("web")).isSameAs(before.server("web"));
        assertThat(after.server("other").table().routers())
                .containsExactly(after.parts().tables().get("elsewhere"));
        assertThat(after.hasUpstreamsOf(before)).isTrue();
        Snapshot third = second.advance(3, List.of(new EntityChange(Kind.PROXY_PASS, "two", null)));
        assertThat(compile(third, after).hasUpstreamsOf(after)).isFalse();
    }

    @Test
    void equalStateFromAnotherTransferIsCarriedOver() {
        Snapshot first = first(2, 5);
        RuntimeSnapshot before = compile(first, RuntimeSnapshot.none());
        byte[] bytes = SnapshotBody.full(first).compress();
        Snapshot copy = Snapshot.of(
                2, ConfigState.empty().with(SnapshotBody.decompress(bytes).changes()));
        RuntimeSnapshot after = compile(copy, before);
        assertThat(after.parts().clusters().values())
                .extracting(RuntimeSnapshot.Cluster::cluster)
                .containsExactlyInAnyOrderElementsOf(before.parts().clusters().values().stream()
                        .map(RuntimeSnapshot.Cluster::cluster)
                        .toList());
        assertThat(after.parts().routes().get("r0-0"))
                .isSameAs(before.parts().routes().get("r0-0"));
        assertThat(after.parts().tables().get("r1"))
                .isSameAs(before.parts().tables().get("r1"));
    }

    @Test
    void nodeThatStaysKeepsItsConnectionsWhenAnotherIsAdded() {
        Snapshot first = first(1, 1);
        RuntimeSnapshot before = compile(first, RuntimeSnapshot.none());
        Snapshot next = first.advance(
                2,
                List.of(new EntityChange(
                        Kind.UPSTREAM,
                        "one",
                        Upstream.builder()
                                .id("one")
                                .nodes(List.of(
                                        Node.builder().url("http://one:2").build(),
                                        Node.builder().url("http://one:3").build()))
                                .build())));
        RuntimeSnapshot after = compile(next, before);
        assertThat(before.parts().endpoints().values()).hasSize(4);
        assertThat(after.parts().endpoints().values())
                .hasSize(4)
                .filteredOn(endpoint -> before.parts().endpoints().containsValue(endpoint))
                .hasSize(3);
    }

    @Test
    void changeIsCheckedAgainstWhatItRefersToAndWhatRefersToIt() {
        Snapshot first = first(1, 1);
        RuntimeSnapshot before = compile(first, RuntimeSnapshot.none());
        assertThatThrownBy(() -> compile(first.advance(2, List.of(route("r0", 0, "gone"))), before))
                .isInstanceOf(SnapshotRefused.class)
                .satisfies(e -> assertThat(((SnapshotRefused) e).pointer()).isEqualTo("/routes/r0-0/proxyPassId"));
        assertThatThrownBy(() ->
                        compile(first.advance(2, List.of(new EntityChange(Kind.PROXY_PASS, "one", null))), before))
                .isInstanceOf(SnapshotRefused.class)
                .satisfies(e -> assertThat(((SnapshotRefused) e).pointer()).isEqualTo("/routes/r0-0/proxyPassId"));
    }

    @Test
    void anyChangesOfRoutesLeadToWhatACompilationFromNothingDoes() {
        Random random = new Random(11);
        Snapshot snapshot = first(4, 30);
        RuntimeSnapshot compiled = compile(snapshot, RuntimeSnapshot.none());
        for (int revision = 2; revision < 120; revision++) {
            List<EntityChange> changes = new ArrayList<>();
            for (int i = random.nextInt(4); i >= 0; i--) {
                changes.add(randomRoute(random, revision));
            }
            snapshot = snapshot.advance(revision, changes);
            RuntimeSnapshot last = compiled;
            compiled = compile(snapshot, last);
            // Nothing but routes was looked at.
            assertThat(compiled.parts().passes()).isSameAs(last.parts().passes());
            RuntimeSnapshot anew = compile(snapshot, RuntimeSnapshot.none());
            var routes = compiled.parts().routes();
            assertThat(routes.keySet()).isEqualTo(anew.parts().routes().keySet());
            anew.parts().routes().forEach((id, route) -> {
                assertThat(routes.get(id).source()).isEqualTo(route.source());
                assertThat(routes.get(id).router().source())
                        .isEqualTo(route.router().source());
                assertThat(routes.get(id).pass().source())
                        .isEqualTo(route.pass().source());
            });
            for (String router : compiled.parts().routers().keySet()) {
                List<RuntimeRoute> mine = routes.values().stream()
                        .filter(route -> router.equals(route.source().routerId()))
                        .toList();
                assertThat(compiled.parts().tables().get(router).has(mine)).isTrue();
            }
            assertThat(compiled.server("web").table().routers())
                    .containsExactlyInAnyOrderElementsOf(
                            compiled.parts().tables().values());
        }
    }

    /** Returns a route that is made, changed, moved to another router, switched off or deleted. */
    private static EntityChange randomRoute(Random random, int revision) {
        String id = "r" + random.nextInt(4) + "-" + random.nextInt(40);
        if (random.nextInt(4) == 0) {
            return new EntityChange(Kind.ROUTE, id, null);
        }
        return new EntityChange(
                Kind.ROUTE,
                id,
                Route.builder()
                        .id(id)
                        .routerId("r" + random.nextInt(4))
                        .enabled(random.nextInt(5) > 0)
                        .path("/" + revision + "/" + random.nextInt())
                        .proxyPassId(random.nextBoolean() ? "one" : "two")
                        .build());
    }

    @Test
    void whatARouteRefersToIsCompiledAfterRoutesAloneWere() {
        Snapshot first = first(2, 3);
        RuntimeSnapshot before = compile(first, RuntimeSnapshot.none());
        Snapshot second = first.advance(2, List.of(route("r0", 0, "two")));
        RuntimeSnapshot routed = compile(second, before);

        Snapshot third = second.advance(
                3,
                List.of(new EntityChange(
                        Kind.PROXY_PASS,
                        "two",
                        ProxyPass.builder()
                                .id("two")
                                .upstreamId("two")
                                .stripPrefix("/x")
                                .build())));
        RuntimeSnapshot after = compile(third, routed);

        assertThat(after.parts().routes().get("r0-0").pass())
                .isSameAs(after.parts().passes().get("two"));
        assertThat(after.parts().routes().get("r1-1"))
                .isSameAs(before.parts().routes().get("r1-1"));
    }
}
