package io.sigma.controlplane.resource;

import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.store.CommitResult;
import io.sigma.controlplane.store.Edit;
import io.sigma.controlplane.store.Store;
import io.sigma.controlplane.store.WriteRequest;
import io.sigma.model.FieldError;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/**
 * Writes, and returns when the revision is durable and {@link Store#log()} has it, or that which a dry run was tried
 * upon. Thread-safe; waits, so for virtual threads.
 */
final class RevisionCommits {

    /**
     * The longest wait of a write until this process has read the new revision. The write is durable even if the wait
     * times out.
     */
    private static final Duration LOG_WAIT = Duration.ofSeconds(2);

    private final Store store;

    RevisionCommits(Store store) {
        this.store = store;
    }

    CommitResult commit(WriteRequest request, Edit edit) {
        return commit(request, error -> error, edit);
    }

    /** @param shown returns what a gateway refuses as the caller knows it */
    CommitResult commit(WriteRequest request, UnaryOperator<FieldError> shown, Edit edit) {
        CommitResult committed;
        try {
            committed = store.writer().write(request, edit);
        } catch (FailureException e) {
            if (e.failure() instanceof Failure.RefusedByGateway refused) {
                List<FieldError> errors = refused.errors().stream().map(shown).toList();
                throw new FailureException(new Failure.RefusedByGateway(errors, refused.votes()), e);
            }
            throw e;
        }
        if (committed.changed()) {
            store.log().hint();
            store.log()
                    .reached(committed.durable() ? committed.revision() : committed.revision() - 1)
                    .timeout(LOG_WAIT.toMillis(), TimeUnit.MILLISECONDS)
                    .otherwiseEmpty()
                    .await();
        }
        return committed;
    }
}
