package io.sigma.controlplane.api;

import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.fleet.Fleet;
import io.sigma.controlplane.store.Store;
import io.sigma.model.Gateway;
import io.sigma.model.GatewayState;
import io.sigma.model.Health;
import io.sigma.model.HealthStatus;
import io.sigma.model.Upstream;
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
        return Answer.ok(HealthMerge.of(upstream, fleet.nodeViews(upstream.id()).await(), live));
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
