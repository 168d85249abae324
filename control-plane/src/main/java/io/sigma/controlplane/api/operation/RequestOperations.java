package io.sigma.controlplane.api.operation;

import io.sigma.controlplane.api.request.Answer;
import io.sigma.controlplane.api.request.ApiCall;
import io.sigma.controlplane.api.request.OperationHandler;
import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.fleet.Fleet;
import io.sigma.controlplane.tail.TailKey;
import io.sigma.controlplane.tail.TailQuestions;
import io.sigma.controlplane.tail.TailView;
import io.sigma.controlplane.tail.Tenures;
import io.sigma.model.LastRequests;
import java.time.InstantSource;
import java.util.Map;

/** The last requests of the gateways. */
final class RequestOperations {

    private static final int LIMIT_DEFAULT = 50;

    private final TailQuestions questions;
    private final Tenures tenures;

    /** @param tenures of the routes */
    RequestOperations(Fleet fleet, Tenures tenures) {
        this.questions = new TailQuestions(fleet, InstantSource.system());
        this.tenures = tenures;
    }

    /** Adds the handlers by operation id. */
    void addTo(Map<String, OperationHandler> handlers) {
        handlers.put("listRequests", this::listRequests);
    }

    private Answer listRequests(ApiCall call) {
        int limit = call.parameters().integer("limit", LIMIT_DEFAULT);
        LastRequests all;
        try {
            all = questions.list(TailKey.of(call.parameters().values()), limit).await();
        } catch (RuntimeException e) {
            throw new FailureException(new Failure.Unavailable("The gateways cannot be asked."));
        }
        return Answer.ok(TailView.of(call.who(), tenures).of(all));
    }
}
