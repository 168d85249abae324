package io.sigma.controlplane.api.operation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sigma.controlplane.api.contract.ApiNames;
import io.sigma.controlplane.api.request.Answer;
import io.sigma.controlplane.api.request.ApiCall;
import io.sigma.controlplane.api.request.OperationHandler;
import io.sigma.controlplane.resource.Declaration;
import io.sigma.controlplane.resource.DeclarationResult;
import io.sigma.controlplane.resource.Label;
import io.sigma.controlplane.resource.Part;
import io.sigma.controlplane.resource.Precondition;
import io.sigma.controlplane.resource.StateService;
import io.sigma.controlplane.secret.Secrets;
import io.sigma.controlplane.store.history.RevisionLog;
import io.sigma.json.Json;
import io.sigma.json.Yaml;
import io.sigma.model.ConfigResult;
import io.sigma.model.RevisionResult;
import io.sigma.snapshot.ResourceType;
import io.sigma.snapshot.Snapshot;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The operations on the whole state, or on the part of it that carries a label. */
final class ConfigOperations {

    /** The order in which people read: what requests meet first comes first. */
    private static final List<ResourceType<?>> SHOWN = List.of(
            ResourceType.PROXY_SERVER,
            ResourceType.ROUTER,
            ResourceType.ROUTE,
            ResourceType.PROXY_PASS,
            ResourceType.UPSTREAM,
            ResourceType.CONSUMER,
            ResourceType.CERTIFICATE);

    private final Vertx vertx;
    private final StateService states;
    private final RevisionLog log;
    private final Secrets secrets;
    private final Changes changes;
    private final LargeResults results;
    private final Acknowledgements acknowledgements;

    ConfigOperations(
            Vertx vertx, StateService states, RevisionLog log, Secrets secrets, Acknowledgements acknowledgements) {
        this.vertx = vertx;
        this.states = states;
        this.log = log;
        this.secrets = secrets;
        this.changes = new Changes(secrets);
        this.results = new LargeResults(vertx);
        this.acknowledgements = acknowledgements;
    }

    /** Adds the handlers by operation id. */
    void addTo(Map<String, OperationHandler> handlers) {
        handlers.put("getConfig", this::get);
        handlers.put(ApiNames.PUT_CONFIG, this::put);
    }

    private static @Nullable Label label(ApiCall call) {
        String text = call.parameters().get("label");
        return text == null ? null : Label.parse(text);
    }

    private Answer get(ApiCall call) {
        Part part = new Part(log.current(), label(call));
        boolean yaml = call.acceptsYaml();
        // Large states take a while, and other requests go on meanwhile.
        Answer answer = vertx.executeBlocking(() -> {
                    JsonNode tree = shown(part);
                    return Answer.ok(yaml ? Yaml.bytes(tree) : Json.bytes(tree)).with("ETag", part.tag());
                })
                .await();
        return (yaml ? answer.with("Content-Type", "application/yaml") : answer).with("Vary", "Accept");
    }

    /** Returns a whole state without its secrets. */
    Answer shown(Snapshot snapshot) {
        Part part = new Part(snapshot, null);
        return results.answer(() -> shown(part), null);
    }

    private ObjectNode shown(Part part) {
        ObjectNode tree = Json.mapper().createObjectNode();
        tree.put("revision", part.snapshot().revision());
        tree.put("stateHash", part.snapshot().hash().hex());
        for (ResourceType<?> type : SHOWN) {
            ArrayNode all = tree.putArray(type.field());
            part.of(type).values().forEach(one -> all.add(secrets.without(type.kind(), Json.tree(one))));
        }
        return tree;
    }

    private Answer put(ApiCall call) {
        Acknowledgements.timeout(call.parameters());
        Precondition precondition = call.precondition();
        Label label = label(call);
        JsonNode document = call.body();
        Declaration declaration =
                vertx.executeBlocking(() -> states.readState(document, label)).await();
        DeclarationResult declared = states.declare(declaration, label, precondition, call.write());
        RevisionResult revision = acknowledgements.of(declared.committed(), call.parameters());
        return results.answer(() -> result(declared, revision), declared.tag());
    }

    private ConfigResult result(DeclarationResult declared, RevisionResult revision) {
        return ConfigResult.builder()
                .revision(revision)
                .created(declared.created())
                .updated(declared.updated())
                .deleted(declared.deleted())
                .unchanged(declared.unchanged())
                .changes(changes.of(declared.committed(), Integer.MAX_VALUE))
                .build();
    }
}
