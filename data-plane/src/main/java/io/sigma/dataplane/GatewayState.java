package io.sigma.dataplane;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sigma.dataplane.discovery.DiscoveredNode;
import io.sigma.dataplane.discovery.Discoveries;
import io.sigma.dataplane.discovery.FoundNodes;
import io.sigma.dataplane.engine.KnownNames;
import io.sigma.dataplane.engine.ListenerHandle;
import io.sigma.dataplane.engine.NameAddress;
import io.sigma.dataplane.filter.chain.FilterPool;
import io.sigma.dataplane.listener.Listeners;
import io.sigma.dataplane.snapshot.ActiveSnapshot;
import io.sigma.dataplane.upstream.HealthState;
import io.sigma.dataplane.upstream.health.HealthMonitor;
import io.sigma.dataplane.upstream.health.KnownNode;
import io.sigma.json.Json;
import io.sigma.model.NodeDiscovery;
import io.sigma.value.Addresses;
import io.sigma.value.NodeUrl;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state that a gateway hands over to the process that takes its place: discovered nodes, addresses of names, the
 * health of nodes, the counts of limits, and the keys of TLS tickets. The parts are independent: a part of another
 * build that this build cannot read is left out. Thread-safe.
 */
final class GatewayState {

    private static final Logger LOG = LoggerFactory.getLogger(GatewayState.class);

    private static final String NAMES = "names";
    private static final String DISCOVERED = "discovered";
    private static final String NODES = "nodes";
    private static final String COUNTS = "counts";
    private static final String TICKETS = "tickets";

    /** Entries of each part. More are left out, so that the document stays below its bound. */
    private static final int NODES_MAX = 20_000;

    private static final int COUNTS_MAX = 50_000;
    private static final int LISTENERS_MAX = 10_000;

    private final Discoveries discoveries;
    private final KnownNames names;
    private final HealthMonitor health;
    private final ActiveSnapshot active;
    private final Listeners listeners;

    GatewayState(WatchedUpstreams upstreams, KnownNames names, ActiveSnapshot active, Listeners listeners) {
        this.discoveries = upstreams.discoveries();
        this.names = names;
        this.health = upstreams.health();
        this.active = active;
        this.listeners = listeners;
    }

    /** Returns what there is now. */
    ObjectNode write() {
        ObjectNode state = Json.mapper().createObjectNode();
        writeNames(state.putArray(NAMES));
        writeDiscovered(state.putArray(DISCOVERED));
        writeNodes(state.putArray(NODES));
        writeCounts(state.putObject(COUNTS));
        writeTickets(state.putObject(TICKETS));
        return state;
    }

    private void writeNames(ArrayNode entries) {
        names.known()
                .forEach(known -> entries.addObject()
                        .put("name", known.name())
                        .put("address", Addresses.text(known.address()))
                        .put("ageMillis", known.ageMillis())
                        .put("failing", known.failing()));
    }

    private void writeDiscovered(ArrayNode upstreams) {
        int left = NODES_MAX;
        for (FoundNodes found : discoveries.known()) {
            left -= found.nodes().size();
            if (left < 0) {
                LOG.warn("The discovered nodes of upstream {} are not handed over", found.upstreamId());
                left += found.nodes().size();
                continue;
            }
            ObjectNode own = upstreams
                    .addObject()
                    .put("upstream", found.upstreamId())
                    .put("degrade", found.degrade())
                    .set("settings", Json.tree(found.settings()));
            ArrayNode nodes = own.putArray(NODES);
            found.nodes()
                    .forEach(node -> nodes.addObject()
                            .put("url", node.url().text())
                            .put("weight", node.weight())
                            .put("tier", node.tier())
                            .set("metadata", Json.tree(node.metadata())));
        }
    }

    private void writeNodes(ArrayNode nodes) {
        List<KnownNode> known = health.known();
        if (known.size() > NODES_MAX) {
            LOG.warn("The health of {} nodes is not handed over", known.size() - NODES_MAX);
        }
        known.stream()
                .limit(NODES_MAX)
                .forEach(node -> nodes.addObject()
                        .put("upstream", node.upstreamId())
                        .put("node", node.name())
                        .put("checked", node.checked().name())
                        .put("reason", node.reason())
                        .put("failures", node.failures())
                        .put("ejections", node.ejections())
                        .put("ejectedMillis", node.ejectedMillis()));
    }

