package io.sigma.controlplane.api.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.controlplane.access.Scope;
import io.sigma.controlplane.tail.Tenures;
import io.sigma.model.ConnectionProtocol;
import io.sigma.model.GatewayConnection;
import io.sigma.model.GatewayConnectionList;
import io.sigma.model.Kind;
import io.sigma.model.Route;
import io.sigma.model.Router;
import io.sigma.snapshot.ConfigState;
import io.sigma.snapshot.EntityChange;
import io.sigma.snapshot.ResourceType;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class ConnectionViewTest {

    private static final Map<String, String> SHOP = Map.of("team", "shop");

    private final ConfigState state = ConfigState.empty()
            .with(List.of(
                    new EntityChange(
                            Kind.ROUTER,
                            "shop",
                            Router.builder()
                                    .id("shop")
                                    .proxyServerId("web")
                                    .labels(SHOP)
                                    .build()),
                    new EntityChange(
                            Kind.ROUTER,
                            "other",
                            Router.builder().id("other").proxyServerId("web").build()),
                    new EntityChange(
                            Kind.ROUTE,
                            "mine",
                            Route.builder()
                                    .id("mine")
                                    .routerId("other")
                                    .path("/a")
                                    .proxyPassId("p")
                                    .labels(SHOP)
                                    .build()),
                    new EntityChange(
                            Kind.ROUTE,
                            "theirs",
                            Route.builder()
                                    .id("theirs")
                                    .routerId("shop")
                                    .path("/b")
                                    .proxyPassId("p")
                                    .build())));

    private final GatewayConnectionList all = new GatewayConnectionList(
            List.of(
                    connection("1", "other", "mine"),
                    connection("2", "shop", "theirs"),
                    connection("3", "shop", null),
                    connection("4", "other", null),
                    connection("5", "gone", "gone"),
                    connection("6", null, null)),
            60L);

    private static GatewayConnection connection(String id, @Nullable String router, @Nullable String route) {
        return GatewayConnection.builder()
                .id(id)
                .protocol(ConnectionProtocol.TCP)
                .proxyServerId("web")
                .routerId(router)
                .routeId(route)
                .clientAddress("203.0.113.7")
                .clientPort(1234)
                .startedAt(Instant.EPOCH)
                .revision(1L)
                .bytesIn(0L)
                .bytesOut(0L)
                .build();
    }

    private GatewayConnectionList view(boolean addresses, Scope scope, int limit) {
        return view(addresses, scope, limit, 1);
    }

    private GatewayConnectionList view(boolean addresses, Scope scope, int limit, long since) {
        return new ConnectionView(addresses, scope, new TestTenures(state, since)).of(all, limit);
    }

    @Test
    void viewerSeesNoAddressOfAClient() {
        GatewayConnectionList seen = view(false, Scope.ALL, 100);
        assertThat(seen.matching()).isEqualTo(60);
        assertThat(seen.items()).hasSize(6).allSatisfy(connection -> {
            assertThat(connection.clientAddress()).isNull();
            assertThat(connection.clientPort()).isNull();
        });
        assertThat(view(true, Scope.ALL, 100)).isEqualTo(all);
    }

    @Test
    void tokenWithLabelsSeesConnectionsOfRoutesAndRoutersThatCarryThem() {
        GatewayConnectionList seen = view(true, new Scope(List.of(), SHOP), 100);
        assertThat(seen.items()).extracting(GatewayConnection::id).containsExactly("1", "3");
        assertThat(seen.matching()).isEqualTo(2);
        assertThat(view(true, new Scope(List.of(Kind.ROUTE), Map.of()), 100)).isEqualTo(all);
    }

    @Test
    void tokenWithLabelsSeesNoConnectionThatBeganBeforeTheLabels() {
        assertThat(view(true, new Scope(List.of(), SHOP), 100, 2).items()).isEmpty();
    }

    @Test
    void gatewayThatSaysMoreThanItWasAskedForIsCut() {
        assertThat(view(true, Scope.ALL, 2).items()).hasSize(2);
    }

    /** Resources that have had their labels since one revision. */
    private record TestTenures(ConfigState state, long revision) implements Tenures {

        @Override
        public Since of(Scope scope, Kind kind, String id) {
            return some(scope, kind, List.of(id)).getOrDefault(id, NEVER);
        }

        @Override
        public Map<String, Since> all(Scope scope, Kind kind) {
            return some(scope, kind, state.of(ResourceType.of(kind)).keySet());
        }

        @Override
        public Map<String, Since> some(Scope scope, Kind kind, Collection<String> ids) {
            Map<String, Since> found = new HashMap<>();
            state.of(ResourceType.of(kind)).forEach((id, resource) -> {
                if (ids.contains(id) && scope.carries(resource)) {
                    found.put(id, new Since(revision, Instant.EPOCH));
                }
            });
            return found;
        }
    }
}
