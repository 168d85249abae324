package io.sigma.controlplane.api.operation;

import com.fasterxml.jackson.databind.JsonNode;
import io.sigma.controlplane.api.contract.ApiNames;
import io.sigma.controlplane.api.contract.Contract;
import io.sigma.controlplane.api.request.Answer;
import io.sigma.controlplane.api.request.ApiCall;
import io.sigma.controlplane.api.request.OperationHandler;
import io.sigma.controlplane.apidoc.OpenApiOptions;
import io.sigma.controlplane.apidoc.OpenApiPlan;
import io.sigma.controlplane.resource.ImportFile;
import io.sigma.controlplane.resource.ImportOutcome;
import io.sigma.controlplane.resource.Precondition;
import io.sigma.controlplane.resource.StateService;
import io.sigma.controlplane.store.Store;
import io.sigma.controlplane.store.history.RevisionLog;
import io.sigma.format.SigmaJsonWriter;
import io.sigma.model.ImportResult;
import io.sigma.model.OpenApiImport;
import io.sigma.model.OpenApiImportList;
import io.sigma.model.RevisionResult;
import io.sigma.model.SigmaJsonExport;
import io.vertx.core.Vertx;
import java.util.Map;

/** Other formats, both ways. */
final class ImportOperations {

    private static final int CHANGES_MAX = 2000;

    private final Vertx vertx;
    private final RevisionLog log;
    private final Contract contract;
    private final StateService states;
    private final Changes changes;
    private final LargeResults results;
    private final Acknowledgements acknowledgements;

    ImportOperations(
            Vertx vertx, Store store, Contract contract, StateService states, Acknowledgements acknowledgements) {
        this.vertx = vertx;
        this.log = store.log();
        this.contract = contract;
        this.states = states;
        this.changes = new Changes(store.secrets());
        this.results = new LargeResults(vertx);
        this.acknowledgements = acknowledgements;
    }

    /** Adds the handlers by operation id. */
    void addTo(Map<String, OperationHandler> handlers) {
        handlers.put("importSigmaJson", this::importSigmaJson);
        handlers.put("exportSigmaJson", call -> exportSigmaJson());
        handlers.put(ApiNames.IMPORT_OPENAPI, this::importOpenApi);
        handlers.put(
                "listOpenApiImports",
                call -> Answer.ok(new OpenApiImportList(
                        vertx.executeBlocking(states::openApiImports).await())));
        handlers.put("removeOpenApiImport", this::removeOpenApi);
    }

    private Answer importSigmaJson(ApiCall call) {
        Acknowledgements.timeout(call.parameters());
        Precondition precondition = call.precondition();
        JsonNode body = call.body();
        ImportFile file = vertx.executeBlocking(() -> states.readFile(body)).await();
        return answer(states.importFile(file, precondition, call.write()), call);
    }

    private Answer exportSigmaJson() {
        SigmaJsonWriter.Written written = vertx.executeBlocking(
                        () -> SigmaJsonWriter.write(log.current().state()))
                .await();
        return Answer.ok(new SigmaJsonExport(written.file(), written.warnings()));
    }

    private Answer importOpenApi(ApiCall call) {
        Acknowledgements.timeout(call.parameters());
        Precondition precondition = call.precondition();
        OpenApiImport wanted = call.body(contract, OpenApiImport.class);
        OpenApiOptions options = new OpenApiOptions(
                wanted.id(),
                wanted.proxyServerId(),
                wanted.hosts(),
                wanted.nodes(),
                wanted.server(),
                wanted.removeVanished(),
                wanted.force());
        OpenApiPlan plan = vertx.executeBlocking(() -> OpenApiPlan.read(wanted.document(), options))
                .await();
        return answer(states.importOpenApi(plan, precondition, call.write()), call);
    }

    private Answer removeOpenApi(ApiCall call) {
        Acknowledgements.timeout(call.parameters());
        return answer(states.removeOpenApi(call.id(), call.precondition(), call.write()), call);
    }

    private Answer answer(ImportOutcome imported, ApiCall call) {
        RevisionResult revision = acknowledgements.of(imported.committed(), call.parameters());
        return results.answer(() -> result(imported, revision), imported.tag());
    }

    private ImportResult result(ImportOutcome imported, RevisionResult revision) {
        return new ImportResult(
                revision,
                imported.created(),
                imported.updated(),
                imported.deleted(),
                imported.unchanged(),
                changes.of(imported.committed(), CHANGES_MAX),
                imported.warnings(),
                imported.losses());
    }
}
