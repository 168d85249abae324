package io.sigma.controlplane.api.operation;

import io.sigma.controlplane.api.request.Answer;
import io.sigma.controlplane.api.request.ApiCall;
import io.sigma.controlplane.api.request.Cursors;
import io.sigma.controlplane.api.request.OperationHandler;
import io.sigma.controlplane.api.request.Parameters;
import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.fleet.Fleet;
import io.sigma.controlplane.fleet.RefusedRevision;
import io.sigma.controlplane.store.Store;
import io.sigma.controlplane.store.database.Page;
import io.sigma.model.Gateway;
import io.sigma.model.GatewayState;
import io.sigma.model.Health;
import io.sigma.model.HealthStatus;
import io.sigma.model.NodeHistory;
import io.sigma.model.NodeStanding;
import io.sigma.model.NodeStandings;
import io.sigma.model.NodeTransition;
import io.sigma.model.Upstream;
import io.sigma.value.InvalidValue;
import io.sigma.value.NodeUrl;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The operations on what is: health of nodes and of this control plane. */
final class StateOperations {

    /** Nodes in one answer. */
    private static final int NODES_MAX = 1_000;

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
        handlers.put("listNodeHealth", this::listNodeHealth);
        handlers.put("getUpstreamHealthHistory", this::getUpstreamHealthHistory);
        handlers.put("getHealth", call -> getHealth());
        handlers.put("getMetrics", call -> getMetrics());
    }

    /** In the text format of Prometheus 0.0.4. */
    private Answer getMetrics() {
        StringBuilder text = new StringBuilder();
        gauge(text, "sigma_control_revision", "The newest revision.");
        value(text, "sigma_control_revision", "", store.log().current().revision());
        gauge(text, "sigma_control_gateways", "Gateways by state.");
        Map<GatewayState, Long> states =
                fleet.gateways().stream().collect(Collectors.groupingBy(Gateway::state, Collectors.counting()));
        for (GatewayState state : GatewayState.values()) {
            value(
                    text,
                    "sigma_control_gateways",
                    "{state=\"" + state.name().toLowerCase(Locale.ROOT) + "\"}",
                    states.getOrDefault(state, 0L));
        }
        RefusedRevision refused = fleet.refused().orElse(null);
        gauge(text, "sigma_control_refusing_gateways", "Live gateways that refuse the newest revision.");
        value(
                text,
                "sigma_control_refusing_gateways",
                "",
                refused == null ? 0 : refused.refusals().size());
        gauge(
                text,
                "sigma_control_writes_held_up",
                "1 while writes are answered 409 because gateways refuse the newest revision.");
        value(text, "sigma_control_writes_held_up", "", refused == null || refused.isWaived() ? 0 : 1);
        return new Answer(
                200,
                text.toString().getBytes(StandardCharsets.UTF_8),
                Map.of("Content-Type", "text/plain; version=0.0.4; charset=utf-8"));
    }

    private static void gauge(StringBuilder text, String name, String help) {
        text.append("# HELP ").append(name).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(name).append(" gauge\n");
    }

    private static void value(StringBuilder text, String name, String labels, long value) {
        text.append(name).append(labels).append(' ').append(value).append('\n');
    }

    private Answer getUpstreamHealth(ApiCall call) {
        Upstream upstream = store.log().current().state().upstreams().get(call.id());
        if (upstream == null) {
            throw new FailureException(new Failure.NotFound("There is no upstream \"" + call.id() + "\"."));
        }
        return Answer.ok(HealthMerge.of(upstream, store.database().await(fleet.nodeViews(upstream.id())), live()));
    }

    /** Returns the gateways whose word counts. */
    private Set<String> live() {
        return fleet.gateways().stream()
                .filter(gateway -> gateway.state() != GatewayState.LOST)
                .map(Gateway::id)
                .collect(Collectors.toSet());
    }

    private Answer listNodeHealth(ApiCall call) {
        Map<String, Upstream> upstreams = store.log().current().state().upstreams();
        String ids = call.parameters().get("upstreamIds");
        Set<String> wanted = ids == null ? null : Set.copyOf(List.of(ids.split(",")));
        List<NodeStanding> held = store.database().await(fleet.standings(wanted, live(), NODES_MAX + 1));
        List<NodeStanding> nodes = wanted == null
                ? HealthMerge.known(held, upstreams)
                : HealthMerge.all(
                        held,
                        wanted.stream()
                                .map(upstreams::get)
                                .filter(Objects::nonNull)
                                .toList());
        boolean truncated = held.size() > NODES_MAX || nodes.size() > NODES_MAX;
        return Answer.ok(new NodeStandings(nodes.subList(0, Math.min(nodes.size(), NODES_MAX)), truncated));
    }

    private Answer getUpstreamHealthHistory(ApiCall call) {
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
        boolean serves =
                checks.values().stream().allMatch(check -> check.equals(Store.UP) || check.startsWith(Store.DEGRADED));
        Health health = Health.builder()
                .status(up ? HealthStatus.UP : serves ? HealthStatus.DEGRADED : HealthStatus.DOWN)
                .version(version)
                .revision(store.log().current().revision())
                .checks(checks)
                .build();
        return new Answer(serves ? 200 : 503, health, Map.of());
    }
}
