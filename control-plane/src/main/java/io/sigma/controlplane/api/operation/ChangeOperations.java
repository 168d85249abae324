package io.sigma.controlplane.api.operation;

import io.sigma.controlplane.api.contract.ApiNames;
import io.sigma.controlplane.api.contract.BodySchema;
import io.sigma.controlplane.api.request.Answer;
import io.sigma.controlplane.api.request.ApiCall;
import io.sigma.controlplane.api.request.OperationHandler;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.resource.BatchOutcome;
import io.sigma.controlplane.resource.Operation;
import io.sigma.controlplane.resource.StateService;
import io.sigma.controlplane.secret.Secrets;
import io.sigma.controlplane.store.history.EntityEdit;
import io.sigma.json.Json;
import io.sigma.model.Batch;
import io.sigma.model.BatchOperation;
import io.sigma.model.BatchResult;
import io.sigma.model.OperationResult;
import io.sigma.value.Mismatch;
import java.util.List;
import java.util.Map;

/** The operations that change several resources at once. */
final class ChangeOperations {

    private final StateService states;
    private final Changes changes;
    private final Acknowledgements acknowledgements;
    private final BodySchema batchSchema;
    private final int operationsMax;

    ChangeOperations(
            StateService states,
            Secrets secrets,
            Acknowledgements acknowledgements,
            BodySchema batchSchema,
            int operationsMax) {
        this.states = states;
        this.changes = new Changes(secrets);
        this.acknowledgements = acknowledgements;
        this.batchSchema = batchSchema;
        this.operationsMax = operationsMax;
    }

    /** Adds the handlers by operation id. */
    void addTo(Map<String, OperationHandler> handlers) {
        handlers.put(ApiNames.BATCH, this::batch);
    }

    private Answer batch(ApiCall call) {
        Acknowledgements.timeout(call.parameters());
        int count = call.body().path("operations").size();
        if (count > operationsMax) {
            throw FailureException.invalid(
                    "/operations", Mismatch.of("a list of " + count + " items", "at most " + operationsMax));
        }
        FailureException.refuse(batchSchema.check(call.body()));
        List<Operation> operations =
                operations(Json.read(call.body(), Batch.class).operations());
        BatchOutcome batched = states.batch(operations, call.write());
        return Answer.ok(new BatchResult(
                acknowledgements.of(batched.committed(), call.parameters()),
                batched.results().stream().map(this::result).toList()));
    }

    static List<Operation> operations(List<BatchOperation> operations) {
        return operations.stream()
                .map(one -> new Operation(one.action(), one.kind(), one.id(), one.body(), one.ifMatch()))
                .toList();
    }

    private OperationResult result(BatchOutcome.Result result) {
        EntityEdit edit = result.edit();
        OperationResult.Builder builder = OperationResult.builder()
                .kind(result.kind())
                .id(result.id())
                .changed(edit != null)
                .etag(result.tag());
        if (edit != null) {
            builder.action(edit.action())
                    .before(changes.redacted(edit.kind(), edit.before()))
                    .after(changes.redacted(edit.kind(), edit.after()));
        }
        return builder.build();
    }
}
