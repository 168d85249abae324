package io.sigma.controlplane.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.controlplane.openapi.OpenApiOptions;
import io.sigma.controlplane.openapi.OpenApiPlan;
import io.sigma.controlplane.resource.ImportFile;
import io.sigma.controlplane.resource.Imported;
import io.sigma.controlplane.resource.StateService;
import io.sigma.controlplane.store.EntityEdit;
import io.sigma.controlplane.store.RevisionLog;
import io.sigma.format.SigmaJsonWriter;
import io.sigma.model.Change;
import io.sigma.model.ChangeAction;
import io.sigma.model.ImportResult;
import io.sigma.model.OpenApiImport;
import io.sigma.model.SigmaJsonExport;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;

/** Other formats, both ways. */
final class ImportOperations {

    static final String OPENAPI = "importOpenApi";

    private static final int CHANGES_MAX = 2000;

    private final Vertx vertx;
    private final RevisionLog log;
    private final Contract contract;
    private final StateService states;
    private final Acknowledgements acknowledgements;

    ImportOperations(
            Vertx vertx, RevisionLog log, Contract contract, StateService states, Acknowledgements acknowledgements) {
        this.vertx = vertx;
        this.log = log;
        this.contract = contract;
        this.states = states;
        this.acknowledgements = acknowledgements;
    }

    /** Adds the handlers by operation id. */
    void addTo(Map<String, OperationHandler> handlers) {
        handlers.put("importSigmaJson", this::importSigmaJson);
        handlers.put("exportSigmaJson", call -> exportSigmaJson());
        handlers.put(OPENAPI, this::importOpenApi);
    }

    private Answer importSigmaJson(Call call) {
        Acknowledgements.timeout(call.parameters());
        JsonNode body = call.body();
        ImportFile file = vertx.executeBlocking(() -> states.readFile(body)).await();
        return answer(states.importFile(file, call.write()), call);
    }

    private Answer exportSigmaJson() {
        SigmaJsonWriter.Written written = vertx.executeBlocking(
                        () -> SigmaJsonWriter.write(log.current().state()))
                .await();
        return Answer.ok(new SigmaJsonExport(written.file(), written.warnings()));
    }

    private Answer importOpenApi(Call call) {
        Acknowledgements.timeout(call.parameters());
        OpenApiImport wanted = contract.body(call, OpenApiImport.class);
        OpenApiOptions options = new OpenApiOptions(
                wanted.id(), wanted.proxyServerId(), wanted.hosts(), wanted.nodes(), wanted.removeVanished());
        OpenApiPlan plan = vertx.executeBlocking(() -> OpenApiPlan.read(wanted.document(), options))
                .await();
        return answer(states.importOpenApi(plan, call.write()), call);
    }

    private Answer answer(Imported imported, Call call) {
        List<Change> changes = imported.committed().edits().stream()
                .limit(CHANGES_MAX)
                .map(edit -> new Change(edit.kind(), edit.id(), action(edit), null, null))
                .toList();
        return Answer.ok(new ImportResult(
                acknowledgements.of(imported.committed(), call.parameters()),
                imported.created(),
                imported.updated(),
                imported.deleted(),
                imported.unchanged(),
                changes,
                imported.warnings()));
    }

    private static ChangeAction action(EntityEdit edit) {
        if (edit.before() == null) {
            return ChangeAction.CREATE;
        }
        return edit.after() == null ? ChangeAction.DELETE : ChangeAction.UPDATE;
    }
}
