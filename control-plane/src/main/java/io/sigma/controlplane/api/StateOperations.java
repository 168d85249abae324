package io.sigma.controlplane.api;

import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.fleet.Fleet;
import io.sigma.controlplane.store.Page;
import io.sigma.controlplane.store.Store;
import io.sigma.model.Gateway;
import io.sigma.model.GatewayState;
import io.sigma.model.Health;
import io.sigma.model.HealthStatus;
import io.sigma.model.NodeHistory;
import io.sigma.model.NodeTransition;
import io.sigma.model.Upstream;
import io.sigma.value.InvalidValue;
import io.sigma.value.NodeUrl;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The operations on what is: health of nodes and of this control plane. */
final class StateOperations {

    private final Store store;
    private final Fleet fleet;
    private final String version;

    StateOperations(Store store, Fleet fleet, String version) {
        this.store = store;
        this.fleet = fleet;
        this.version = version;
    }

    /** Adds the handlers by operation id. */
    void addTo(Map<String, OperationHandler> handlers) {
        handlers.put("getUpstreamHealth", this::getUpstreamHealth);
        handlers.put("getUpstreamHealthHistory", this::getUpstreamHealthHistory);
        handlers.put("getHealth", call -> getHealth());
    }

    private Answer getUpstreamHealth(Call call) {
        Upstream upstream = store.log().current().state().upstreams().get(call.id());
        if (upstream == null) {
            throw new FailureException(new Failure.NotFound("There is no upstream \"" + call.id() + "\"."));
        }
        Set<String> live = fleet.gateways().stream()
                .filter(gateway -> gateway.state() != GatewayState.LOST)
                .map(Gateway::id)
                .collect(Collectors.toSet());
        return Answer.ok(HealthMerge.of(upstream, store.database().await(fleet.nodeViews(upstream.id())), live));
    }

    private Answer getUpstreamHealthHistory(Call call) {
        if (!store.log().current().state().upstreams().containsKey(call.id())) {
            throw new FailureException(new Failure.NotFound("There is no upstream \"" + call.id() + "\"."));
        }
        Parameters parameters = call.parameters();
        String node = parameters.get("node");
        Page<Long, NodeTransition> page = store.database()
                .await(fleet.nodeHistory(
                        call.id(),
                        Cursors.number(parameters.get("cursor")),
                        node == null ? null : url(node),
                        parameters.get("gateway"),
                        parameters.limit()));
        return Answer.ok(new NodeHistory(page.items(), Cursors.of(page.last())));
    }

    private static String url(String node) {
        try {
            return NodeUrl.parse(node).text();
        } catch (InvalidValue e) {
            throw new FailureException(new Failure.BadRequest("node: " + e.getMessage()));
        }
    }

    private Answer getHealth() {
        Map<String, String> checks = new TreeMap<>(store.check());
        boolean up = checks.values().stream().allMatch(Store.UP::equals);
        Health health = Health.builder()
                .status(up ? HealthStatus.UP : HealthStatus.DOWN)
                .version(version)
                .revision(store.log().current().revision())
                .checks(checks)
                .build();
        return new Answer(up ? 200 : 503, health, Map.of());
    }
}