    private void writeCounts(ObjectNode all) {
        FilterPool filters = active.current().filters();
        int[] left = {COUNTS_MAX};
        filters.forEach((name, filter) -> {
            Map<String, Long> counts = filter.counts(left[0]);
            if (!counts.isEmpty()) {
                ObjectNode own = all.putObject(name);
                counts.forEach(own::put);
                left[0] -= counts.size();
            }
        });
        if (left[0] <= 0) {
            LOG.warn("Only {} counts of limits are handed over", COUNTS_MAX);
        }
    }

    private void writeTickets(ObjectNode all) {
        listeners.handles().forEach((id, listener) -> {
            List<byte[]> keys = listener.ticketKeys();
            if (!keys.isEmpty() && all.size() < LISTENERS_MAX) {
                ArrayNode own = all.putArray(id);
                keys.forEach(own::add);
            }
        });
    }

    /** Goes on with what {@link #write} of another process returned, for the snapshot that is served. */
    void read(JsonNode state) {
        attempt("the addresses of names", () -> readNames(state.path(NAMES)));
        // Before their health.
        attempt("the discovered nodes", () -> readDiscovered(state.path(DISCOVERED)));
        attempt("the health of nodes", () -> readNodes(state.path(NODES)));
        attempt("the counts of limits", () -> readCounts(state.path(COUNTS)));
        attempt("the keys of TLS tickets", () -> readTickets(state.path(TICKETS)));
    }

    @FunctionalInterface
    private interface Part {

        void read() throws IOException;
    }

    private static void attempt(String what, Part part) {
        try {
            part.read();
        } catch (IOException | RuntimeException e) {
            LOG.warn("This gateway begins without {} of the earlier gateway: {}", what, e.toString());
        }
    }

    private void readNames(JsonNode entries) {
        List<NameAddress> known = new ArrayList<>();
        for (JsonNode name : entries) {
            known.add(new NameAddress(
                    name.path("name").asText(),
                    Addresses.parse(name.path("address").asText()),
                    name.path("ageMillis").asLong(),
                    name.path("failing").asBoolean()));
        }
        names.know(known);
    }

    private void readDiscovered(JsonNode upstreams) {
        List<FoundNodes> known = new ArrayList<>();
        for (JsonNode upstream : upstreams) {
            List<DiscoveredNode> nodes = new ArrayList<>();
            for (JsonNode node : upstream.path(NODES)) {
                Map<String, String> metadata = new HashMap<>();
                node.path("metadata")
                        .properties()
                        .forEach(entry ->
                                metadata.put(entry.getKey(), entry.getValue().asText()));
                nodes.add(new DiscoveredNode(
                        NodeUrl.parse(node.path("url").asText()),
                        node.path("weight").asInt(),
                        node.path("tier").asInt(),
                        metadata));
            }
            known.add(new FoundNodes(
                    upstream.path("upstream").asText(),
                    upstream.path("degrade").asBoolean(),
                    Json.read(upstream.path("settings"), NodeDiscovery.class),
                    nodes));
        }
        discoveries.know(known);
    }

    private void readNodes(JsonNode nodes) {
        List<KnownNode> known = new ArrayList<>();
        for (JsonNode node : nodes) {
            known.add(new KnownNode(
                    node.path("upstream").asText(),
                    node.path("node").asText(),
                    HealthState.valueOf(node.path("checked").asText()),
                    node.path("reason").asText(),
                    node.path("failures").asInt(),
                    node.path("ejections").asLong(),
                    node.path("ejectedMillis").asLong()));
        }
        health.know(known);
    }

    private void readCounts(JsonNode all) {
        active.current().filters().forEach((name, filter) -> {
            Map<String, Long> counts = new HashMap<>();
            all.path(name).properties().forEach(entry -> {
                if (entry.getValue().isIntegralNumber()) {
                    counts.put(entry.getKey(), entry.getValue().longValue());
                }
            });
            if (!counts.isEmpty()) {
                filter.count(counts);
            }
        });
    }

    private void readTickets(JsonNode all) throws IOException {
        for (Map.Entry<String, ListenerHandle> listener : listeners.handles().entrySet()) {
            List<byte[]> keys = new ArrayList<>();
            for (JsonNode key : all.path(listener.getKey())) {
                keys.add(key.binaryValue());
            }
            listener.getValue().ticketKeys(keys);
        }
    }
}
